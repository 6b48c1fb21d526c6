// Samples of the regular rows of the table, but for those that are marked as without derivative: each
// parameter takes its values in turn by its kind, operands have one shape.
#include <algorithm>

#include "ad/samples.hpp"
#include "tenferro/tensor/operation_methods.hpp"

namespace tenferro::ad {

namespace {

using Apply = TracedTensor (*)(Operands x, Index turn);

Row regular(OpId op, std::size_t operands, Apply apply) {
    const std::pair<Dims, Dims> shapes[] = {{{4}, {1}}, {{4}, {0}}, {{2, 3}, {3, 2}}, {{2, 3, 2}, {1, 0, 2}}};
    Row row{op, {}};
    for (const auto& [shape, other] : shapes)
        for (Index turn = 0; turn < 2 * static_cast<Index>(shape.size()); ++turn)
            row.samples.push_back({std::vector<Operand>(operands, {shape}),
                                   [=](Operands x) { return apply(x, turn); },
                                   std::vector<Dims>(operands, other)});
    return row;
}

bool has_no_derivative(const Row& row) {
    return std::ranges::any_of(marks(), [&](const Mark& mark) { return mark.op == row.op; });
}

}  // namespace

const std::vector<Row>& regular_rows() {
// clang-format off
#define TENFERRO_TURN_Axis turn / 2 % static_cast<Index>(x[0].rank())
#define TENFERRO_TURN_Integer 3 * turn - 5
#define TENFERRO_TURN_Flag turn % 2 == 1
#define TENFERRO_TURN_OF(Kind, name) TENFERRO_TURN_##Kind
#define TENFERRO_TURN(parameter) TENFERRO_TURN_OF parameter
#define TENFERRO_COUNTED(a) 1 +
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters) \
    regular(OpId::Name, TENFERRO_LINES(TENFERRO_COUNTED, operands) 0, [](Operands x, Index turn) { \
        return x[0].apply(tensor_ops::Name{TENFERRO_EACH(TENFERRO_TURN, parameters)}, x); \
    }),
    static const std::vector<Row> rows = [] {
        std::vector<Row> all{TENFERRO_REGULAR_OPS(TENFERRO_ROW)};
        std::erase_if(all, has_no_derivative);
        return all;
    }();
#undef TENFERRO_ROW
    // clang-format on
    return rows;
}

}  // namespace tenferro::ad
