// The methods of regular operations: operands are where the backend computes, the rule of the row accepts
// them, and the function of the row's name, a backend's or one composed of a backend's, fills the result, or
// the view of its name is copied.
#include "tenferro/tensor/shape_rules.hpp"
#include "tensor/operations/checks.hpp"
#include "tensor/operations/copied_view.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

struct Named {
    const TensorRead& view;
    std::string_view name;
};

/// What `rule` makes of operands that a session takes.
BasicTensorMeta<Index> result_of(const BackendSession& s, OpId op, std::initializer_list<Named> operands,
                                 FunctionRef<BasicTensorMeta<Index>()> rule) {
    for (const Named& a : operands)
        check_place(s.backend_info(), a.view, info(op).name, operands.size() == 1 ? "the operand" : a.name);
    BasicTensorMeta<Index> result = rule();
    check_supported(s, op, operands.begin()->view.dtype());
    return result;
}

}  // namespace

// clang-format off
#define TENFERRO_NAMED(a) Named{a, #a}
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    Tensor BackendSession::method##_read(TENFERRO_EACH(TENFERRO_READ, operands) \
                                         TENFERRO_PARAMETERS(parameters)) { \
        const auto result = result_of(*this, OpId::Name, {TENFERRO_EACH(TENFERRO_NAMED, operands)}, [&] { \
            return ShapeRules<Index>::method(TENFERRO_EACH(TENFERRO_SAME, operands) \
                                             TENFERRO_ARGUMENTS(parameters)); \
        }); \
        Tensor out = allocate(#method, result.dtype, result.shape); \
        do_##method(TENFERRO_EACH(TENFERRO_SAME, operands) TENFERRO_ARGUMENTS(parameters), out.write()); \
        return out; \
    } \
    Tensor BackendSession::method(TENFERRO_EACH(TENFERRO_OWNED, operands) TENFERRO_PARAMETERS(parameters)) { \
        return method##_read(TENFERRO_EACH(TENFERRO_SAME, operands) TENFERRO_ARGUMENTS(parameters)); \
    } \
    void BackendSession::method##_into(TENFERRO_EACH(TENFERRO_READ, operands) \
                                       TENFERRO_PARAMETERS(parameters), const TensorWrite& out) { \
        const std::initializer_list<Named> named{TENFERRO_EACH(TENFERRO_NAMED, operands)}; \
        const auto result = result_of(*this, OpId::Name, named, [&] { \
            return ShapeRules<Index>::method(TENFERRO_EACH(TENFERRO_SAME, operands) \
                                             TENFERRO_ARGUMENTS(parameters)); \
        }); \
        check_out(backend_info(), out, result.dtype, result.shape, #method); \
        for (const Named& operand : named) \
            check_no_overlap(operand.view, out, #method, named.size() == 1 ? "the operand" : operand.name); \
        do_##method(TENFERRO_EACH(TENFERRO_SAME, operands) TENFERRO_ARGUMENTS(parameters), out); \
    }
TENFERRO_KERNEL_OPS(TENFERRO_ROW)
TENFERRO_COMPOSED_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    TENFERRO_COPIED_VIEW(Name, method, method##_view, parameters)
TENFERRO_VIEW_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
// clang-format on

}}  // namespace tenferro::TENFERRO_ABI
