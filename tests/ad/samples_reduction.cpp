// Reductions.
#include "ad/samples.hpp"

namespace tenferro::ad {

namespace {

Row reduction(OpId op, TracedTensor (*f)(const TracedTensor&, Dims), Domain domain) {
    const auto over = [f](Dims axes) { return [f, axes](Operands x) { return f(x[0], axes); }; };
    // A reduction of nothing is infinite for extremes, of which no difference can be taken.
    const Index none = op == OpId::ReduceMax || op == OpId::ReduceMin ? 1 : 0;
    return {op,
            {{{{{}, domain}}, over({})},
             {{{{1}, domain}}, over({0})},
             {{{{4}, domain}}, over({0}), {{3}}},
             {{{{7}, domain}}, over({0}), {{none}}},
             {{{{2, 3}, domain}}, over({}), {{1, 2}}},
             {{{{3, 4}, domain}}, over({1}), {{2, none}}},
             {{{{3, 2, 2}, domain}}, over({2, 0}), {{1, 3, 2}}},
             {{{{2, 3}, domain}}, over({1, 0}), {{none, 2}}},
             {{{{none, 3}, domain}}, over({0}), {{none, 2}}},
             {{{{0, 3}, domain}}, over({1}), {{2, 2}}}}};
}

}  // namespace

const std::vector<Row>& reduction_rows() {
    static const std::vector<Row> rows{
        reduction(OpId::ReduceSum, reduce_sum<TracedTensor>, kAnywhere),
        reduction(OpId::ReduceProd, reduce_prod<TracedTensor>, kAnywhere),
        reduction(OpId::ReduceMax, reduce_max<TracedTensor>, kDistinct),
        reduction(OpId::ReduceMin, reduce_min<TracedTensor>, kDistinct),
    };
    return rows;
}

}  // namespace tenferro::ad
