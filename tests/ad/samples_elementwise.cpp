// Elementwise operations and conversions. A row of the table that has no mark needs nothing here unless it is
// not smooth everywhere.
#include <algorithm>

#include "ad/samples.hpp"

namespace tenferro::ad {

namespace {

using Unary = TracedTensor (*)(const TracedTensor&);
using Binary = TracedTensor (*)(const TracedTensor&, const TracedTensor&);

/// Where operands are drawn; an operation that is not here is smooth anywhere.
struct Smooth {
    OpId op;
    Domain a = kAnywhere, b = kAnywhere;
};
constexpr Domain kBelowOne{0.5, 0.9, true}, kFromOne{1.0, 1.5, true};
constexpr Smooth kSmooth[] = {
    {OpId::Log, kPositive},
    {OpId::Log1p, kUnit},
    {OpId::Sqrt, kPositive},
    {OpId::Rsqrt, kPositive},
    {OpId::Tan, kUnit},
    {OpId::Asin, kUnit},
    {OpId::Acos, kUnit},
    {OpId::Acosh, kAboveOne},
    {OpId::Atanh, kUnit},
    {OpId::Rem, {2.25, 2.75, true}, {0.95, 1.05, true}},
    {OpId::Pow, kPositive, kAnywhere},
    {OpId::Maximum, kBelowOne, kFromOne},
    {OpId::Minimum, kBelowOne, kFromOne},
};

Smooth smooth(OpId op) {
    for (const Smooth& exception : kSmooth)
        if (exception.op == op) return exception;
    return {op};
}

bool is_marked(OpId op) {
    return std::any_of(marks().begin(), marks().end(), [&](const Mark& mark) { return mark.op == op; });
}

Row unary(OpId op, Unary f) {
    const auto function = [f](Operands x) { return f(x[0]); };
    const Domain domain = smooth(op).a;
    Row row{op, {}};
    row.samples.push_back({{{{}, domain}}, function});
    row.samples.push_back({{{{3}, domain}}, function, {{5}}});
    row.samples.push_back({{{{2, 3}, domain}}, function, {{4, 0}}});
    row.samples.push_back({{{{0, 2}, domain}}, function, {{1, 2}}});
    return row;
}

Row binary(OpId op, Binary f) {
    const auto function = [f](Operands x) { return f(x[0], x[1]); };
    const auto [_, a, b] = smooth(op);
    Row row{op, {}};
    row.samples.push_back({{{{}, a}, {{}, b}}, function});
    row.samples.push_back({{{{2, 3}, a}, {{2, 3}, b}}, function, {{3, 2}, {3, 2}}});
    row.samples.push_back({{{{2, 0}, a}, {{2, 0}, b}}, function, {{1, 1}, {1, 1}}});
    // One operand twice: both of its tangents add up. Not where operands may not be equal.
    if (a.low == b.low) row.samples.push_back({{{{3}, a}}, [f](Operands x) { return f(x[0], x[0]); }, {{2}}});
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
             {{{{3}}}, [](Operands x) { return cast(x[0] * x[0], real_dtype(x[0].dtype())); }, {{2}}},
             {{{{}}}, [](Operands x) { return cast(cast(x[0], DType::C64), DType::F64); }},
             {{{{4}}},
              [](Operands x) { return x[0] * cast(cast(cast(x[0], DType::F64), DType::I64), x[0].dtype()); },
              {{2}}}}};
}

}  // namespace

const std::vector<Row>& elementwise_rows() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> all{selection(), clamping(), converting(), casting()};
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) \
    if (!is_marked(OpId::Name)) all.push_back(unary(OpId::Name, method<TracedTensor>));
        TENFERRO_UNARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) \
    if (!is_marked(OpId::Name)) all.push_back(binary(OpId::Name, method<TracedTensor>));
        TENFERRO_BINARY_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
        return all;
    }();
    return rows;
}

}  // namespace tenferro::ad
