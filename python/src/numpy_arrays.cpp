// Arrays in and out. Small results are copied into memory of NumPy's, which costs less than an owner of ours.
#include "numpy_arrays.hpp"

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <numpy/arrayobject.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

constexpr std::string_view kOp = "asarray";
constexpr std::size_t kCopiedBytes = 1024;

struct NumpyDType {
    DType dtype;
    int number;
};
/// In the order of DType; NumPy has two names for some, of which this is the usual one.
constexpr std::array<NumpyDType, kDTypes.size()> kNumbers{{{DType::F32, NPY_FLOAT},
                                                           {DType::F64, NPY_DOUBLE},
                                                           {DType::C32, NPY_CFLOAT},
                                                           {DType::C64, NPY_CDOUBLE},
                                                           {DType::I32, NPY_INT},
                                                           {DType::I64, NPY_LONG},
                                                           {DType::Bool, NPY_BOOL}}};

std::optional<DType> dtype_numbered(int number) noexcept {
    if (number == NPY_LONGLONG) return DType::I64;
    for (const NumpyDType& row : kNumbers)
        if (row.number == number) return row.dtype;
    return std::nullopt;
}

/// Whether NumPy's C interface is there, loaded now if need be.
bool has_numpy() noexcept {
    if (PyArray_API != nullptr) return true;
    if (_import_array() == 0) return true;
    PyErr_Clear();
    return false;
}

PyArrayObject* as_array(PyObject* object) noexcept { return reinterpret_cast<PyArrayObject*>(object); }

/// Strides in elements; nothing where one is not a whole number of them.
std::optional<Dims> element_strides(PyArrayObject* array) {
    const npy_intp item = PyArray_ITEMSIZE(array);
    Dims strides;
    for (int axis = 0; axis < PyArray_NDIM(array); ++axis) {
        const npy_intp bytes = PyArray_STRIDES(array)[axis];
        const npy_intp extent = PyArray_DIMS(array)[axis];
        if (extent > 1 && bytes % item != 0) return std::nullopt;
        strides.push_back(bytes / item);
    }
    return strides;
}

Dims extents_of(PyArrayObject* array) {
    return {PyArray_DIMS(array), PyArray_DIMS(array) + PyArray_NDIM(array)};
}

/// Memory of an array, which it keeps alive. The interpreter may be gone when it is let go.
struct LentBlock : BufferBlock {
    PyObject* owner;

    explicit LentBlock(PyArrayObject* array) noexcept : owner(reinterpret_cast<PyObject*>(array)) {
        Py_INCREF(owner);
        data = static_cast<std::byte*>(PyArray_DATA(array));
        bytes = static_cast<std::size_t>(PyArray_NBYTES(array));
        writable = PyArray_ISWRITEABLE(array);
        release = [](BufferBlock* block) noexcept {
            const std::unique_ptr<LentBlock> lent(static_cast<LentBlock*>(block));
            if (!nb::is_alive()) return;
            const nb::gil_scoped_acquire locked;
            Py_DECREF(lent->owner);
        };
    }
};

void free_capsule(PyObject* capsule) noexcept {
    delete static_cast<Tensor*>(PyCapsule_GetPointer(capsule, nullptr));
}

}  // namespace

bool is_ndarray(PyObject* object) noexcept {
    PyTypeObject* type = Py_TYPE(object);
    if (PyArray_API != nullptr) [[likely]]
        return type == &PyArray_Type || PyType_IsSubtype(type, &PyArray_Type) != 0;
    for (; type != nullptr; type = type->tp_base)
        if (std::strcmp(type->tp_name, "numpy.ndarray") == 0) return has_numpy();
    return false;
}

std::optional<TensorRead> borrow_ndarray(PyObject* object) {
    PyArrayObject* array = as_array(object);
    const std::optional<DType> dtype = dtype_numbered(PyArray_TYPE(array));
    if (!dtype || *dtype == DType::Bool || !PyArray_ISBEHAVED_RO(array)) return std::nullopt;
    std::optional<Dims> strides = element_strides(array);
    if (!strides) return std::nullopt;
    return TensorRead(*dtype, PyArray_DATA(array), extents_of(array), *std::move(strides));
}

Tensor tensor_of_ndarray(PyObject* object) {
    PyArrayObject* array = as_array(object);
    if (const std::optional<TensorRead> view = borrow_ndarray(object)) {
        void* data = const_cast<void*>(view->data());
        return Tensor(Buffer(new LentBlock(array)), view->dtype(), data, view->shape(), view->strides());
    }
    const nb::str name(nb::handle(reinterpret_cast<PyObject*>(PyArray_DESCR(array))));
    const std::optional<DType> dtype = dtype_numbered(PyArray_TYPE(array));
    if (!dtype)
        throw Error(
            ErrorKind::DTypeMismatch, kOp,
            text("dtype is ", name.c_str(),
                 " but only float32, float64, complex64, complex128, int32, int64 and bool are ours"));
    if (!PyArray_ISNOTSWAPPED(array))
        throw Error(ErrorKind::InvalidArgument, kOp,
                    text("dtype is ", name.c_str(), " in the byte order of other machines"));
    if (!element_strides(array))
        throw Error(ErrorKind::InvalidArgument, kOp, "strides are not whole elements");
    // A copy in the same order of memory, with truth values that are 0 or 1.
    const nb::object copied = nb::steal(PyArray_NewCopy(array, NPY_KEEPORDER));
    if (!copied.is_valid()) throw nb::python_error();
    PyArrayObject* copy = as_array(copied.ptr());
    auto* bytes = static_cast<std::uint8_t*>(PyArray_DATA(copy));
    if (*dtype == DType::Bool)
        std::transform(bytes, bytes + PyArray_SIZE(copy), bytes, [](std::uint8_t byte) { return byte != 0; });
    return Tensor(Buffer(new LentBlock(copy)), *dtype, bytes, extents_of(copy), *element_strides(copy));
}

nb::object ndarray_of(Tensor&& tensor, bool reversed) {
    if (!has_numpy()) throw nb::import_error("numpy is needed for arrays");
    const int rank = static_cast<int>(tensor.rank());
    if (rank > NPY_MAXDIMS)
        throw Error(ErrorKind::RankMismatch, "asarray",
                    text("rank is ", rank, " but arrays of NumPy have at most ", NPY_MAXDIMS));
    const std::size_t item = info(tensor.dtype()).bytes;
    const int number = kNumbers[static_cast<std::size_t>(tensor.dtype())].number;
    Dims shape = tensor.shape();
    const std::size_t bytes = static_cast<std::size_t>(tensor.size()) * item;
    const bool compact = tensor.is_compact();
    if (reversed) std::reverse(shape.begin(), shape.end());
    if (compact && bytes <= kCopiedBytes && tensor.buffer().unique()) {
        const int order = reversed ? 0 : NPY_ARRAY_F_CONTIGUOUS;
        PyObject* made =
            PyArray_New(&PyArray_Type, rank, shape.data(), number, nullptr, nullptr, 0, order, nullptr);
        if (made == nullptr) throw nb::python_error();
        if (bytes != 0) std::memcpy(PyArray_DATA(as_array(made)), tensor.data(), bytes);
        return nb::steal(made);
    }
    Dims strides = tensor.strides();
    if (reversed) std::reverse(strides.begin(), strides.end());
    for (Index& stride : strides) stride *= static_cast<Index>(item);
    const bool writable = tensor.buffer().writable() && tensor.buffer().unique();
    auto owned = std::make_unique<Tensor>(std::move(tensor));
    void* data = const_cast<void*>(owned->data());
    const nb::object capsule = nb::steal(PyCapsule_New(owned.get(), nullptr, free_capsule));
    if (!capsule.is_valid()) throw nb::python_error();
    static_cast<void>(owned.release());
    nb::object array = nb::steal(PyArray_New(&PyArray_Type, rank, shape.data(), number, strides.data(), data,
                                             0, writable ? NPY_ARRAY_WRITEABLE : 0, nullptr));
    if (!array.is_valid()) throw nb::python_error();
    if (PyArray_SetBaseObject(as_array(array.ptr()), nb::object(capsule).release().ptr()) != 0)
        throw nb::python_error();
    PyArray_UpdateFlags(as_array(array.ptr()), NPY_ARRAY_UPDATE_ALL);
    return array;
}

}  // namespace tenferro::python
