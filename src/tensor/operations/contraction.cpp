// dot_general: the axes and extents are checked by dot_general_shape, the memory here.
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

Dims contract_shape(const BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                    const DotGeneralConfig& config) {
    check_same_dtype(lhs, rhs, "dot_general");
    check_operand(s, OpId::DotGeneral, lhs, "lhs");
    check_place(s.backend_info(), rhs, "dot_general", "rhs");
    Dims shape = dot_general_shape(lhs.shape(), rhs.shape(), config);
    (void)element_count(shape, "dot_general");
    return shape;
}

}  // namespace

void BackendSession::dot_general_into(const TensorRead& lhs, const TensorRead& rhs,
                                      const DotGeneralConfig& config, const TensorWrite& out) {
    check_out(backend_info(), out, lhs.dtype(), contract_shape(*this, lhs, rhs, config), "dot_general");
    check_no_overlap(lhs, out, "dot_general", "lhs");
    check_no_overlap(rhs, out, "dot_general", "rhs");
    do_dot_general(lhs, rhs, config, out);
}

Tensor BackendSession::dot_general_read(const TensorRead& lhs, const TensorRead& rhs,
                                        const DotGeneralConfig& config) {
    Tensor out = allocate("dot_general", lhs.dtype(), contract_shape(*this, lhs, rhs, config));
    do_dot_general(lhs, rhs, config, out.write());
    return out;
}

Tensor BackendSession::dot_general_permuted_read(const TensorRead& lhs, const TensorRead& rhs,
                                                 const DotGeneralConfig& config, DimsView result_axes) {
    const Dims natural = contract_shape(*this, lhs, rhs, config);
    bool identity = result_axes.empty() || result_axes.size() == natural.size();
    for (std::size_t i = 0; i < result_axes.size() && identity; ++i)
        identity = result_axes[i] == static_cast<Index>(i);
    if (identity) {
        Tensor out = allocate("dot_general", lhs.dtype(), natural);
        do_dot_general(lhs, rhs, config, out.write());
        return out;
    }
    check_permutation(result_axes, natural.size(), "dot_general");
    Dims shape(natural.size(), 0);
    for (std::size_t i = 0; i < natural.size(); ++i) shape[result_axes[i]] = natural[i];
    Tensor out = allocate("dot_general", lhs.dtype(), shape);
    do_dot_general(lhs, rhs, config, out.write().transpose_view(result_axes));
    return out;
}

Tensor BackendSession::dot_general(Tensor&& lhs, Tensor&& rhs, const DotGeneralConfig& config) {
    return dot_general_read(lhs, rhs, config);
}

}}  // namespace tenferro::TENFERRO_ABI
