// What the operations of LinalgBackend begin with: checked operands, results, and the walk over both.
#pragma once

#include <algorithm>
#include <optional>

#include "linalg/batch.hpp"
#include "linalg/kernels/matrix_kernels.hpp"
#include "tenferro/linalg/backend.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// That of an operand of `rank` axes or more that a session of `session` computes `op` on (DTypeMismatch,
/// RankMismatch, BackendFailure); its batch.
inline Dims checked(const BackendSession& session, const TensorRead& a, std::string_view op,
                    std::string_view name = "the operand") {
    check_floating(a.dtype(), op);
    Dims batch = batch_extents(a, 2, op, name);
    check_place(session.backend_info(), a, op, name);
    return batch;
}
inline Dims checked_square(const BackendSession& session, const TensorRead& a, std::string_view op,
                           std::string_view name = "the operand") {
    Dims batch = checked(session, a, op, name);
    check_square(a, op);
    return batch;
}

inline constexpr std::string_view kRightHandSide = "the right-hand side";

/// Matrices and right-hand sides of systems of one dtype and batch, which is returned.
inline Dims checked_system(const BackendSession& session, const TensorRead& a, const TensorRead& b, bool left,
                           std::string_view op) {
    static_cast<void>(checked_square(session, a, op, "the matrix"));
    static_cast<void>(checked(session, b, op, kRightHandSide));
    check_same_dtype(a, b, op);
    Dims batch = common_batch(a, 2, b, 2, op);
    check_system(a, b, left, op);
    return batch;
}

/// The elements of an operand of dtype T one after the other: where they are if they lie so, else copied.
template <class T>
class Elements {
public:
    Elements(BackendSession& session, const TensorRead& a) {
        if (!a.is_compact()) copied_.emplace(session.to_contiguous_read(a));
        data_ = copied_ ? copied_->data_as<T>() : a.data_as<T>();
    }
    [[nodiscard]] const T* operator+(Index offset) const noexcept { return data_ + offset; }
    [[nodiscard]] T operator[](Index i) const noexcept { return data_[i]; }

private:
    std::optional<Tensor> copied_;
    const T* data_;
};

/// A compact result of a batch, one matrix after the other.
template <class T>
class Result {
public:
    Result(BackendSession& session, std::initializer_list<Index> matrix, DimsView batch)
        : tensor(session.empty(storage_dtype<T>, with_batch(matrix, batch))) {
        for (const Index extent : matrix) elements_ *= extent;
        data_ = tensor.write().template data_as<T>();
        if (data_ == nullptr) data_ = reinterpret_cast<T*>(this);  // no elements, and yet wanted
    }
    [[nodiscard]] T* operator[](Index matrix) const noexcept { return data_ + matrix * elements_; }

    Tensor tensor;

private:
    Index elements_ = 1;
    T* data_;
};

/// Flops of an operation of n³ on matrices m x n.
inline double cubic(double factor, Index m, Index n) noexcept {
    return factor * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::min(m, n)) +
           10;
}

/// Calls f.operator()<T>(session, kernels) for the element type of `a` in a session of the backend.
template <class F>
auto compute(TensorBackend& backend, const MatrixKernelSet& kernels, const TensorRead& a, std::string_view op,
             F&& f) {
    return backend.with_backend_session([&](BackendSession& session) {
        check_floating(a.dtype(), op);
        return visit_floating(a.dtype(),
                              [&]<class T>() { return f.template operator()<T>(session, kernels.of<T>()); });
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
