// dot_general: axes in any order and role, on both sides, of any extent.
#include "ad/samples.hpp"

namespace tenferro::ad {

namespace {

Sample contraction(Dims lhs, Dims rhs, DotGeneralConfig config, std::vector<Dims> other_shapes = {}) {
    return {{{std::move(lhs)}, {std::move(rhs)}},
            [config](Operands x) {
                const StdTensorOp op = tensor_ops::DotGeneral(config, Dims());
                return x[0].apply(op, {x[0], x[1]});
            },
            std::move(other_shapes)};
}

/// With the axes of the result in another order, as rules and the compiler make them.
Sample placed(Dims lhs, Dims rhs, DotGeneralConfig config, Dims result_axes,
              std::vector<Dims> other_shapes = {}) {
    const StdTensorOp op = tensor_ops::DotGeneral(std::move(config), std::move(result_axes));
    return {{{std::move(lhs)}, {std::move(rhs)}},
            [op](Operands x) {
                return x[0].apply(op, {x[0], x[1]});
            },
            std::move(other_shapes)};
}

}  // namespace

const std::vector<Row>& contraction_rows() {
    static const std::vector<Row> rows{
        {OpId::DotGeneral,
         {contraction({}, {}, {}),
          contraction({3}, {}, {}),
          contraction({2}, {3}, {}, {{1}, {0}}),
          contraction({3}, {3}, {{0}, {0}, {}, {}}, {{0}, {0}}),
          contraction({2, 3}, {3, 4}, {{1}, {0}, {}, {}}, {{1, 2}, {2, 1}}),
          contraction({3, 2}, {4, 3}, {{0}, {1}, {}, {}}, {{2, 0}, {3, 2}}),
          contraction({2, 3, 4}, {4, 3, 5}, {{1, 2}, {1, 0}, {}, {}}),
          contraction({2, 3, 4}, {4, 3, 5}, {{2, 1}, {0, 1}, {}, {}}, {{1, 2, 3}, {3, 2, 1}}),
          contraction({2, 3, 4}, {3, 4, 2}, {{2, 0, 1}, {1, 2, 0}, {}, {}}),
          contraction({2, 3, 4}, {3, 5, 4}, {{1}, {0}, {2}, {2}}, {{1, 2, 0}, {2, 2, 0}}),
          contraction({4, 2, 3}, {5, 4, 3}, {{2}, {2}, {0}, {1}}, {{2, 3, 1}, {1, 2, 1}}),
          contraction({2, 3}, {2, 3}, {{}, {}, {1, 0}, {1, 0}}),
          contraction({3, 2, 2, 4}, {4, 2, 5, 3}, {{3}, {0}, {1, 0}, {1, 3}}),
          contraction({2, 1, 3}, {3, 0, 1}, {{1}, {2}, {}, {}}),
          {{{{3, 3}}}, [](Operands x) { return matmul(x[0], x[0]); }, {{2, 2}}},
          {{{{2, 3}}, {{3, 2}}},
           [](Operands x) {
               return matmul(transpose(matmul(x[0], x[1]), {1, 0}), conj(transpose(x[1], {1, 0})));
           },
           {{1, 2}, {2, 1}}},
          placed({2, 3}, {3, 2}, {{1}, {0}, {}, {}}, {1, 0}, {{1, 2}, {2, 0}}),
          placed({2, 3, 4, 2}, {3, 5, 2}, {{1}, {0}, {3}, {2}}, {2, 0, 3, 1})}}};
    return rows;
}

}  // namespace tenferro::ad
