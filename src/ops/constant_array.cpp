// Arrays as fields: copied once, hashed once.
#include "tenferro/ops/constant_array.hpp"

#include <cstring>
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/hash.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

ConstantArray::ConstantArray() : ConstantArray(TensorRead::compact(DType::F64, nullptr, {0})) {}

ConstantArray::ConstantArray(const TensorRead& array) try {
    if (array.placement() != kMainMemory)
        throw Error(array.placement() == kNowhere ? ErrorKind::InvalidArgument : ErrorKind::BackendFailure,
                    "constant",
                    array.placement() == kNowhere ? "the array was moved from: it has no elements"
                                                  : text("the array is on ", place_text(array.placement()),
                                                         "; bring it to main memory with download_to_host"));
    array_ = std::make_shared<const Tensor>(Tensor::copy_of(array));
    Hasher hasher;
    hasher.add(static_cast<std::uint64_t>(array.dtype()));
    for (const Index extent : array.shape()) hasher.add(static_cast<std::uint64_t>(extent));
    std::span<const std::byte> rest = bytes();
    while (!rest.empty()) {
        std::uint64_t word = 0;
        const std::size_t taken = std::min(rest.size(), sizeof word);
        std::memcpy(&word, rest.data(), taken);
        hasher.add(word);
        rest = rest.subspan(taken);
    }
    hash_ = hasher.value();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("constant");
}

std::span<const std::byte> ConstantArray::bytes() const noexcept {
    return {static_cast<const std::byte*>(array_->data()),
            static_cast<std::size_t>(array_->size()) * info(array_->dtype()).bytes};
}

bool ConstantArray::equals(const ConstantArray& other) const noexcept {
    if (array_ == other.array_) return true;
    const TensorRead &a = view(), &b = other.view();
    const std::span<const std::byte> x = bytes(), y = other.bytes();
    return hash_ == other.hash_ && a.dtype() == b.dtype() && a.shape() == b.shape() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size()) == 0);
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
