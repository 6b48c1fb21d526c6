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
#include <utility>

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

template <class T>
struct SplitLn2 {
    static constexpr T kParts[] = {std::is_same_v<T, float> ? T(kFloatLn2[0]) : T(kLn2[0]),
                                   std::is_same_v<T, float> ? T(kFloatLn2[1]) : T(kLn2[1])};
};

inline constexpr double kErfcPole = 3;                         // see erf-inl.hpp
inline constexpr double kHalfLog2PiLess = 0.4189385332046727;  // log(2 pi) / 2 - 1/2

/// pi/4, whose first part is exact in small multiples.
template <class T>
struct QuarterPi;
template <>
struct QuarterPi<double> {
    static constexpr double kFirst = kPi[0] / 4, kRest = kPiRest / 4;
};
template <>
struct QuarterPi<float> {
    static constexpr float kFirst = 0x1.921fp-1F, kRest = 0x1.6a8886p-18F;
};

/// Magnitudes whose squares and ratios are far from overflow and underflow.
template <class T>
struct Moderate;
template <>
struct Moderate<double> {
    static constexpr double kSmallest = 0x1p-500, kLargest = 0x1p500;
    static constexpr double kUp = 0x1p600, kDown = 0x1p-600;  // bring all other finite numbers there
};
template <>
struct Moderate<float> {
    static constexpr float kSmallest = 0x1p-60F, kLargest = 0x1p60F;
    static constexpr float kUp = 0x1p100F, kDown = 0x1p-80F;
};

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
    /// ((e^2r - 1) / 2 - r) / r^2 in r, 0 <= r <= ln(2) / 2; error of (e^2r - 1) / 2 2^-61.
    static constexpr double kHalfExpm1[] = {
        1.0000000000000002,     0.666666666666633,      0.33333333333518944,   0.133333333281263,
        0.04444444530202759,    0.01269840376993972,    0.0031746642012632563, 0.0007051901068127323,
        0.00014192073331317702, 2.4105411103210126e-05, 5.894052725188649e-06};
    /// (2 artanh(s) - 2 s) / s^3 in s^2, |s| <= (sqrt(2) - 1) / (sqrt(2) + 1); error 2^-59.
    static constexpr double kLog[] = {0.66666666666667374, 0.39999999999397584, 0.28571428745944705,
                                      0.22222198220139872, 0.18183582411818089, 0.15313589172699127,
                                      0.14800586381041175};
    /// (log(1 + r) - r + r^2 / 2) / r^3 in r, |r| <= 1/48; error of the logarithm 2^-68.
    static constexpr double kLongLog[] = {0.3333333333333331,   -0.24999999999999967, 0.2000000000052248,
                                          -0.16666666667278732, 0.14285710711322058,  -0.12499996246926465,
                                          0.11120806002063854,  -0.10009418908468722};
    /// (atan(t) - t) / t^3 in t^2, |t| <= 0.55; error 2^-59.
    static constexpr double kAtan[] = {-0.33333333333333176, 0.19999999999956164,  -0.14285714281517184,
                                       0.11111110910251074,  -0.09090903436867695, 0.07692205372491778,
                                       -0.06665411536314021, 0.05871580339032474,  -0.051973432312539106,
                                       0.044739822320141655, -0.03448939424145704, 0.020170123661737923,
                                       -0.00632244539167789};
    /// (asin(s) - s) / s^3 in s^2, |s| <= 1/2; error 2^-60.
    static constexpr double kAsin[] = {0.16666666666666735,  0.07499999999977107,  0.044642857168979755,
                                       0.03038194296396427,  0.02237220809099485,  0.017351731021135446,
                                       0.01397944457463472,  0.011409805193579776, 0.010721022127108865,
                                       0.003923950146618229, 0.021191761320674646, -0.020286813332613708,
                                       0.0321932324428433};
    /// (artanh(t) - t) / t^3 in t^2, |t| <= 0.275; error 2^-60.
    static constexpr double kArtanh[] = {0.33333333333333454, 0.1999999999993328,  0.14285714298234353,
                                         0.11111109971509094, 0.09090967301917192, 0.0769052539736317,
                                         0.06699974609932431, 0.05512891640143809, 0.07451013077953642};
    /// erf(x) / x - 1 in x^2 up to kErfNear, and log erfc(a) in a from there to kErfOne, from where on erf is
    /// 1; errors of erf 2^-56 and 2^-57.
    static constexpr double kErfNear = 1, kErfOne = 6;
    static constexpr double kErf[] = {
        0.12837916709551256,    -0.3761263890318347,    0.11283791670943157,    -0.026866170643009172,
        0.005223977605543226,   -0.0008548325909295877, 0.00012055293125099246, -1.4924705567346885e-05,
        1.6447065736371855e-06, -1.620590786019072e-07, 1.3709549260920517e-08, -7.777269621767994e-10};
    static constexpr double kLogErfc[] = {
        -5.147822994831415e-07,  -1.128373976188996,      -0.6366441273820314,    -0.10270208315210688,
        0.018987635853803954,    0.0004141190415247043,   -0.0019195765762269868, 0.0007735703513437885,
        -0.00013689828461397937, -1.934747369851258e-05,  2.24623069723415e-05,   -8.556615520110755e-06,
        2.1094320369365087e-06,  -3.6858447405416417e-07, 4.580259440328295e-08,  -3.87807502895754e-09,
        2.0136574236797526e-10,  -4.847835206256383e-12};
    /// e^(a^2) erfc(a) (a + 3) in t = (a - 3) / (a + 3), 0 <= a <= 26.7: two coefficients, what the first
    /// lacks, and the others; error 2^-58. And its derivative, error 2^-7.
    static constexpr double kErfcFirst[] = {1.0740069070883398, -0.8833944531698836},
                            kErfcRest = -8.708483239469421e-17;
    static constexpr double kErfc[] = {
        0.5902283571041012,     -0.3104672619005684,    0.11952776128733843,     -0.02682723462443913,
        -0.001212416628482886,  0.0030340620005658574,  -0.0005483096751126334,  -0.0002767778405586688,
        0.00010756136453943726, 3.0398126680101162e-05, -1.7470028080922306e-05, -4.74905556587155e-06,
        2.763922886279583e-06,  9.983388156332597e-07,  -4.0549966153990247e-07, -2.3230373390572748e-07,
        4.365112037471595e-08,  4.889561847987439e-08,  1.2055385917996312e-10,  -6.986762974551216e-09,
        -9.379105041188804e-10, 2.8946325964660207e-10};
    static constexpr double kErfcSlope[] = {-0.8760209428183228, 1.1884406585141183, -1.0229827588862699,
                                            0.4712556740232103};
    /// log gamma(2 + z) / z in z, |z| <= 1/2, two coefficients, what the first lacks, and the others; and x
    /// times what Stirling's formula lacks in 1 / x^2, x >= 11/2; errors of the logarithm 2^-56 and 2^-60.
    static constexpr double kLgammaFirst[] = {0.42278433509846713, 0.3224670334241133},
                            kLgammaRest = 4.942915152430645e-18;
    static constexpr double kLgamma[] = {
        -0.06735230105319638,   0.020580808427766308,  -0.007385551028893371,  0.002890510331798303,
        -0.0011927539020705083, 0.0005096694965418544, -0.0002231549630373422, 9.94579222268683e-05,
        -4.492383749724154e-05, 2.05037254389584e-05,  -9.45581193161616e-06,  4.392690007129714e-06,
        -1.975406001029215e-06, 9.018876227648831e-07, -5.800919794811372e-07, 2.957716770531786e-07};
    static constexpr double kStirling[] = {
        0.08333333333333041,   -0.0027777777758442902, 0.0007936503348263719, -0.0005951844816806126,
        0.0008382862328420825, -0.0017891288264319928, 0.0037307899806592803};
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
    /// As above; error 2^-26.
    static constexpr float kHalfExpm1[] = {1.0000019F, 0.6665881F, 0.33437827F, 0.12734182F, 0.059597123F};
    /// (log(1 + f) - f) / f^2 in f, sqrt(1/2) <= 1 + f <= sqrt(2); error 2^-24.
    static constexpr float kLog[] = {-0.49999997F, 0.33333334F,  -0.25000837F, 0.20000911F, -0.16625069F,
                                     0.14211214F,  -0.13147311F, 0.12685896F,  -0.07577612F};
    /// (log(1 + r) - r) / r^2 in r, -1/32 <= r <= 1/16, for sums in double; error of the logarithm 2^-39.
    static constexpr double kShortLog[] = {-0.499999999891511,  0.3333333272118207,  -0.25000038529585183,
                                           0.20001808440410718, -0.1664984461421477, 0.13001428671594994};
    /// As kLongLog of doubles, for sums in double; error 2^-41.
    static constexpr double kLongLog[] = {0.333333321553612, -0.2499999876308068, 0.2000868385343756,
                                          -0.166748080190964};
    /// As above; errors 2^-26, 2^-28 and 2^-31.
    static constexpr float kAtan[] = {-0.33333117F, 0.19989257F, -0.14111866F, 0.098502114F, -0.046156798F};
    static constexpr float kAsin[] = {0.16666742F, 0.07495695F, 0.04542394F, 0.024395505F, 0.041817795F};
    static constexpr float kArtanh[] = {0.3333331F, 0.20002997F, 0.14165808F, 0.12958016F};
    /// erf(x) / x - 1 in x^2 up to kErfNear, and the fourth root of erfc(a) in a from there to kErfOne, from
    /// where on erf is 1; errors of erf 2^-25 and 2^-27.
    static constexpr float kErfNear = 1, kErfOne = 3.92F;
    static constexpr float kErf[] = {0.12837912F,   -0.3761232F,   0.11280123F,
                                     -0.026709752F, 0.0049158055F, -0.00056245556F};
    static constexpr float kErfcRoot[] = {1.0021552F,     -0.2934866F,   -0.093498185F,
                                          -0.017337268F,  0.04373558F,   -0.012727913F,
                                          7.7304296e-04F, 1.779136e-04F, -2.2236392e-05F};
    /// As above for sums in double, all coefficients; error 2^-28.
    static constexpr double kErfc[] = {1.0740069072936016,     -0.8833944852262359, 0.5902283404030408,
                                       -0.3104660593007902,    0.11952849002119344, -0.026839555072781105,
                                       -0.0012237223472133147, 0.00308074705206792, -0.00048741725342690807,
                                       -0.00032805186349114024};
    /// As above for sums in double; errors 2^-29 and 2^-37.
    static constexpr double kLgammaFirst[] = {0.422784334615725, 0.3224670181563303}, kLgammaRest = 0;
    static constexpr double kLgamma[] = {
        -0.06735223237260662,   0.020581621867587725,  -0.0073871543681655605, 0.0028788973441418657,
        -0.0011795943031794424, 0.0005701855750059575, -0.00026633762061413724};
    static constexpr double kStirling[] = {0.0833333285340455, -0.002777004173525236, 0.0007559221238275372};
    /// (sin(r) - r) / r^3 in r^2, |r| <= pi / 2, weighted by r^3 / sin(r); error of the sine 2^-27.
    static constexpr float kSin[] = {-0.1666666F, 0.008333069F, -0.0001980977F, 2.60606e-06F};
    /// As above for sums in double: the first coefficient and the others; error 2^-35.
    static constexpr double kWideSinLeading = -0.16666666624692295;
    static constexpr double kWideSin[] = {0.0083333310599334291, -0.00019840862787020178,
                                          2.7525137118255299e-06, -2.3884932533269881e-08};
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
