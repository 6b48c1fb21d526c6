// Operations with index operands, all in bounds: elsewhere nothing is promised of derivatives.
#include "ad/samples.hpp"

namespace tenferro::ad {

namespace {

using X = Operands;

/// Columns 3, 1 and again 3 of a matrix.
const GatherConfig kColumns{{0}, {1}, {1}, 1, {3, 1}};
/// Windows of 2 x 2 that overlap, the index vectors in axis 0.
const GatherConfig kWindows{{0, 2}, {}, {1, 0}, 0, {2, 2}};
/// Single elements as a list.
const GatherConfig kElements{{}, {0, 1}, {0, 1}, 1, {1, 1}};

ScatterConfig written(const GatherConfig& config) {
    return {config.offset_dims, config.collapsed_slice_dims, config.start_index_map, config.index_vector_dim};
}

Row gathering() {
    return {OpId::Gather,
            {{{{{3, 4}}, indices({3}, {3, 1, 3})},
              [](X x) { return gather(x[0], x[1], kColumns); },
              {{3, 5}, {3}}},
             {{{{4, 3}}, indices({2, 3}, {1, 0, 0, 1, 1, 2})},
              [](X x) { return gather(x[0], x[1], kWindows); },
              {{5, 3}, {2, 3}}},
             {{{{2, 3}}, indices({4, 2}, {0, 1, 1, 1, 2, 0, 2, 2})},
              [](X x) { return gather(x[0], x[1], kElements); }},
             {{{{3, 4}}, indices({0}, {})}, [](X x) { return gather(x[0], x[1], kColumns); }},
             {{{{4}}, indices({1}, {2})},
              [](X x) {
                  return gather(x[0], x[1], {{}, {0}, {0}, 0, {1}});
              },
              {{3}, {1}}}}};
}

/// `distinct` windows as well as overlapping ones: scatter keeps the last.
Row scattering(OpId op) {
    const auto with = [op](const GatherConfig& config) {
        return [op, config](X x) {
            return x[0].apply(tensor_ops::Scatter(op, written(config)), {x[0], x[1], x[2]});
        };
    };
    return {op,
            {{{{{3, 4}}, indices({2}, {3, 1}), {{3, 2}}}, with(kColumns), {{3, 5}, {2}, {3, 2}}},
             {{{{3, 4}}, indices({3}, {3, 1, 3}), {{3, 3}}}, with(kColumns)},
             {{{{4, 3}}, indices({2, 3}, {1, 0, 0, 1, 1, 2}), {{2, 3, 2}}},
              with(kWindows),
              {{4, 4}, {2, 3}, {2, 3, 2}}},
             {{{{2, 3}}, indices({4, 2}, {0, 1, 1, 1, 2, 0, 2, 2}), {{4}}}, with(kElements)},
             {{{{3, 4}}, indices({0}, {}), {{3, 0}}}, with(kColumns)},
             {{{{4}}, indices({1}, {2}), {{}}}, with({{}, {0}, {0}, 0, {1}})}}};
}

Row dynamic_slicing() {
    return {OpId::DynamicSlice,
            {{{{{5}}, indices({1}, {2})}, [](X x) { return dynamic_slice(x[0], x[1], {2}); }, {{4}, {1}}},
             {{{{4, 3}}, indices({2}, {1, 2})},
              [](X x) {
                  return dynamic_slice(x[0], x[1], {2, 1});
              },
              {{6, 3}, {2}}},
             {{{{4, 3}}, indices({2}, {9, -5})},
              [](X x) {
                  return dynamic_slice(x[0], x[1], {2, 2});
              }},  // clamped
             {{{{}}, indices({0}, {})}, [](X x) { return dynamic_slice(x[0], x[1], {}); }}}};
}

Row dynamic_updating() {
    const auto f = [](X x) { return dynamic_update_slice(x[0], x[1], x[2]); };
    return {OpId::DynamicUpdateSlice,
            {{{{{5}}, {{2}}, indices({1}, {2})}, f, {{4}, {0}, {1}}},
             {{{{4, 3}}, {{2, 1}}, indices({2}, {1, 2})}, f, {{3, 3}, {2, 1}, {2}}},
             {{{{4, 3}}, {{2, 2}}, indices({2}, {9, -5})}, f},
             {{{{}}, {{}}, indices({0}, {})}, f}}};
}

}  // namespace

const std::vector<Row>& indexing_rows() {
    static const std::vector<Row> rows{gathering(), scattering(OpId::Scatter), scattering(OpId::ScatterAdd),
                                       dynamic_slicing(), dynamic_updating()};
    return rows;
}

}  // namespace tenferro::ad
