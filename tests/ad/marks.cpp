// The operations without derivative.
#include "ad/samples.hpp"

namespace tenferro::ad {

const std::vector<Mark>& marks() {
    using X = const TracedTensor&;
    static const std::vector<Mark> all{
        {OpId::Equal, NoDerivative::Inactive, [](X x) { return equal(x, x); }},
        {OpId::NotEqual, NoDerivative::Inactive, [](X x) { return not_equal(x, x); }},
        {OpId::Less, NoDerivative::Inactive, [](X x) { return less(x, x); }},
        {OpId::LessEqual, NoDerivative::Inactive, [](X x) { return less_equal(x, x); }},
        {OpId::Greater, NoDerivative::Inactive, [](X x) { return greater(x, x); }},
        {OpId::GreaterEqual, NoDerivative::Inactive, [](X x) { return greater_equal(x, x); }},
        {OpId::StopGradient, NoDerivative::Inactive, [](X x) { return stop_gradient(x); }},
        {OpId::Floor, NoDerivative::Inactive, [](X x) { return floor(x); }},
        {OpId::Ceil, NoDerivative::Inactive, [](X x) { return ceil(x); }},
        {OpId::Trunc, NoDerivative::Inactive, [](X x) { return trunc(x); }},
        {OpId::Round, NoDerivative::Inactive, [](X x) { return round(x); }},
        {OpId::ReduceAny, NoDerivative::Inactive, [](X x) { return reduce_any(less(x, x)); }},
        {OpId::ReduceAll, NoDerivative::Inactive, [](X x) { return reduce_all(less(x, x)); }},
        {OpId::Argmax, NoDerivative::Inactive, [](X x) { return argmax(x, 1); }},
        {OpId::Argmin, NoDerivative::Inactive, [](X x) { return argmin(x, 0); }},
        {OpId::Sort, NoDerivative::Unsupported, [](X x) { return sort(x, 1); }},
        {OpId::Lgamma, NoDerivative::Unsupported, [](X x) { return lgamma(x); }},
        {OpId::ToContiguous, NoDerivative::NotInGraph, nullptr},
    };
    return all;
}

}  // namespace tenferro::ad
