// What every operation asks of the dtypes and shapes of its operands, and what it makes of them: once, for
// known extents (Index) and for those of traced tensors (SymDim), so that an eager call and a traced one give
// the same result or the same error. An extent that is not known is taken to be what it has to be: it is
// compared when the program runs. Each row of op_table.hpp has a rule of its name; src/tensor/operations
// defines it beside the methods that use it. Extensions use the checks at the end.
#pragma once

#include <concepts>
#include <string_view>

#include "tenferro/tensor/operation_methods.hpp"
#include "tenferro/tensor_core/extent.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// What is known of a tensor before it exists.
template <Extent E>
struct BasicTensorMeta {
    DType dtype = DType::F64;
    BasicShape<E> shape;

    [[nodiscard]] std::size_t rank() const noexcept { return shape.size(); }
    friend bool operator==(const BasicTensorMeta&, const BasicTensorMeta&) = default;
};

/// The dtype and shape of an operand, borrowed from a view or a description.
template <Extent E>
struct OperandMeta {
    DType dtype;
    std::span<const E> shape;

    OperandMeta(DType of, std::span<const E> extents) noexcept : dtype(of), shape(extents) {}
    OperandMeta(const BasicTensorMeta<E>& a) noexcept  // NOLINT(google-explicit-constructor)
        : dtype(a.dtype), shape(a.shape) {}
    OperandMeta(const TensorRead& a) noexcept  // NOLINT(google-explicit-constructor)
        requires std::same_as<E, Index> : dtype(a.dtype()),
                                          shape(a.shape()) {}

    [[nodiscard]] std::size_t rank() const noexcept { return shape.size(); }
};

template <Extent E>
struct TENFERRO_API ShapeRules {
    using Meta = BasicTensorMeta<E>;
    using Operand = OperandMeta<E>;
    using Shape = BasicShape<E>;
    using Extents = std::span<const E>;
    using PadConfig = BasicPadConfig<E>;
    using GatherConfig = BasicGatherConfig<E>;

    // The rule of each structured row, with its operands and parameters.
#define TENFERRO_RULE_OPERAND(a) const Operand& a
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...)      \
    [[nodiscard]] static Meta method(TENFERRO_EACH(TENFERRO_RULE_OPERAND, operands) \
                                         TENFERRO_PARAMETERS(parameters));
    TENFERRO_STRUCTURED_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW

    // Those of the other rows, which `op` names.
    [[nodiscard]] static Meta unary(OpId op, const Operand& a);
    [[nodiscard]] static Meta binary(OpId op, const Operand& lhs, const Operand& rhs);
    [[nodiscard]] static Meta conversion(OpId op, const Operand& a, DType to);
    [[nodiscard]] static Meta reduction(OpId op, const Operand& a, DimsView axes);
    [[nodiscard]] static Meta concatenate(std::span<const Operand> parts, Index axis);
    /// dot_general with axis i of its result at result_axes[i]; none: all in order.
    [[nodiscard]] static Meta dot_general_permuted(const Operand& lhs, const Operand& rhs,
                                                   const DotGeneralConfig& config, DimsView result_axes);
    /// The gather that reads what Scatter or ScatterAdd, named by `op`, writes; checks like its rule.
    [[nodiscard]] static GatherConfig scatter_windows(OpId op, const Operand& a, const Operand& indices,
                                                      const Operand& updates, const ScatterConfig& config);

    // Checks that rules share. `op` is named in the error, as are the operands.

    /// `op` is defined on `dtype` (Unsupported).
    static void check_defined(OpId op, DType dtype);
    /// Both have the dtype (DTypeMismatch).
    static void check_dtypes(const Operand& a, const Operand& b, std::string_view op,
                             std::string_view a_name = "lhs", std::string_view b_name = "rhs");
    /// A dtype of index operands (DTypeMismatch).
    static void check_index_dtype(const Operand& a, std::string_view op, std::string_view name);
    /// A list has one entry per axis of `a` (RankMismatch).
    static void check_entries(std::size_t entries, const Operand& a, std::string_view op,
                              std::string_view name);
    /// Known extents are not negative and their product can be counted (InvalidArgument).
    static void check_count(Extents shape, std::string_view op);
    /// Axis `i` of a and axis `k` of b can have one extent (ShapeMismatch); returns the better known one.
    static E common_extent(const Operand& a, Index i, const Operand& b, Index k, std::string_view op,
                           std::string_view a_name = "lhs", std::string_view b_name = "rhs");
    /// The same for all axes, and the ranks are equal (RankMismatch).
    static Shape common_shape(const Operand& a, const Operand& b, std::string_view op,
                              std::string_view a_name = "lhs", std::string_view b_name = "rhs");
};

}}  // namespace tenferro::TENFERRO_ABI
