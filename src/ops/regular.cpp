// What the structs of regular rows infer and run: the rule and the method of the row.
#include "ops/infer.hpp"
#include "tenferro/ops/operations.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

/// The operands as a tuple of references.
template <std::size_t kCount, class T>
auto first_of(std::span<const T> operands) {
    return [&]<std::size_t... i>(std::index_sequence<i...>) { return std::tie(operands[i]...); }
    (std::make_index_sequence<kCount>());
}

}  // namespace

#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters)                                 \
    TensorMeta Name::infer_one(std::span<const TensorMeta> in) const {                                    \
        return std::apply(                                                                                \
            [&](const auto&... a) { return SymbolicRules::method(a... TENFERRO_ARGUMENTS(parameters)); }, \
            first_of<kInputs>(in));                                                                       \
    }                                                                                                     \
    Tensor Name::run(BackendSession& session, std::span<const TensorRead> in) const {                     \
        return std::apply(                                                                                \
            [&](const auto&... a) { return session.method##_read(a... TENFERRO_ARGUMENTS(parameters)); }, \
            first_of<kInputs>(in));                                                                       \
    }
TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
