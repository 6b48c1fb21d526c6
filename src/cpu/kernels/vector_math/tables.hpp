// Tables that fit into registers of 512 bits: 16 doubles or 32 floats in two of them, 32 doubles in four,
// found by the low bits of an index. Numbers were made with 80 digits, polynomials as those of numbers.hpp.
#pragma once

#include <cstdint>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// 2^(j/16), rounded; what the rounding lost, relative to them; and the bits of the first less j 2^48, to
/// which 2^48 (16 k + j) is added to make 2^(k + j/16).
struct ExpTable {
    // clang-format off
    static constexpr double kPower[16] = {
        0x1p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0, 0x1.306fe0a31b715p+0,
        0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0, 0x1.6a09e667f3bcdp+0,
        0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f09p+0, 0x1.ae89f995ad3adp+0,
        0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};
    static constexpr double kLost[16] = {
        0, 8.189e-17, -2.794e-17, 7.827e-17, 3.348e-17, 3.751e-17, 1.957e-17, 5.686e-17, -6.836e-17,
        -2.359e-17, 5.155e-17, 1.534e-17, 4.875e-17, 1.685e-17, 1.79e-17, -5.545e-17};
    static constexpr std::uint64_t kBits[16] = {
        0x3ff0000000000000, 0x3fefb5586cf9890f, 0x3fef72b83c7d517b, 0x3fef387a6e756238, 0x3fef06fe0a31b715,
        0x3feedea64c123422, 0x3feebfdad5362a27, 0x3feeab07dd485429, 0x3feea09e667f3bcd, 0x3feea11473eb0187,
        0x3feeace5422aa0db, 0x3feec49182a3f090, 0x3feee89f995ad3ad, 0x3fef199bdd85529c, 0x3fef5818dcfba487,
        0x3fefa4afa2a490da};
    static constexpr float kFloatPower[16] = {
        0x1p+0F, 0x1.0b5586p+0F, 0x1.172b84p+0F, 0x1.2387a6p+0F, 0x1.306fep+0F, 0x1.3dea64p+0F,
        0x1.4bfdaep+0F, 0x1.5ab07ep+0F, 0x1.6a09e6p+0F, 0x1.7a1148p+0F, 0x1.8ace54p+0F, 0x1.9c4918p+0F,
        0x1.ae89fap+0F, 0x1.c199bep+0F, 0x1.d5818ep+0F, 0x1.ea4afap+0F};
    // clang-format on
    /// (e^r - 1 - r) / r^2 in r, |r| <= ln(2) / 32; error of e^r 2^-56, for float 2^-29.
    static constexpr double kExp[] = {0.5000000000000004, 0.16666666664373503, 0.04166666666074494,
                                      0.008333472974991665, 0.0013889110177359332};
    /// The same; error of e^r - 1 2^-59.
    static constexpr double kExpm1[] = {0.5000000000000003,   0.16666666666666657,   0.04166666666152864,
                                        0.008333333333646843, 0.0013889098022378408, 0.00019841367487955715};
    static constexpr float kFloatExp[] = {0.500016272F, 0.166670084F};
    /// (2^f - 1) / f in f, |f| <= 1/32; error of 2^f 2^-29.
    static constexpr double kExp2[] = {0.6931471841354601, 0.24023433401371797, 0.0555003118523074};
};

/// Inverses of the middles of the intervals [1 + j/16, 1 + (j + 1)/16), j < 8, and [1/2 + j/32,
/// 1/2 + (j + 1)/32), 8 <= j < 16, and the logarithms of what they are the inverses of. The inverses were
/// chosen near the middles such that these logarithms are multiples of 2^-42 but for 2^-61 (S. Gal, "An
/// accurate elementary mathematical library for the IEEE floating point standard"); next to 1 they are 1 and
/// 0.
template <class T>
struct LogTable;
template <>
struct LogTable<double> {
    static constexpr int kIndexBit = 48;
    // clang-format off
    static constexpr double kInverse[16] = {
        0x1p+0, 0x1.d41d41c492985p-1, 0x1.bacf915b9203fp-1, 0x1.a41a41ae53fbcp-1, 0x1.8f9c18ec45d4dp-1,
        0x1.7d05f40f96a1ep-1, 0x1.6c16c16c1e159p-1, 0x1.5c9882c597e14p-1, 0x1.4e5e0a72f1de2p+0,
        0x1.4141413500542p+0, 0x1.3521cfa6f6e87p+0, 0x1.29e412950fda9p+0, 0x1.1f7047e26b32fp+0,
        0x1.15b1e5ffab1fdp+0, 0x1.0c9714f428d02p+0, 0x1p+0};
    static constexpr double kLog[16] = {
        0x0p+0, 0x1.6f0d293654p-4, 0x1.29552f3a7cp-3, 0x1.9525a99d6cp-3, 0x1.fb91871afep-3,
        0x1.2e8e2bc42dp-2, 0x1.5d1bdbf56cp-2, 0x1.89a33847a6p-2, -0x1.1178e82283p-2, -0x1.d1037ed838p-3,
        -0x1.823c16073ep-3, -0x1.365fcac226p-3, -0x1.da727692bcp-4, -0x1.4d31164d24p-4, -0x1.894aa060d8p-5,
        0x0p+0};
    // clang-format on
    /// (log(1 + r) - r) / r^2 in r, -1/32 <= r <= 1/16; error 2^-56.
    static constexpr double kSeries[] = {-0.5000000000000004,  0.3333333333334799,   -0.24999999999749264,
                                         0.19999999925438913,  -0.16666666326410245, 0.1428582411738006,
                                         -0.12501811357275272, 0.11069037088935658,  -0.08727696841215261};
};
/// Logarithms to the base 2 for powers of floats: those of what kInverse holds the inverses of, plus 1 in the
/// upper half, since the exponents of numbers below 1 are one too small.
struct Log2Table {
    // clang-format off
    static constexpr double kLog[16] = {
        0x0p+0, 0x1.08c5892fc019fp-3, 0x1.acf5e27422e7ap-3, 0x1.24407a8ceb089p-2, 0x1.6e221d0ba9865p-2,
        0x1.b47ebf936ca1p-2, 0x1.f7a8568c92b05p-2, 0x1.1bf311cf159c4p-1, 0x1.3abb3fa9feaeep-1,
        0x1.58482285b68b7p-1, 0x1.74b1fd80f57dfp-1, 0x1.900e6176cb849p-1, 0x1.aa708f47b0c63p-1,
        0x1.c3e9ca17e6824p-1, 0x1.dc899ac904e16p-1, 0x1p+0};
    // clang-format on
    /// log2(1 + r) / r in r, -1/32 <= r <= 1/16; error 2^-34.
    static constexpr double kSeries[] = {1.442695040860286,   -0.7213475127732291, 0.4808985734447002,
                                         -0.3606986628491942, 0.28849000383416895, -0.22253914875442407};
};
/// The same for 32 intervals of half the length, multiples of 2^-16 but for 2^-33.
template <>
struct LogTable<float> {
    static constexpr int kIndexBit = 18;
    // clang-format off
    static constexpr float kInverse[32] = {
        0x1p+0F, 0x1.e95c0ep-1F, 0x1.dc87d8p-1F, 0x1.cd6956p-1F, 0x1.bfdef4p-1F, 0x1.b2f40cp-1F,
        0x1.aa8c0cp-1F, 0x1.9df0f2p-1F, 0x1.937edcp-1F, 0x1.8891ecp-1F, 0x1.818612p-1F, 0x1.788a96p-1F,
        0x1.6f4d84p-1F, 0x1.6639aep-1F, 0x1.5f2c6p-1F, 0x1.57792p-1F, 0x1.536b56p+0F, 0x1.49b86p+0F,
        0x1.44e7dcp+0F, 0x1.3e23f8p+0F, 0x1.39973cp+0F, 0x1.338c8p+0F, 0x1.2b4c84p+0F, 0x1.25c2c6p+0F,
        0x1.205464p+0F, 0x1.1e1064p+0F, 0x1.174568p+0F, 0x1.13ad34p+0F, 0x1.0e8d04p+0F, 0x1.0b1f1cp+0F,
        0x1.048f46p+0F, 0x1p+0F};
    static constexpr float kLog[32] = {
        0x0p+0F, 0x1.728p-5F, 0x1.261p-4F, 0x1.aa2p-4F, 0x1.121p-3F, 0x1.4ep-3F, 0x1.75f8p-3F, 0x1.b368p-3F,
        0x1.e7cp-3F, 0x1.0ffcp-2F, 0x1.2288p-2F, 0x1.3aacp-2F, 0x1.541cp-2F, 0x1.6dbcp-2F, 0x1.8218p-2F,
        0x1.98ccp-2F, -0x1.20d4p-2F, -0x1.0324p-2F, -0x1.e828p-3F, -0x1.bd1p-3F, -0x1.9f9p-3F,
        -0x1.77b8p-3F, -0x1.4008p-3F, -0x1.19c8p-3F, -0x1.e72p-4F, -0x1.c6dp-4F, -0x1.646p-4F, -0x1.2f5p-4F,
        -0x1.c4ep-5F, -0x1.5c6p-5F, -0x1.214p-6F, 0x0p+0F};
    // clang-format on
    /// As for doubles, -1/64 <= r <= 1/32; error 2^-27.
    static constexpr float kSeries[] = {-0.500001311F, 0.333363116F, -0.243750751F};
};

/// Inverses of j/32 for 24 <= j <= 48, at j modulo 32; the logarithms of what the rounded inverses are the
/// inverses of, to 2^-42; and what that lost.
struct LongLogTable {
    // clang-format off
    static constexpr double kInverse[32] = {
        1, 0x1.f07c1f07c1f08p-1, 0x1.e1e1e1e1e1e1ep-1, 0x1.d41d41d41d41dp-1, 0x1.c71c71c71c71cp-1,
        0x1.bacf914c1badp-1, 0x1.af286bca1af28p-1, 0x1.a41a41a41a41ap-1, 0x1.999999999999ap-1,
        0x1.8f9c18f9c18fap-1, 0x1.8618618618618p-1, 0x1.7d05f417d05f4p-1, 0x1.745d1745d1746p-1,
        0x1.6c16c16c16c17p-1, 0x1.642c8590b2164p-1, 0x1.5c9882b931057p-1, 0x1.5555555555555p-1, 1, 1, 1, 1,
        1, 1, 1, 0x1.5555555555555p+0, 0x1.47ae147ae147bp+0, 0x1.3b13b13b13b14p+0, 0x1.2f684bda12f68p+0,
        0x1.2492492492492p+0, 0x1.1a7b9611a7b96p+0, 0x1.1111111111111p+0, 0x1.0842108421084p+0};
    static constexpr double kLog[32] = {
        0, 0x1.f829b0e78p-6, 0x1.f0a30c0118p-5, 0x1.6f0d28ae58p-4, 0x1.e27076e2bp-4, 0x1.29552f82p-3,
        0x1.5ff3070a7ap-3, 0x1.9525a9cf46p-3, 0x1.c8ff7c79aap-3, 0x1.fb9186d5e4p-3, 0x1.1675cababap-2,
        0x1.2e8e2bae12p-2, 0x1.4618bc21c6p-2, 0x1.5d1bdbf581p-2, 0x1.739d7f6bbdp-2, 0x1.89a3386c14p-2,
        0x1.9f323ecbfap-2, 0, 0, 0, 0, 0, 0, 0, -0x1.269621134ep-2, -0x1.f991c6cb3cp-3, -0x1.a93ed3c8aep-3,
        -0x1.5bf406b544p-3, -0x1.1178e8227ep-3, -0x1.9335e5d594p-4, -0x1.08598b59e4p-4, -0x1.0415d89e78p-5};
    static constexpr double kRest[32] = {
        0, 0x1.97c267c7e09e4p-45, -0x1.d579e83368e91p-45, -0x1.4b2241b664613p-44, -0x1.a2c2c2af0003cp-45,
        -0x1.5bd67f4471dfcp-44, -0x1.8546f183bebf2p-44, -0x1.294937d9f158fp-44, -0x1.7814f689f8434p-45,
        -0x1.d6b2aab993c87p-47, 0x1.83c0e731f55c4p-44, -0x1.6791e99b72bd8p-45, -0x1.3e02f484c84ccp-46,
        -0x1.8d97dc9c7c238p-44, 0x1.c7389314feb5p-52, 0x1.2d92d38c40882p-45, -0x1.ecc3525ca2643p-44, 0, 0,
        0, 0, 0, 0, 0, 0x1.1ba1f10522625p-44, 0x1.90b84cd7cc834p-44, 0x1.86a4350562169p-45,
        0x1.28023eb68981cp-46, -0x1.1e778ce2d07f2p-45, -0x1.30f5c3abd47dap-45, 0x1.7e9dd7009902cp-46,
        0x1.ddfc7f461c516p-44};
    // clang-format on
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
