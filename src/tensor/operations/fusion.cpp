// The two forms of a fusion plan's execution: check the operands, allocate, call the backend.
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

constexpr std::string_view kOp = "elementwise_fusion";

[[noreturn]] void throw_misfit(const BackendSession& s, const ElementwiseFusionPlan& plan,
                               std::span<const TensorRead> inputs, std::size_t i) {
    const std::string name = text("input ", i);
    check_place(s.backend_info(), inputs[i], kOp, name);
    check_same_shape(inputs[0].shape(), inputs[i].shape(), kOp, "input 0", name);
    throw Error(ErrorKind::DTypeMismatch, kOp,
                text(name, " has dtype ", info(inputs[i].dtype()).name, " but the plan takes ",
                     info(plan.inputs()[i]).name));
}

void check_inputs(const BackendSession& s, const ElementwiseFusionPlan& plan,
                  std::span<const TensorRead> inputs) {
    if (inputs.size() != plan.inputs().size() || inputs.empty())
        throw Error(
            ErrorKind::InvalidArgument, kOp,
            text(inputs.size(), " inputs, but the plan takes ", plan.inputs().size(), ", at least one"));
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i].dtype() != plan.inputs()[i] || inputs[i].shape() != inputs[0].shape() ||
            inputs[i].placement() != s.backend_info().placement) [[unlikely]]
            throw_misfit(s, plan, inputs, i);
}

/// Whether each element of `out` is the memory of that element of `a`.
bool is_exactly(const TensorRead& a, const TensorWrite& out) {
    if (a.data() != out.data() || info(a.dtype()).bytes != info(out.dtype()).bytes) return false;
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        if (a.strides()[axis] != out.strides()[axis] && a.shape()[axis] != 1) return false;
    return true;
}

/// `outs` overlap neither each other nor an input, unless one is exactly that input (InvalidArgument).
void check_overlaps(std::span<const TensorRead> inputs, std::span<const TensorWrite> outs) {
    SmallVector<ByteRange, 16> read, written;
    for (const TensorRead& input : inputs) read.push_back(reach(input));
    for (std::size_t k = 0; k < outs.size(); ++k) {
        written.push_back(reach(outs[k]));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (overlap(read[i], written[k]) && !is_exactly(inputs[i], outs[k]))
                throw Error(ErrorKind::InvalidArgument, kOp,
                            text("out ", k, " overlaps the memory of input ", i));
        for (std::size_t i = 0; i < k; ++i)
            if (overlap(written[i], written[k]))
                throw Error(ErrorKind::InvalidArgument, kOp,
                            text("out ", k, " overlaps the memory of out ", i));
    }
}

}  // namespace

std::optional<std::vector<Tensor>> BackendSession::execute_elementwise_fusion(
    const ElementwiseFusionPlan& plan, std::span<const TensorRead> inputs) try {
    check_inputs(*this, plan, inputs);
    std::vector<Tensor> results;
    std::vector<TensorWrite> outs;
    results.reserve(plan.outputs().size());
    for (const std::uint16_t value : plan.outputs()) {
        results.push_back(allocate(kOp, plan.dtype(value), inputs[0].shape()));
        outs.push_back(results.back().write());
    }
    if (!do_elementwise_fusion(plan, inputs, outs)) return std::nullopt;
    return results;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kOp);
}

bool BackendSession::execute_elementwise_fusion_into(const ElementwiseFusionPlan& plan,
                                                     std::span<const TensorRead> inputs,
                                                     std::span<const TensorWrite> outs) try {
    check_inputs(*this, plan, inputs);
    if (outs.size() != plan.outputs().size())
        throw Error(ErrorKind::InvalidArgument, kOp,
                    text(outs.size(), " outs, but the plan has ", plan.outputs().size(), " outputs"));
    for (std::size_t k = 0; k < outs.size(); ++k)
        check_out(backend_info(), outs[k], plan.dtype(plan.outputs()[k]), inputs[0].shape(), kOp);
    check_overlaps(inputs, outs);
    return do_elementwise_fusion(plan, inputs, outs);
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kOp);
}

}}  // namespace tenferro::TENFERRO_ABI
