// Import and export of DLPack structs. An import is validated completely before any of its memory is touched;
// a struct of another major version is not even read beyond its version and deleter. Owners of owners are let
// go one after the other, never one inside the other, however long the chain.
#include "tenferro/tensor/dlpack.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "base/thread_value.hpp"
#include "dlpack_abi.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/fault.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

constexpr std::string_view kImport = "from_dlpack";

/// DLDataTypeCode and bits of our dtypes, in the order of DType.
struct WireDType {
    DType dtype;
    std::uint8_t code;
    std::uint8_t bits;
};
constexpr std::array<WireDType, kDTypes.size()> kWireDTypes{{
    {DType::F32, 2, 32},
    {DType::F64, 2, 64},
    {DType::C32, 5, 64},
    {DType::C64, 5, 128},
    {DType::I32, 0, 32},
    {DType::I64, 0, 64},
    {DType::Bool, 6, 8},
}};

std::size_t scalar_bytes(DType dtype) {
    return info(dtype).is_complex ? info(dtype).bytes / 2 : info(dtype).bytes;
}

void check_version(const DLPackVersion& version) {
    if (version.major != dlpack::kMajor)
        throw Error(ErrorKind::Unsupported, kImport,
                    text("version is ", version.major, ".", version.minor, " but only major version ",
                         dlpack::kMajor, " is known"));
}

void check_device(const DLDevice& device) {
    const auto known = std::find_if(kDlpackDevices.begin(), kDlpackDevices.end(),
                                    [&](const DlpackDevice& row) { return row.type == device.device_type; });
    if (known != kDlpackDevices.end() && Placement{known->space, device.device_id} == kMainMemory) return;
    const std::string name =
        known != kDlpackDevices.end() ? std::string(known->name) : text("device type ", device.device_type);
    throw Error(ErrorKind::UnsupportedDevice, kImport,
                text("memory is on ", name, ":", device.device_id, " but only ", place_text(kMainMemory),
                     " is supported; have the producer copy the tensor to main memory first"));
}

DType checked_dtype(const DLDataType& dtype) {
    const auto row = std::find_if(kWireDTypes.begin(), kWireDTypes.end(), [&](const WireDType& wire) {
        return wire.code == dtype.code && wire.bits == dtype.bits;
    });
    if (row == kWireDTypes.end() || dtype.lanes != 1)
        throw Error(ErrorKind::DTypeMismatch, kImport,
                    text("dtype has code ", dtype.code, ", bits ", dtype.bits, " and lanes ", dtype.lanes,
                         " but only f32, f64, c32, c64, i32, i64 and bool of 1 lane are supported"));
    return row->dtype;
}

Dims checked_shape(const DLTensor& tensor) {
    if (tensor.ndim < 0) throw Error(ErrorKind::InvalidArgument, kImport, text("ndim is ", tensor.ndim));
    if (tensor.ndim > 0 && tensor.shape == nullptr)
        throw Error(ErrorKind::InvalidArgument, kImport, text("shape is NULL but ndim is ", tensor.ndim));
    for (std::int32_t axis = 0; axis < tensor.ndim; ++axis)
        if (tensor.shape[axis] < 0)
            throw Error(ErrorKind::ShapeMismatch, kImport,
                        text("axis ", axis, " has negative extent ", tensor.shape[axis]));
    Dims shape(tensor.shape, tensor.shape + tensor.ndim);
    (void)element_count(shape, kImport);
    return shape;
}

/// The producer's strides; column-major ones where they mean nothing, that is for extents of at most 1 and
/// empty tensors.
Dims meaningful_strides(const DLTensor& tensor, const Dims& shape) {
    Dims strides = column_major_strides(shape);
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return strides;
    Index row_major = 1;
    for (std::size_t axis = shape.size(); axis-- > 0; row_major *= shape[axis])
        if (shape[axis] > 1) strides[axis] = tensor.strides != nullptr ? tensor.strides[axis] : row_major;
    return strides;
}

/// Bytes that a non-empty tensor reaches, relative to its first element.
struct Reach {
    Index below = 0;  // at most 0
    Index above = 0;
};

Reach checked_reach(const Dims& shape, const Dims& strides, Index width) {
    Reach reach{0, width};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const auto step = checked_mul(strides[axis], width);
        const auto span = step ? checked_mul(*step, shape[axis] - 1) : step;
        Index& end = span.value_or(0) < 0 ? reach.below : reach.above;
        const auto moved = span ? checked_add(end, *span) : span;
        if (!moved)
            throw Error(ErrorKind::InvalidArgument, kImport,
                        text("axis ", axis, " has extent ", shape[axis], " and stride ", strides[axis],
                             ", which overflows"));
        end = *moved;
    }
    Index extent = 0;
    if (__builtin_sub_overflow(reach.above, reach.below, &extent))
        throw Error(ErrorKind::InvalidArgument, kImport,
                    text("shape ", list_text(shape), " with strides ", list_text(strides),
                         " reaches beyond the address space"));
    return reach;
}

void check_byte_offset(const DLTensor& tensor, DType dtype) {
    if (tensor.byte_offset % scalar_bytes(dtype) != 0)
        throw Error(ErrorKind::InvalidArgument, kImport,
                    text("byte_offset is ", tensor.byte_offset, " but ", info(dtype).name,
                         " needs a multiple of ", scalar_bytes(dtype)));
    if (tensor.byte_offset > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
        throw Error(ErrorKind::InvalidArgument, kImport,
                    text("byte_offset is ", tensor.byte_offset, ", larger than any object"));
}

/// The address of the first element, of which the whole reach must lie in the address space.
std::uintptr_t checked_origin(const DLTensor& tensor, const Reach& reach) {
    const auto data = reinterpret_cast<std::uintptr_t>(tensor.data);
    if (data == 0)
        throw Error(ErrorKind::InvalidArgument, kImport, "data is NULL but the tensor has elements");
    std::uintptr_t origin = 0, end = 0;
    if (__builtin_add_overflow(data, tensor.byte_offset, &origin) ||
        __builtin_add_overflow(origin, reach.below, &end) ||
        __builtin_add_overflow(origin, reach.above, &end))
        throw Error(ErrorKind::InvalidArgument, kImport,
                    text("byte_offset ", tensor.byte_offset, " and strides reach beyond the address space"));
    return origin;
}

/// Lent memory, and the copy that stands in for it when it cannot be used as it is.
struct ForeignBlock : BufferBlock {
    OwnedDlpack managed;
    Buffer copy;
    ForeignBlock* next = nullptr;  ///< of those that wait for their end
};

/// Blocks that died while the deleter of another one ran on this thread.
struct LettingGo {
    ForeignBlock* waiting = nullptr;
    bool running = false;
};

/// A deleter may let go of a tensor of ours whose memory was lent too, and so on: those that die meanwhile
/// are put in a line, and the outermost call ends them, so that the stack does not grow with the chain.
void let_go(BufferBlock* dead) noexcept {
    auto* const block = static_cast<ForeignBlock*>(dead);
    LettingGo& here = thread_value<LettingGo>();
    block->next = std::exchange(here.waiting, block);
    if (here.running) return;
    here.running = true;
    while (here.waiting != nullptr) {
        const std::unique_ptr<ForeignBlock> last(here.waiting);
        here.waiting = last->next;
    }
    here.running = false;
}

std::unique_ptr<ForeignBlock> make_block(OwnedDlpack managed) {
    fault::point();
    auto block = std::make_unique<ForeignBlock>();
    block->release = let_go;
    block->writable = (managed->flags & dlpack::kReadOnly) == 0;
    block->managed = std::move(managed);
    return block;
}

/// A copy of a view in our own memory. Any byte but 0 is true, and becomes 1: a bool of another byte is
/// undefined behaviour.
Tensor copy_of(const TensorRead& view) {
    Tensor copy = Tensor(Buffer(), view.dtype(), const_cast<void*>(view.data()), view.shape(), view.strides())
                      .duplicate();
    if (view.dtype() == DType::Bool) {
        auto* const bytes = static_cast<unsigned char*>(copy.write().data());
        for (Index i = 0; i < copy.size(); ++i) bytes[i] = bytes[i] != 0 ? 1 : 0;
    }
    return copy;
}

/// The struct given to a consumer, and the tensor that keeps its memory and layout.
struct Export {
    DLManagedTensorVersioned managed{};
    Tensor tensor;
    bool writable = false;  ///< as it was given to the consumer

    explicit Export(Tensor&& exported) noexcept : tensor(std::move(exported)) {
        managed.version = {dlpack::kMajor, dlpack::kMinor};
        managed.manager_ctx = this;
        managed.deleter = end;
        managed.flags = dlpack::kReadOnly;
        managed.dl_tensor = described();
    }

    [[nodiscard]] DLTensor described() const noexcept {
        const WireDType& wire = kWireDTypes[static_cast<std::size_t>(tensor.dtype())];
        return {.data = tensor.size() == 0 ? nullptr : const_cast<void*>(tensor.data()),
                .device = {dlpack_device(tensor.placement().space).type, tensor.placement().device},
                .ndim = static_cast<std::int32_t>(tensor.rank()),
                .dtype = {wire.code, wire.bits, 1},
                .shape = const_cast<Index*>(tensor.shape().data()),
                .strides = const_cast<Index*>(tensor.strides().data()),
                .byte_offset = 0};
    }

    static void end(DLManagedTensorVersioned* self) { delete static_cast<Export*>(self->manager_ctx); }
};

/// The export of ours that comes back, or null: another's struct, or one that a consumer gave another view or
/// marked as read-only.
Export* own_export(const DLManagedTensorVersioned& managed) noexcept {
    static_assert(std::has_unique_object_representations_v<DLTensor>);
    if (managed.deleter != &Export::end) return nullptr;
    auto* const ours = static_cast<Export*>(managed.manager_ctx);
    if (ours->writable && (managed.flags & dlpack::kReadOnly) != 0) return nullptr;
    const DLTensor given = ours->described();
    return std::memcmp(&given, &managed.dl_tensor, sizeof given) == 0 ? ours : nullptr;
}

}  // namespace

void DlpackDeleter::operator()(DLManagedTensorVersioned* managed) const noexcept {
    try {
        if (managed->deleter != nullptr) managed->deleter(managed);
    } catch (...) {
        // A deleter must not throw. One that does has been called all the same, and its error is nobody's who
        // could act on it.
    }
}

Tensor from_dlpack(DLManagedTensorVersioned* managed) try {
    OwnedDlpack owned(managed);
    if (managed == nullptr) throw Error(ErrorKind::InvalidArgument, kImport, "managed is NULL");
    check_version(managed->version);
    if (Export* const ours = own_export(*managed)) return std::move(ours->tensor);
    const DLTensor& tensor = managed->dl_tensor;
    check_device(tensor.device);
    const DType dtype = checked_dtype(tensor.dtype);
    Dims shape = checked_shape(tensor);
    Dims strides = meaningful_strides(tensor, shape);
    check_byte_offset(tensor, dtype);
    const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    const Reach reach =
        empty ? Reach{} : checked_reach(shape, strides, static_cast<Index>(info(dtype).bytes));
    const std::uintptr_t origin = empty ? 0 : checked_origin(tensor, reach);

    std::unique_ptr<ForeignBlock> block = make_block(std::move(owned));
    auto* data = reinterpret_cast<std::byte*>(origin);
    if (dtype == DType::Bool || origin % scalar_bytes(dtype) != 0) {
        const Tensor copy = copy_of(TensorRead(dtype, data, shape, strides));
        block->copy = copy.buffer();
        block->writable = true;
        strides = copy.strides();
        data = block->copy.data();
        block->bytes = block->copy.bytes();
        block->data = data;
    } else if (!empty) {
        block->data = data + reach.below;
        block->bytes = static_cast<std::size_t>(reach.above - reach.below);
    }
    return {Buffer(block.release()), dtype, data, std::move(shape), std::move(strides)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory("from_dlpack");
}

OwnedDlpack share_dlpack(const Tensor& tensor) try {
    fault::point();
    return OwnedDlpack(&(new Export(tensor.share()))->managed);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("to_dlpack");
}

DLManagedTensorVersioned* claim_dlpack(OwnedDlpack shared) noexcept {
    auto* const ours = static_cast<Export*>(shared->manager_ctx);
    ours->writable = ours->tensor.buffer().unique() && ours->tensor.buffer().writable();
    if (ours->writable) shared->flags &= ~dlpack::kReadOnly;
    return shared.release();
}

DLManagedTensorVersioned* to_dlpack(Tensor&& tensor) try {
    OwnedDlpack shared = share_dlpack(tensor);
    { const Tensor given_away = std::move(tensor); }
    return claim_dlpack(std::move(shared));
} catch (const std::bad_alloc&) {
    throw_out_of_memory("to_dlpack");
}

}}  // namespace tenferro::TENFERRO_ABI
