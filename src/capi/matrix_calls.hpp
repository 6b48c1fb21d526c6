// The C functions of linear algebra but for their types: handles are void*, element types are values.
#pragma once

#include <array>
#include <complex>

#include "capi/matrix_functions.hpp"
#include "tenferro/capi/operands.hpp"
#include "tenferro/linalg/matrices.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// The tensor of a call and its axis lists.
struct MatrixCall {
    const char* function;
    DType dtype;
    const void* tensor;
    const std::size_t* left;
    std::size_t left_len;
    const std::size_t* right;
    std::size_t right_len;
};
template <class T>
MatrixCall call_of(const char* function, const Handle<T>* tensor, const std::size_t* left,
                   std::size_t left_len, const std::size_t* right, std::size_t right_len) {
    return {function, storage_dtype<T>, tensor, left, left_len, right, right_len};
}
/// Which singular values are kept, as C passes it.
struct Cut {
    std::size_t max_rank;
    double cutoff;
};
/// Handles of tangents or cotangents, which may be null.
using DirectionHandles = std::initializer_list<const void*>;

/// Handles of results, released again unless the caller gets them.
class Made {
public:
    Made() noexcept = default;
    Made(Made&& other) noexcept
        : handles_(other.handles_), size_(std::exchange(other.size_, std::size_t{0})) {}
    Made& operator=(Made&&) = delete;
    ~Made() {
        while (size_ > 0) discard(handles_[--size_]);
    }
    void publish(Tensor&& tensor) {
        const DType dtype = tensor.dtype();
        handles_[size_] = capi::publish(std::move(tensor), dtype);
        ++size_;
    }
    /// To outputs of the types of the results.
    template <class... Tensors>
    void give(Tensors**... outputs) noexcept {
        std::size_t next = 0;
        ((*outputs = static_cast<Tensors*>(handles_[next++])), ...);
        size_ = 0;
    }
    /// The only one.
    template <class Single>
    [[nodiscard]] Single* take() noexcept {
        size_ = 0;
        return static_cast<Single*>(handles_[0]);
    }

private:
    std::array<void*, 3> handles_{};
    std::size_t size_ = 0;
};

/// Outputs are NULL from the first moment of a call on.
template <class... Tensors>
void clear_each(Tensors**... outputs) noexcept {
    ((outputs != nullptr ? static_cast<void>(*outputs = nullptr) : void()), ...);
}

/// U, S, Vt.
[[nodiscard]] Made svd(const MatrixCall& call, const Cut& cut);
[[nodiscard]] Made svd_vjp(const MatrixCall& call, const Cut& cut, DirectionHandles cotangents);
[[nodiscard]] Made svd_jvp(const MatrixCall& call, const Cut& cut, const void* tangent);

/// The results of the others; `b` is the right-hand side of Solve, whose gradients and tangents are A's and
/// then B's.
[[nodiscard]] Made matrix_call(MatrixFunction which, const MatrixCall& call, const void* b = nullptr);
[[nodiscard]] Made matrix_call_vjp(MatrixFunction which, const MatrixCall& call, DirectionHandles cotangents,
                                   const void* b = nullptr);
[[nodiscard]] Made matrix_call_jvp(MatrixFunction which, const MatrixCall& call, DirectionHandles tangents,
                                   const void* b = nullptr);

}}}  // namespace tenferro::TENFERRO_ABI::capi
