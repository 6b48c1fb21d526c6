// The pair algebras: semirings without vector forms, which the compiler turns into vectors where it can.
#include "tenferro_ext_tropical/pairs.hpp"

#include <algorithm>
#include <cmath>

#include <tenferro/api/engine.hpp>
#include <tenferro/cpu/contraction/highway_targets.hpp>

#include "problem.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <tenferro/cpu/contraction/kernels-inl.hpp>

HWY_BEFORE_NAMESPACE();
namespace tropical::HWY_NAMESPACE {

template <class E>
struct PairAlgebra;

template <>
struct PairAlgebra<Counted> {
    using Element = Counted;
    static Element zero() { return {}; }
    static Element accumulator_identity() { return {}; }
    static HWY_INLINE Element plus(Element x, Element y) {
        // Without branches, of which optima would decide.
        const double value = x.value > y.value || x.value != x.value ? x.value : y.value;
        return {value, (x.value == value ? x.count : 0) + (y.value == value ? y.count : 0)};
    }
    static HWY_INLINE Element mac(Element c, Element a, Element b) {
        return plus(c, {a.value + b.value, a.count * b.count});
    }
};

template <class T, std::size_t k>
struct PairAlgebra<Best<T, k>> {
    using Element = Best<T, k>;
    static Element zero() { return {}; }
    static Element accumulator_identity() { return {}; }
    /// Both in descending order, so is the merge.
    static HWY_INLINE Element plus(const Element& x, const Element& y) {
        Element merged;
        std::size_t i = 0, j = 0;
        for (T& value : merged.values) value = x.values[i] >= y.values[j] ? x.values[i++] : y.values[j++];
        return merged;
    }
    static HWY_INLINE Element mac(const Element& c, const Element& a, const Element& b) {
        Element total = c;
        for (std::size_t i = 0; i < k; ++i) {
            // Term j of row i is beaten by (i + 1)(j + 1) - 1 others.
            Element row;
            for (std::size_t j = 0; j < k / (i + 1); ++j) row.values[j] = a.values[i] + b.values[j];
            total = plus(total, row);
        }
        return total;
    }
};

template <>
struct PairAlgebra<LogSumExp> {
    using Element = LogSumExp;
    static Element zero() { return {}; }
    static Element accumulator_identity() { return {}; }
    static HWY_INLINE Element plus(Element x, Element y) {
        const double high = std::max(x.value, y.value), low = std::min(x.value, y.value);
        if (x.value != x.value || y.value != y.value) return {x.value + y.value};
        return {low == -HUGE_VAL || high == HUGE_VAL ? high : high + std::log1p(std::exp(low - high))};
    }
    static HWY_INLINE Element mac(Element c, Element a, Element b) { return plus(c, {a.value + b.value}); }
};

template <class E>
const tenferro::cpu::KernelTable& pair_table() {
    return tenferro::cpu::HWY_NAMESPACE::semiring_kernels<PairAlgebra<E>>();
}
const tenferro::cpu::KernelTable& counted() { return pair_table<Counted>(); }
const tenferro::cpu::KernelTable& best_two() { return pair_table<Best<double, 2>>(); }
const tenferro::cpu::KernelTable& best_four() { return pair_table<Best<float, 4>>(); }
const tenferro::cpu::KernelTable& log_sum_exp() { return pair_table<LogSumExp>(); }

}  // namespace tropical::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tropical {

HWY_EXPORT(counted);
HWY_EXPORT(best_two);
HWY_EXPORT(best_four);
HWY_EXPORT(log_sum_exp);

namespace {

template <class E>
const cpu::KernelTable& table_of() {
    if constexpr (std::is_same_v<E, Counted>)
        return HWY_DYNAMIC_DISPATCH(counted)();
    else if constexpr (std::is_same_v<E, Best<double, 2>>)
        return HWY_DYNAMIC_DISPATCH(best_two)();
    else if constexpr (std::is_same_v<E, Best<float, 4>>)
        return HWY_DYNAMIC_DISPATCH(best_four)();
    else
        return HWY_DYNAMIC_DISPATCH(log_sum_exp)();
}

template <class E>
E one_element() {
    E one;
    if constexpr (std::is_same_v<E, Counted>)
        one = {0, 1};
    else if constexpr (std::is_same_v<E, LogSumExp>)
        one = {0};
    else
        one.values[0] = 0;
    return one;
}

}  // namespace

template <class E>
Tensor einsum(std::string_view subscripts, std::span<const TensorRead> operands,
              const tensor_network::RunOptions& options) {
    if (operands.empty()) throw Error(ErrorKind::InvalidArgument, "tropical einsum", "there are no operands");
    Engine& engine = default_engine();
    const auto plan = engine.plans().get(subscripts, tensor_network::Dialect::Strict, operands, options);
    return engine.backend().with_backend_session([&](BackendSession& session) {
        AlgebraExecutor executor(table_of<E>(), ElementTensor(E()), ElementTensor(one_element<E>()), session);
        return run_plan(*plan, executor, operands, options);
    });
}
template Tensor einsum<Counted>(std::string_view, std::span<const TensorRead>,
                                const tensor_network::RunOptions&);
template Tensor einsum<Best<double, 2>>(std::string_view, std::span<const TensorRead>,
                                        const tensor_network::RunOptions&);
template Tensor einsum<Best<float, 4>>(std::string_view, std::span<const TensorRead>,
                                       const tensor_network::RunOptions&);
template Tensor einsum<LogSumExp>(std::string_view, std::span<const TensorRead>,
                                  const tensor_network::RunOptions&);

}  // namespace tropical
#endif
