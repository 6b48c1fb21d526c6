// Samples of the regular rows of the table, but for those that are marked as without derivative: parameters
// are drawn by their kinds, operands have one shape.
#include <algorithm>

#include "ad/samples.hpp"
#include "support/random_layout.hpp"
#include "support/regular_rows.hpp"

namespace tenferro::ad {

namespace {

using Apply = TracedTensor (*)(Operands x, test::RegularParameters drawn);

Row regular(OpId op, std::size_t operands, std::size_t least_rank, Apply apply) {
    const std::pair<Dims, Dims> shapes[] = {{{4}, {1}}, {{4}, {0}}, {{2, 3}, {3, 2}}, {{2, 3, 2}, {1, 0, 2}}};
    Row row{op, {}};
    for (const auto& [shape, other] : shapes) {
        if (shape.size() < least_rank) continue;
        for (std::uint64_t seed = 0; seed < 3 * shape.size(); ++seed)
            row.samples.push_back(
                {std::vector<Operand>(operands, {shape}),
                 [=](Operands x) {
                     return apply(x, {x[0].rank(), [draw = test::Draw(seed)](Index low, Index high) mutable {
                                          return draw.integer(low, high);
                                      }});
                 },
                 std::vector<Dims>(operands, other)});
    }
    return row;
}

bool has_no_derivative(const Row& row) {
    return std::ranges::any_of(marks(), [&](const Mark& mark) { return mark.op == row.op; });
}

}  // namespace

const std::vector<Row>& regular_rows() {
// clang-format off
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    regular(OpId::Name, tensor_ops::Name::kInputs, TENFERRO_LEAST_RANK(parameters), \
            [](Operands x, test::RegularParameters drawn) { \
                TENFERRO_LINES(TENFERRO_DRAWN, parameters) \
                return x[0].apply(tensor_ops::Name{TENFERRO_EACH(TENFERRO_NAME, parameters)}, x); \
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
