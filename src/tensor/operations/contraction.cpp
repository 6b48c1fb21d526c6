// dot_general: the axes and extents are checked by dot_general_shape, the memory here.
#include "tensor/operations/checks.hpp"
#include "tensor/operations/extents.hpp"
#include "tensor_core/axis_marks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

constexpr std::string_view kContraction = "dot_general";

/// One operand of a contraction, and what messages call its lists of axes.
struct Side {
    const Dims &contract, &batch;
    std::size_t rank;
    std::string_view name, contracting_name, batch_name;

    void check() const {
        check_axes(contract, rank, kContraction, contracting_name);
        check_axes(batch, rank, kContraction, batch_name);
        AxisMarks contracted(rank);
        for (const Index axis : contract) static_cast<void>(contracted.mark(axis));
        for (const Index axis : batch)
            if (!contracted.mark(axis))
                throw Error(ErrorKind::AxisRoleConflict, kContraction,
                            text(name, " axis ", axis, " is both a contracting and a batch axis"));
    }
};

void check_paired(const Dims& lhs, const Dims& rhs, std::string_view role) {
    if (lhs.size() != rhs.size())
        throw Error(ErrorKind::InvalidConfig, kContraction,
                    text("lhs has ", lhs.size(), " ", role, " axes but rhs has ", rhs.size()));
}

/// The rule in full: throws the error of axes that do not fit.
template <Extent E>
[[gnu::noinline]] BasicShape<E> checked_contraction(const OperandMeta<E>& lhs, const OperandMeta<E>& rhs,
                                                    const DotGeneralConfig& c) {
    using Rules = ShapeRules<E>;
    check_paired(c.lhs_contract, c.rhs_contract, "contracting");
    check_paired(c.lhs_batch, c.rhs_batch, "batch");
    Side{c.lhs_contract, c.lhs_batch, lhs.rank(), "lhs", "lhs contracting", "lhs batch"}.check();
    Side{c.rhs_contract, c.rhs_batch, rhs.rank(), "rhs", "rhs contracting", "rhs batch"}.check();
    for (std::size_t i = 0; i < c.lhs_contract.size(); ++i)
        (void)Rules::common_extent(lhs, c.lhs_contract[i], rhs, c.rhs_contract[i], kContraction,
                                   "contracting lhs", "rhs");
    auto shape = rules::extents_at(lhs.shape, free_axes(lhs.rank(), c.lhs_contract, c.lhs_batch));
    for (const Index axis : free_axes(rhs.rank(), c.rhs_contract, c.rhs_batch))
        shape.push_back(rhs.shape[static_cast<std::size_t>(axis)]);
    for (std::size_t i = 0; i < c.lhs_batch.size(); ++i)
        shape.push_back(
            Rules::common_extent(lhs, c.lhs_batch[i], rhs, c.rhs_batch[i], kContraction, "batch lhs", "rhs"));
    return shape;
}

/// The axes of both operands that a configuration lists, as bits.
struct ListedAxes {
    std::uint64_t lhs = 0, rhs = 0;

    /// Adds pairs of axes; false where they do not fit the shapes or one is listed twice.
    bool add(DimsView lhs_shape, DimsView lhs_axes, DimsView rhs_shape, DimsView rhs_axes) noexcept {
        if (lhs_axes.size() != rhs_axes.size()) return false;
        for (std::size_t i = 0; i < lhs_axes.size(); ++i) {
            const auto l = static_cast<std::size_t>(lhs_axes[i]), r = static_cast<std::size_t>(rhs_axes[i]);
            if (l >= lhs_shape.size() || r >= rhs_shape.size() || lhs_shape[l] != rhs_shape[r]) return false;
            const std::uint64_t lhs_bit = std::uint64_t{1} << l, rhs_bit = std::uint64_t{1} << r;
            if (((lhs & lhs_bit) | (rhs & rhs_bit)) != 0) return false;
            lhs |= lhs_bit;
            rhs |= rhs_bit;
        }
        return true;
    }
};

/// The extents of the axes that are not listed, then those of the batch; built where the caller keeps them.
Dims unlisted_extents(const ListedAxes& listed, DimsView lhs, DimsView rhs, DimsView lhs_batch) {
    Dims shape;
    for (std::size_t axis = 0; axis < lhs.size(); ++axis)
        if ((listed.lhs >> axis & 1) == 0) shape.push_back(lhs[axis]);
    for (std::size_t axis = 0; axis < rhs.size(); ++axis)
        if ((listed.rhs >> axis & 1) == 0) shape.push_back(rhs[axis]);
    for (const Index axis : lhs_batch) shape.push_back(lhs[axis]);
    return shape;
}

/// The same for known extents without a list of free axes, where axes fit and are not too many for bits.
Dims contraction_shape(DimsView lhs, DimsView rhs, const DotGeneralConfig& config) {
    constexpr std::size_t kBits = 64;
    ListedAxes listed;
    if (lhs.size() > kBits || rhs.size() > kBits ||
        !listed.add(lhs, config.lhs_contract, rhs, config.rhs_contract) ||
        !listed.add(lhs, config.lhs_batch, rhs, config.rhs_batch))
        return checked_contraction<Index>({DType::F64, lhs}, {DType::F64, rhs}, config);
    return unlisted_extents(listed, lhs, rhs, config.lhs_batch);
}
SymShape contraction_shape(std::span<const SymDim> lhs, std::span<const SymDim> rhs,
                           const DotGeneralConfig& config) {
    return checked_contraction<SymDim>({DType::F64, lhs}, {DType::F64, rhs}, config);
}

}  // namespace

Dims free_axes(std::size_t rank, std::span<const Index> contract, std::span<const Index> batch) {
    AxisMarks used(rank);
    for (const std::span<const Index> list : {contract, batch})
        for (const Index axis : list) static_cast<void>(used.mark(axis));
    Dims axes;
    for (Index axis = 0; axis < static_cast<Index>(rank); ++axis)
        if (used.mark(axis)) axes.push_back(axis);
    return axes;
}

Dims dot_general_shape(std::span<const Index> lhs, std::span<const Index> rhs,
                       const DotGeneralConfig& config) {
    return contraction_shape(lhs, rhs, config);
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::dot_general(const Operand& lhs, const Operand& rhs,
                                              const DotGeneralConfig& config) {
    check_dtypes(lhs, rhs, kContraction);
    check_defined(OpId::DotGeneral, lhs.dtype);
    Meta result{lhs.dtype, contraction_shape(lhs.shape, rhs.shape, config)};
    check_count(result.shape, kContraction);
    return result;
}

template <Extent E>
BasicTensorMeta<E> ShapeRules<E>::dot_general_permuted(const Operand& lhs, const Operand& rhs,
                                                       const DotGeneralConfig& config, DimsView result_axes) {
    const Meta natural = dot_general(lhs, rhs, config);
    if (result_axes.empty()) return natural;
    check_permutation(result_axes, natural.rank(), kContraction, "result_axes", "the result");
    Meta result = natural;
    for (std::size_t i = 0; i < natural.rank(); ++i)
        result.shape[static_cast<std::size_t>(result_axes[i])] = natural.shape[i];
    return result;
}

TENFERRO_CONTRACTION_OPS(TENFERRO_RULE_OF)
template ShapeRules<Index>::Meta ShapeRules<Index>::dot_general_permuted(const Operand&, const Operand&,
                                                                         const DotGeneralConfig&, DimsView);
template ShapeRules<SymDim>::Meta ShapeRules<SymDim>::dot_general_permuted(const Operand&, const Operand&,
                                                                           const DotGeneralConfig&, DimsView);

namespace {

/// What does not depend on extents.
void check_contraction(const BackendSession& s, const TensorRead& lhs, const TensorRead& rhs) {
    check_place(s.backend_info(), lhs, kContraction, "lhs");
    check_place(s.backend_info(), rhs, kContraction, "rhs");
    if (lhs.dtype() != rhs.dtype()) [[unlikely]]
        ShapeRules<Index>::check_dtypes(lhs, rhs, kContraction);
    check_supported(s, OpId::DotGeneral, lhs.dtype());
}

/// The rule of dot_general, without what is made for descriptions.
Dims contract_shape(const BackendSession& s, const TensorRead& lhs, const TensorRead& rhs,
                    const DotGeneralConfig& config) {
    check_contraction(s, lhs, rhs);
    Dims shape = contraction_shape(lhs.shape(), rhs.shape(), config);
    (void)element_count(shape, kContraction);
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

void BackendSession::dot_general_planned_into(const TensorRead& lhs, const TensorRead& rhs,
                                              const DotGeneralConfig& config, const TensorWrite& out) {
    check_contraction(*this, lhs, rhs);
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
    check_permutation(result_axes, natural.size(), kContraction, "result_axes", "the result");
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
