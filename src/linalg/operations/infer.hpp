// What the shape rules of linear algebra share: matrices in axes 0 and 1, a batch behind them.
#pragma once

#include "linalg/batch.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/linalg/backend.hpp"
#include "tenferro/ops/extension_base.hpp"
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
        n = k = m = tensor_ops::common_extent(a, 0, a, 1, op, "axis 0 of the square matrix", "axis 1");
    }
};

/// The batch that both have (RankMismatch, ShapeMismatch), and one dtype (DTypeMismatch).
inline void join_batches(MatrixShape& a, const MatrixShape& b, std::string_view op) {
    const TensorMeta a_batch{a.dtype, a.batch}, b_batch{b.dtype, b.batch};
    tensor_ops::check_dtypes(a_batch, b_batch, op);
    a.batch = tensor_ops::common_shape(a_batch, b_batch, op, "the batch of lhs", "that of rhs");
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
