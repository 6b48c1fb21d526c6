// The execution of a plan on small matrices: check the operands, call the backend.
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

bool BackendSession::execute_matrix_plan_into(const MatrixPlan& plan, std::span<const TensorRead> inputs,
                                              std::span<const TensorWrite> outs) try {
    constexpr std::string_view kPlan = "matrix_plan";
    if (inputs.size() != plan.inputs().size() || outs.size() != plan.outputs().size())
        throw Error(ErrorKind::InvalidArgument, kPlan,
                    text(inputs.size(), " inputs and ", outs.size(), " outs, but the plan has ",
                         plan.inputs().size(), " and ", plan.outputs().size()));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const MatrixPlan::Value value = plan.inputs()[i];
        if (inputs[i].dtype() != plan.dtype(value)) [[unlikely]]
            throw Error(ErrorKind::DTypeMismatch, kPlan,
                        text("input ", i, " has dtype ", info(inputs[i].dtype()).name, " but the plan takes ",
                             info(plan.dtype(value)).name));
        if (const Dims& shape = plan.shape(value); inputs[i].shape() != shape) [[unlikely]]
            check_same_shape(inputs[i].shape(), shape, kPlan, text("input ", i), "the plan's");
        check_place(backend_info(), inputs[i], kPlan, "an input");
    }
    for (std::size_t k = 0; k < outs.size(); ++k) {
        check_out(backend_info(), outs[k], plan.dtype(), plan.shape(plan.outputs()[k]), kPlan);
        for (const TensorRead& input : inputs) check_no_overlap(input, outs[k], kPlan, "an input");
    }
    return do_matrix_plan(plan, inputs, outs);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("matrix_plan");
}

}}  // namespace tenferro::TENFERRO_ABI
