// Any bytes as a DLPack struct over a small allocation: the import is refused or right, element by element
// where its elements lie in the allocation, and the deleter runs exactly once either way.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "fuzz/bytes.hpp"
#include "src/tensor/dlpack_abi.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/tensor/dlpack.hpp"

namespace {

using tenferro::Index;
using tenferro::fuzz::Bytes;
__extension__ using Wide = __int128;

void require(bool condition) {
    if (!condition) __builtin_trap();
}

struct Lender {
    DLManagedTensorVersioned managed{};
    std::vector<std::int64_t> shape, strides;
    int deleted = 0;
};

constexpr std::size_t kBytes = 1024;

std::vector<std::uint8_t>& memory() {
    static std::vector<std::uint8_t> bytes(kBytes);
    for (std::size_t i = 0; i < kBytes; ++i) bytes[i] = i % 3 == 0;  // valid for bool, finite for the others
    return bytes;
}

void read_struct(Bytes& in, Lender& lender) {
    constexpr DLDataType kTypes[] = {{2, 32, 1}, {2, 64, 1}, {5, 64, 1}, {5, 128, 1},
                                     {0, 32, 1}, {0, 64, 1}, {6, 8, 1}};
    DLManagedTensorVersioned& managed = lender.managed;
    managed.version = {in.byte() == 0xFF ? in.byte() : 1u, in.byte()};
    managed.manager_ctx = &lender;
    managed.deleter = [](DLManagedTensorVersioned* self) {
        ++static_cast<Lender*>(self->manager_ctx)->deleted;
    };
    managed.flags = in.byte();
    DLTensor& tensor = managed.dl_tensor;
    tensor.device = {in.byte() == 0xFF ? in.byte() : 1, in.byte() == 0xFF ? 1 : 0};
    const std::uint8_t type = in.byte();
    tensor.dtype = type < 0xF0 ? kTypes[type % 7] : DLDataType{in.byte(), in.byte(), in.byte()};
    tensor.ndim = static_cast<std::int8_t>(in.byte()) % 65;
    const std::uint8_t nulls = in.byte();
    for (int axis = 0; axis < tensor.ndim; ++axis) lender.shape.push_back(in.number());
    for (int axis = 0; axis < tensor.ndim; ++axis) lender.strides.push_back(in.number());
    tensor.shape = nulls == 0xFF ? nullptr : lender.shape.data();
    tensor.strides = nulls % 2 == 1 ? nullptr : lender.strides.data();
    tensor.data = nulls == 0xFE ? nullptr : memory().data() + (in.byte() | in.byte() << 8) % kBytes;
    tensor.byte_offset = static_cast<std::uint64_t>(in.number());
}

/// The element at `index` by the definition of DLPack, or nothing when it lies outside of the allocation.
const std::uint8_t* wanted(const Lender& lender, const std::vector<Index>& index, std::size_t width) {
    const DLTensor& tensor = lender.managed.dl_tensor;
    Wide offset = tensor.byte_offset, row_major = 1;
    for (std::size_t axis = index.size(); axis-- > 0; row_major *= lender.shape[axis])
        offset += Wide{index[axis]} * (tensor.strides != nullptr ? Wide{tensor.strides[axis]} : row_major) *
                  static_cast<Wide>(width);
    const auto* start = static_cast<const std::uint8_t*>(tensor.data);
    const Wide position = (start - memory().data()) + offset;
    return position >= 0 && position + static_cast<Wide>(width) <= static_cast<Wide>(kBytes)
               ? memory().data() + position
               : nullptr;
}

template <class F>
void for_each_index(const std::vector<std::int64_t>& shape, F&& f) {
    std::vector<Index> index(shape.size(), 0);
    for (;;) {
        f(std::as_const(index));
        std::size_t axis = 0;
        for (; axis < shape.size() && ++index[axis] == shape[axis]; ++axis) index[axis] = 0;
        if (axis == shape.size()) return;
    }
}

/// A few thousand elements at most, all in the allocation: only then may an import that copies read them.
bool inside(const Lender& lender) {
    Wide count = 1;
    for (const std::int64_t extent : lender.shape) {
        count *= extent;
        if (extent <= 0 || count > 4096) return false;
    }
    bool all = true;
    for_each_index(lender.shape, [&](const std::vector<Index>& index) {
        all = all && wanted(lender, index, lender.managed.dl_tensor.dtype.bits / 8u) != nullptr;
    });
    return all;
}

void check_elements(const Lender& lender, const tenferro::Tensor& tensor) {
    const tenferro::Tensor copy = tensor.duplicate();
    const std::size_t width = tenferro::info(tensor.dtype()).bytes;
    const auto* element = static_cast<const std::uint8_t*>(copy.data());
    for_each_index(lender.shape, [&](const std::vector<Index>& index) {
        require(std::memcmp(element, wanted(lender, index, width), width) == 0);
        element += width;
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes in(data, size);
    Lender lender;
    read_struct(in, lender);
    const DLTensor& wire = lender.managed.dl_tensor;
    const bool readable = wire.data != nullptr && inside(lender);
    const bool aligned = (reinterpret_cast<std::uintptr_t>(wire.data) + wire.byte_offset) % 8 == 0;
    constexpr std::uint8_t kDLBool = 6;
    if (!readable && wire.data != nullptr && (!aligned || wire.dtype.code == kDLBool))
        return 0;  // might be copied, and what is out there is nobody's
    try {
        tenferro::Tensor tensor = tenferro::from_dlpack(&lender.managed);
        require(lender.deleted == 0);
        require(std::equal(lender.shape.begin(), lender.shape.end(), tensor.shape().begin(),
                           tensor.shape().end()));
        if (readable) check_elements(lender, tensor);
        tensor = tenferro::from_dlpack(tenferro::to_dlpack(std::move(tensor)));
        require(lender.deleted == 0);
        if (readable) check_elements(lender, tensor);
    } catch (const tenferro::Error& error) {
        require(lender.deleted == 1 && error.op() == "from_dlpack");
    }
    require(lender.deleted == 1);
    return 0;
}
