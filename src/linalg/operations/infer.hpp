// What the shape rules of linear algebra share: matrices in axes 0 and 1, a batch behind them.
#pragma once

#include "linalg/batch.hpp"
#include "linalg/operations/structs.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/shape_rules.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The extents of an operand that is a matrix of F32, F64, C32 or C64 (DTypeMismatch, RankMismatch).
struct MatrixShape {
    DType dtype;
    SymDim m, n, k;  ///< k = min(m, n)
    SymShape batch;

    MatrixShape(const TensorMeta& a, std::string_view op, std::string_view name = "the operand")
        : dtype(a.dtype) {
        check_floating(a.dtype, op);
        if (a.rank() < 2)
            throw Error(ErrorKind::RankMismatch, op,
                        text(name, " has rank ", a.rank(), " but must have at least 2"));
        m = a.shape[0];
        n = a.shape[1];
        k = min(m, n);
        batch.assign(a.shape.begin() + 2, a.shape.end());
    }
    /// A tensor of these extents and the batch.
    [[nodiscard]] TensorMeta of(std::initializer_list<SymDim> extents) const { return of(dtype, extents); }
    [[nodiscard]] TensorMeta of(DType as, std::initializer_list<SymDim> extents) const {
        SymShape shape(extents);
        shape.insert(shape.end(), batch.begin(), batch.end());
        return {as, std::move(shape)};
    }
};

/// A matrix whose m and n are one extent (ShapeMismatch), n.
struct SquareShape : MatrixShape {
    SquareShape(const TensorMeta& a, std::string_view op, std::string_view name = "the operand")
        : MatrixShape(a, op, name) {
        n = k = m = tensor_ops::common_extent(a, 0, a, 1, op, text(name, " must be square:"), "its");
    }
};

/// The batch that both have (RankMismatch, ShapeMismatch), and one dtype (DTypeMismatch).
inline void join_batches(MatrixShape& a, const MatrixShape& b, std::string_view op) {
    const TensorMeta a_batch{a.dtype, a.batch}, b_batch{b.dtype, b.batch};
    tensor_ops::check_dtypes(a_batch, b_batch, op);
    a.batch = tensor_ops::common_shape(a_batch, b_batch, op, "the batch of lhs", "that of rhs");
}

/// Both have one dtype and shape (DTypeMismatch, RankMismatch, ShapeMismatch), which is returned.
inline TensorMeta common_meta(const TensorMeta& a, const TensorMeta& b, std::string_view op,
                              std::string_view a_name, std::string_view b_name) {
    tensor_ops::check_dtypes(a, b, op, a_name, b_name);
    return {a.dtype, tensor_ops::common_shape(a, b, op, a_name, b_name)};
}
/// `given`, something of a factorisation, is as it is there.
inline void check_factor(const TensorMeta& expected, const TensorMeta& given, std::string_view op,
                         std::string_view name) {
    static_cast<void>(common_meta(expected, given, op, "what the matrix is factorised to", name));
}
/// Square matrices in[0], of which in[1] to in[3] are the LuFactors.
inline SquareShape factored(std::span<const TensorMeta> in, std::string_view op) {
    const SquareShape a(in[0], op, "the matrix");
    check_factor(in[0], in[1], op, "lu");
    check_factor(a.of(DType::I64, {a.n}), in[2], op, "rows");
    check_factor(a.of(DType::I64, {}), in[3], op, "exponent");
    return a;
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
