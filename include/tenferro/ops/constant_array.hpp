// ConstantArray: an array as a field of an operation. A value: copies share the elements, equality is that of
// dtype, shape and bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

class TENFERRO_API ConstantArray {
public:
    /// An empty F64 array of shape [0].
    ConstantArray();
    /// A compact copy of `array`, which is in main memory (BackendFailure).
    explicit ConstantArray(const TensorRead& array);

    [[nodiscard]] const TensorRead& view() const noexcept { return array_->read(); }
    /// The elements in column-major order.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
    [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }
    friend bool operator==(const ConstantArray& a, const ConstantArray& b) noexcept { return a.equals(b); }

private:
    [[nodiscard]] bool equals(const ConstantArray& other) const noexcept;

    std::shared_ptr<const Tensor> array_;
    std::uint64_t hash_ = 0;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
