// Elementwise operations and conversions.
#include "ad/samples.hpp"

namespace tenferro::ad {

namespace {

using Unary = TracedTensor (*)(const TracedTensor&);
using Binary = TracedTensor (*)(const TracedTensor&, const TracedTensor&);

Row unary(OpId op, Unary f, Domain domain = kAnywhere) {
    const auto function = [f](Operands x) { return f(x[0]); };
    Row row{op, {}};
    row.samples.push_back({{{{}, domain}}, function});
    row.samples.push_back({{{{3}, domain}}, function, {{5}}});
    row.samples.push_back({{{{2, 3}, domain}}, function, {{4, 0}}});
    row.samples.push_back({{{{0, 2}, domain}}, function, {{1, 2}}});
    return row;
}

Row binary(OpId op, Binary f, Domain a = kAnywhere, Domain b = kAnywhere) {
    const auto function = [f](Operands x) { return f(x[0], x[1]); };
    Row row{op, {}};
    row.samples.push_back({{{{}, a}, {{}, b}}, function});
    row.samples.push_back({{{{2, 3}, a}, {{2, 3}, b}}, function, {{3, 2}, {3, 2}}});
    row.samples.push_back({{{{2, 0}, a}, {{2, 0}, b}}, function, {{1, 1}, {1, 1}}});
    // One operand twice: both of its tangents add up.
    if (a.low == b.low && op != OpId::Maximum && op != OpId::Minimum)
        row.samples.push_back({{{{3}, a}}, [f](Operands x) { return f(x[0], x[0]); }, {{2}}});
    return row;
}

Row sign_row() {
    Row row = unary(OpId::Sign, sign<TracedTensor>);
    row.only_real = true;
    return row;
}

Row selection() {
    const Operand mask{{5}, {}, DType::Bool, {1, 0, 0, 1, 0}};
    return {OpId::Select,
            {{{mask, {{5}}, {{5}}}, [](Operands x) { return select(x[0], x[1], x[2]); }},
             {{{{}, {}, DType::Bool, {1}}, {{}}, {{}}}, [](Operands x) { return select(x[0], x[1], x[2]); }},
             {{mask, {{5}}}, [](Operands x) { return select(x[0], x[1], x[1] * x[1]); }},
             {{{{2, 3}, {1, 2, true}, DType::Bool}, {{2, 3}}, {{2, 3}}},
              [](Operands x) { return select(x[0], x[1], x[2]); },
              {{0, 2}, {0, 2}, {0, 2}}}}};
}

/// Below, between and above the limits, the last pair of which is in the wrong order.
Row clamping() {
    const auto function = [](Operands x) { return clamp(x[0], x[1], x[2]); };
    const Operand low{{5}, {}, {}, {-1, -1, -1, 2, 2}}, x{{5}, {}, {}, {-2, 0.5, 3, 0.25, 5}},
        high{{5}, {}, {}, {1, 1, 1, 1, 1}};
    return {OpId::Clamp,
            {{{low, x, high}, function},
             {{{{2, 2}, {-0.5, -0.25, false}}, {{2, 2}, kAnywhere}, {{2, 2}, {0.25, 0.28, false}}},
              function,
              {{3, 1}, {3, 1}, {3, 1}}},
             {{{{}, {-0.5, -0.25, false}}, {{}, kAnywhere}, {{}, {0.25, 0.28, false}}}, function}}};
}

DType complex_dtype(DType dtype) {
    return dtype == DType::F64 ? DType::C64 : dtype == DType::F32 ? DType::C32 : dtype;
}
DType real_of(DType dtype) {
    return dtype == DType::C64 ? DType::F64 : dtype == DType::C32 ? DType::F32 : dtype;
}

/// In F64 the first samples widen to complex numbers; in C64 they stay.
Row converting() {
    return {OpId::Convert,
            {{{{{2, 3}}}, [](Operands x) { return convert(x[0], complex_dtype(x[0].dtype())); }, {{1, 2}}},
             {{{{}}}, [](Operands x) { return convert(x[0], DType::C64); }},
             {{{{3}}, {{3}}},
              [](Operands x) { return convert(x[0], DType::C64) * convert(x[1], DType::C64); },
              {{2}, {2}}},
             {{{{3}}}, [](Operands x) { return convert(x[0], x[0].dtype()) * x[0]; }, {{0}}}}};
}

Row casting() {
    return {OpId::Cast,
            {{{{{2, 3}}}, [](Operands x) { return cast(x[0], complex_dtype(x[0].dtype())); }, {{1, 2}}},
             {{{{3}}}, [](Operands x) { return cast(x[0] * x[0], real_of(x[0].dtype())); }, {{2}}},
             {{{{}}}, [](Operands x) { return cast(cast(x[0], DType::C64), DType::F64); }},
             {{{{4}}},
              [](Operands x) { return x[0] * cast(cast(cast(x[0], DType::F64), DType::I64), x[0].dtype()); },
              {{2}}}}};
}

}  // namespace

// clang-format off
#define TENFERRO_UNARY(Name, method, ...) unary(OpId::Name, method<TracedTensor> __VA_OPT__(,) __VA_ARGS__)
#define TENFERRO_BINARY(Name, method, ...) binary(OpId::Name, method<TracedTensor> __VA_OPT__(,) __VA_ARGS__)
const std::vector<Row>& elementwise_rows() {
    static const std::vector<Row> rows{
        TENFERRO_UNARY(Neg, neg),
        TENFERRO_UNARY(Abs, abs),
        TENFERRO_UNARY(Conj, conj),
        TENFERRO_UNARY(Exp, exp),
        TENFERRO_UNARY(Expm1, expm1),
        TENFERRO_UNARY(Log, log, kPositive),
        TENFERRO_UNARY(Log1p, log1p, kUnit),
        TENFERRO_UNARY(Sqrt, sqrt, kPositive),
        TENFERRO_UNARY(Rsqrt, rsqrt, kPositive),
        TENFERRO_UNARY(Sin, sin),
        TENFERRO_UNARY(Cos, cos),
        TENFERRO_UNARY(Tan, tan, kUnit),
        TENFERRO_UNARY(Asin, asin, kUnit),
        TENFERRO_UNARY(Acos, acos, kUnit),
        TENFERRO_UNARY(Atan, atan),
        TENFERRO_UNARY(Sinh, sinh),
        TENFERRO_UNARY(Cosh, cosh),
        TENFERRO_UNARY(Tanh, tanh),
        TENFERRO_UNARY(Asinh, asinh),
        TENFERRO_UNARY(Acosh, acosh, kAboveOne),
        TENFERRO_UNARY(Atanh, atanh, kUnit),
        TENFERRO_UNARY(Sigmoid, sigmoid),
        TENFERRO_UNARY(Erf, erf),
        TENFERRO_UNARY(Erfc, erfc),
        TENFERRO_BINARY(Add, add),
        TENFERRO_BINARY(Sub, sub),
        TENFERRO_BINARY(Mul, mul),
        TENFERRO_BINARY(Div, div),
        TENFERRO_BINARY(Rem, rem, {2.25, 2.75, true}, {0.95, 1.05, true}),
        TENFERRO_BINARY(Pow, pow, kPositive, kAnywhere),
        TENFERRO_BINARY(Atan2, atan2),
        TENFERRO_BINARY(Hypot, hypot),
        TENFERRO_BINARY(Maximum, maximum, {0.5, 0.9, true}, {1.0, 1.5, true}),
        TENFERRO_BINARY(Minimum, minimum, {0.5, 0.9, true}, {1.0, 1.5, true}),
        sign_row(),
        selection(),
        clamping(),
        converting(),
        casting(),
    };
    return rows;
}
// clang-format on

}  // namespace tenferro::ad
