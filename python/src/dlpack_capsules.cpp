// Capsules in and out. A legacy struct is the versioned one without its head, so each is kept behind the
// other.
#include "dlpack_capsules.hpp"

#include <memory>

#include "tenferro/base/error.hpp"
#include "tensor/dlpack_abi.hpp"

struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor* self);
};

namespace tenferro::python {

/// DLPackExchangeAPI of DLPack 1.3.
struct ExchangeTable {
    DLPackVersion version;
    ExchangeTable* previous;
    int (*allocate)(DLTensor*, DLManagedTensorVersioned**, void*, void (*)(void*, const char*, const char*));
    int (*from_object)(void* object, DLManagedTensorVersioned** out);
    int (*to_object)(DLManagedTensorVersioned* managed, void** out);
    int (*lend)(void* object, DLTensor* out);
};

namespace {

template <class Managed>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<DLManagedTensor> = "dltensor";
template <>
constexpr const char* kName<DLManagedTensorVersioned> = "dltensor_versioned";

/// Frees what nobody has taken out of a capsule.
template <class Managed>
void free_unused(PyObject* capsule) noexcept {
    if (PyCapsule_IsValid(capsule, kName<Managed>) == 0) return;
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, kName<Managed>));
    if (managed->deleter != nullptr) managed->deleter(managed);
}

template <class Managed>
nb::object new_capsule(Managed* managed) {
    PyObject* capsule = PyCapsule_New(managed, kName<Managed>, free_unused<Managed>);
    if (capsule == nullptr) {
        managed->deleter(managed);
        throw nb::python_error();
    }
    return nb::steal(capsule);
}

/// What a capsule of this form holds, now taken out.
template <class Managed>
Managed* take(nb::handle capsule, const char* used_name) {
    auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule.ptr(), kName<Managed>));
    if (managed == nullptr || PyCapsule_SetName(capsule.ptr(), used_name) != 0) throw nb::python_error();
    return managed;
}

/// A legacy struct on the memory of a versioned one.
DLManagedTensor* as_legacy(OwnedDlpack versioned) {
    auto legacy = std::make_unique<DLManagedTensor>();
    legacy->dl_tensor = versioned->dl_tensor;
    legacy->manager_ctx = versioned.release();
    legacy->deleter = [](DLManagedTensor* self) {
        const std::unique_ptr<DLManagedTensor> owned(self);
        DlpackDeleter()(static_cast<DLManagedTensorVersioned*>(self->manager_ctx));
    };
    return legacy.release();
}

/// The other way round.
DLManagedTensorVersioned* as_versioned(DLManagedTensor* legacy) {
    auto free_legacy = [](DLManagedTensor* self) {
        if (self->deleter != nullptr) self->deleter(self);
    };
    std::unique_ptr<DLManagedTensor, decltype(free_legacy)> owned(legacy);
    auto versioned = std::make_unique<DLManagedTensorVersioned>();
    versioned->version = {dlpack::kMajor, dlpack::kMinor};
    versioned->flags = 0;
    versioned->dl_tensor = legacy->dl_tensor;
    versioned->manager_ctx = owned.release();
    versioned->deleter = [](DLManagedTensorVersioned* self) {
        const std::unique_ptr<DLManagedTensorVersioned> freed(self);
        auto* inner = static_cast<DLManagedTensor*>(self->manager_ctx);
        if (inner->deleter != nullptr) inner->deleter(inner);
    };
    return versioned.release();
}

/// Deleters of other libraries may need the interpreter: those that run on threads without its lock wait for
/// it, and those that run after its end do not run.
DLManagedTensorVersioned* with_lock(DLManagedTensorVersioned* inner) {
    OwnedDlpack owned(inner);
    auto outer = std::make_unique<DLManagedTensorVersioned>(*inner);
    outer->manager_ctx = owned.release();
    outer->deleter = [](DLManagedTensorVersioned* self) {
        const std::unique_ptr<DLManagedTensorVersioned> freed(self);
        if (!nb::is_alive()) return;
        const nb::gil_scoped_acquire locked;
        DlpackDeleter()(static_cast<DLManagedTensorVersioned*>(self->manager_ctx));
    };
    return outer.release();
}

}  // namespace

nb::object capsule_of(const Tensor& tensor, CapsuleRequest request) {
    if (request.copied) return capsule_giving(tensor.duplicate(), request.versioned);
    OwnedDlpack shared = share_dlpack(tensor);
    if (request.versioned) return new_capsule(shared.release());
    if (!tensor.buffer().writable())
        throw nb::buffer_error(
            "a legacy DLPack capsule cannot say that memory is read-only; ask with max_version=(1, 0)");
    return new_capsule(as_legacy(std::move(shared)));
}

nb::object capsule_giving(Tensor&& tensor, bool versioned) {
    OwnedDlpack given(to_dlpack(std::move(tensor)));
    return versioned ? new_capsule(given.release()) : new_capsule(as_legacy(std::move(given)));
}

const ExchangeTable* exchange_table(nb::handle type) noexcept {
    PyObject* capsule = PyObject_GetAttrString(type.ptr(), "__dlpack_c_exchange_api__");
    const ExchangeTable* table = nullptr;
    if (capsule != nullptr)
        table = static_cast<const ExchangeTable*>(PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
    Py_XDECREF(capsule);
    PyErr_Clear();
    return table != nullptr && table->version.major == dlpack::kMajor ? table : nullptr;
}

Tensor tensor_by(const ExchangeTable& table, nb::handle object) {
    DLManagedTensorVersioned* managed = nullptr;
    if (table.from_object(object.ptr(), &managed) != 0) throw nb::python_error();
    return from_dlpack(with_lock(managed));
}

std::optional<TensorRead> borrow_by(const ExchangeTable& table, nb::handle object) {
    DLTensor lent;
    if (table.lend == nullptr || table.lend(object.ptr(), &lent) != 0) {
        PyErr_Clear();
        return std::nullopt;
    }
    constexpr std::int32_t kHost = 1;
    constexpr std::uint8_t kInteger = 0, kFloat = 2, kComplex = 5;
    const std::pair<std::uint8_t, int> kind{lent.dtype.code, lent.dtype.bits};
    DType dtype{};
    if (kind == std::pair{kFloat, 64})
        dtype = DType::F64;
    else if (kind == std::pair{kFloat, 32})
        dtype = DType::F32;
    else if (kind == std::pair{kComplex, 128})
        dtype = DType::C64;
    else if (kind == std::pair{kComplex, 64})
        dtype = DType::C32;
    else if (kind == std::pair{kInteger, 64})
        dtype = DType::I64;
    else if (kind == std::pair{kInteger, 32})
        dtype = DType::I32;
    else
        return std::nullopt;
    if (lent.device.device_type != kHost || lent.dtype.lanes != 1 || lent.strides == nullptr)
        return std::nullopt;
    return TensorRead(dtype, static_cast<const std::byte*>(lent.data) + lent.byte_offset,
                      Dims(lent.shape, lent.shape + lent.ndim), Dims(lent.strides, lent.strides + lent.ndim));
}

nb::object array_by(const ExchangeTable& table, Tensor&& tensor) {
    OwnedDlpack given(to_dlpack(std::move(tensor)));
    void* made = nullptr;
    if (table.to_object(given.get(), &made) != 0) throw nb::python_error();
    static_cast<void>(given.release());
    return nb::steal(static_cast<PyObject*>(made));
}

Tensor tensor_of_capsule(nb::handle capsule) {
    if (PyCapsule_IsValid(capsule.ptr(), kName<DLManagedTensorVersioned>) != 0) {
        auto* managed = take<DLManagedTensorVersioned>(capsule, "used_dltensor_versioned");
        // One of another version is not read beyond its version and deleter.
        return from_dlpack(managed->version.major == dlpack::kMajor ? with_lock(managed) : managed);
    }
    if (PyCapsule_IsValid(capsule.ptr(), kName<DLManagedTensor>) != 0)
        return from_dlpack(with_lock(as_versioned(take<DLManagedTensor>(capsule, "used_dltensor"))));
    throw Error(ErrorKind::InvalidArgument, "from_dlpack",
                "the capsule is not a DLPack tensor, or was used before");
}

}  // namespace tenferro::python
