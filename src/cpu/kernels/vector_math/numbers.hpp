// Numbers of the vector math. Polynomials are least-squares fits of the relative error at 5n Chebyshev points
// of the stated interval, made with 80 digits; each coefficient is rounded before the next ones are fitted,
// so that the rounding of the leading ones costs nothing. Split constants are truncations: all parts but the
// last leave enough zero bits that their product with the multiplier of the reduction is exact (Cody and
// Waite, "Software Manual for the Elementary Functions").
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "tenferro/base/export.hpp"
#include "tenferro/cpu/contraction/unroll.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr double kInverseLn2 = 1.4426950408889634;
inline constexpr double kLn2[] = {0x1.62e42fee00000p-1, 0x1.a39ef35793c76p-33};  // 32 + 53 bits
inline constexpr double kInversePi = 0.31830988618379069;
inline constexpr double kPi[] = {0x1.921fb54400000p+1, 0x1.0b4611a400000p-33, 0x1.13198a2c00000p-64,
                                 0x1.01b839a25204ap-95};  // 31 + 31 + 31 + 53 bits
inline constexpr double kPiRest = 0x1.0b4611a626331p-33;  // pi - kPi[0]

inline constexpr float kFloatLn2[] = {0x1.62e4p-1F, 0x1.7f7d1cp-20F};  // 15 + 24 bits
inline constexpr float kFloatPi[] = {0x1.921fb6p+1F, -0x1.777a5cp-24F,
                                     -0x1.ee59dap-49F};  // 24 + 24 + 24 bits, nearest

/// Coefficients whose error in the result is below that of rounding to T.
template <class T>
struct Fit;

template <>
struct Fit<double> {
    /// (e^r - 1 - r) / r^2 in r, |r| <= ln(2) / 2; error 2^-52.
    static constexpr double kExp[] = {0.5000000000000001,     0.1666666666666664,    0.041666666666623275,
                                      0.008333333333359632,   0.0013888888917443936, 0.0001984126977448436,
                                      2.4801521060491217e-05, 2.755736674857448e-06, 2.762016998422839e-07,
                                      2.5064023326158384e-08};
    /// (sinh(r) - r) / r^3 in r^2 on the same interval; error 2^-61.
    static constexpr double kSinh[] = {0.16666666666666677, 0.0083333333333214278, 0.00019841269886631242,
                                       2.7557243702649166e-06, 2.5109214282164531e-08};
    /// (cosh(r) - 1) / r^2 in r^2 on the same interval; error 2^-58.
    static constexpr double kCosh[] = {0.50000000000000133, 0.041666666666511254, 0.0013888888948007572,
                                       2.48014889797183e-05, 2.7631608497480306e-07};
    /// (2 artanh(s) - 2 s) / s^3 in s^2, |s| <= (sqrt(2) - 1) / (sqrt(2) + 1); error 2^-59.
    static constexpr double kLog[] = {0.66666666666667374, 0.39999999999397584, 0.28571428745944705,
                                      0.22222198220139872, 0.18183582411818089, 0.15313589172699127,
                                      0.14800586381041175};
    /// (sin(r) - r) / r^3 in r^2, |r| <= pi / 2: the first coefficient and the others; error 2^-61.
    static constexpr double kSinLeading = -0.16666666666666666;
    static constexpr double kSin[] = {
        0.0083333333333332066,  -0.00019841269841212514, 2.7557319211582387e-06, -2.5052106906197225e-08,
        1.6058941118202212e-10, -7.6430230004779412e-13, 2.721463422061847e-15};
};

template <>
struct Fit<float> {
    /// (e^r - 1 - r) / r^2 in r, |r| <= ln(2) / 2; error 2^-22.
    static constexpr float kExp[] = {0.5F, 0.16666578F, 0.041666754F, 0.008363098F, 0.0013906303F};
    /// As above; errors 2^-18 and 2^-28.
    static constexpr float kSinh[] = {0.16666631F, 0.008357135F};
    static constexpr float kCosh[] = {0.5F, 0.04166651F, 0.0013930503F};
    /// (tanh(x) - x) / x^3 in x^2, |x| <= 0.55; error 2^-24.
    static constexpr float kTanh[] = {-0.3333333F, 0.13333082F, -0.053905513F, 0.021291649F, -0.0065836553F};
    /// (log(1 + f) - f) / f^2 in f, sqrt(1/2) <= 1 + f <= sqrt(2); error 2^-24.
    static constexpr float kLog[] = {-0.49999997F, 0.33333334F,  -0.25000837F, 0.20000911F, -0.16625069F,
                                     0.14211214F,  -0.13147311F, 0.12685896F,  -0.07577612F};
    /// (sin(r) - r) / r^3 in r^2, |r| <= pi / 2, weighted by r^3 / sin(r); error of the sine 2^-27.
    static constexpr float kSin[] = {-0.1666666F, 0.008333069F, -0.0001980977F, 2.60606e-06F};
    /// As above for sums in double: the first coefficient and the others; error 2^-35.
    static constexpr double kWideSinLeading = -0.16666666624692295;
    static constexpr double kWideSin[] = {0.0083333310599334291, -0.00019840862787020178,
                                          2.7525137118255299e-06, -2.3884932533269881e-08};
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
