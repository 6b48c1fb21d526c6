// Recognising operands. Libraries are known by the module of an array's class, so that none is imported.
#include "exchange.hpp"

#include <complex>
#include <string_view>

#include "dlpack_capsules.hpp"
#include "layout.hpp"
#include "numbers.hpp"
#include "numpy_arrays.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/creation.hpp"

namespace tenferro::python {

PyTypeObject* tensor_type = nullptr;

namespace {

/// The top-level package of the class of `object`.
std::string_view package_of(nb::handle object, nb::object& keeps) {
    keeps = nb::getattr(object.type(), "__module__", nb::none());
    if (!nb::isinstance<nb::str>(keeps)) return {};
    const std::string_view module = nb::borrow<nb::str>(keeps).c_str();
    return module.substr(0, module.find('.'));
}

std::string_view class_name(nb::handle object) { return Py_TYPE(object.ptr())->tp_name; }

bool is_sequence(nb::handle object) noexcept {
    return PyList_Check(object.ptr()) != 0 || PyTuple_Check(object.ptr()) != 0;
}

bool is_array(nb::handle object) {
    return value_of(object) != nullptr || is_ndarray(object.ptr()) || nb::hasattr(object, "__dlpack__") ||
           nb::hasattr(object, "__array__");
}

std::optional<Value> number_value(nb::handle object) {
    PyObject* p = object.ptr();
    if (PyBool_Check(p) != 0) return Value(scalar(p == Py_True));
    if (PyLong_Check(p) != 0) return Value(scalar(integer_from(object, "asarray", "an integer")));
    if (PyFloat_Check(p) != 0) return Value(scalar(PyFloat_AS_DOUBLE(p)));
    if (PyComplex_Check(p) != 0)
        return Value(scalar(std::complex<double>(PyComplex_RealAsDouble(p), PyComplex_ImagAsDouble(p))));
    return std::nullopt;
}

/// The numbers of nested lists, last index fastest, and their common dtype.
struct Nested {
    static constexpr std::size_t kDeepest = 64;  ///< as in NumPy; a list may hold itself

    Dims shape;
    std::vector<std::complex<double>> numbers;
    std::vector<std::int64_t> integers;
    DType dtype = DType::Bool;

    void add(nb::handle object, std::size_t depth) {
        const bool list = is_sequence(object);
        if (depth > kDeepest)
            throw Error(ErrorKind::RankMismatch, "asarray",
                        text("lists are nested more than ", kDeepest, " deep"));
        if (!list && depth == shape.size()) return add_number(object);
        const Index length = list ? static_cast<Index>(nb::len(object)) : -1;
        if (numbers.empty() && depth == shape.size()) shape.push_back(length);
        if (depth >= shape.size() || length != shape[depth])
            throw Error(ErrorKind::ShapeMismatch, "asarray",
                        text("lists at depth ", depth, " differ: ", described(length), " beside ",
                             described(depth < shape.size() ? shape[depth] : -1)));
        Index held = 0;  // a class of Python's may say another length than it has
        for (const nb::handle item : object) {
            if (held++ == length) break;
            add(item, depth + 1);
        }
        if (list && held != length)
            throw Error(ErrorKind::ShapeMismatch, "asarray",
                        text("a list at depth ", depth, " says that its length is ", length,
                             " but holds another number of elements"));
    }

private:
    static std::string described(Index length) {
        return length < 0 ? "a number" : text("one of length ", length);
    }
    void add_number(nb::handle object) {
        std::optional<Value> number = number_value(object);
        if (!number && is_array(object)) number = as_value(object);  // a scalar of NumPy too
        if (number && number->rank() != 0)
            throw Error(ErrorKind::ShapeMismatch, "asarray",
                        text("a list holds an array of rank ", number->rank(),
                             " but must hold numbers: use tenferro.stack()"));
        if (!number)
            throw Error(ErrorKind::DTypeMismatch, "asarray",
                        text("a list holds ", class_name(object), ", which is not a number"));
        const DTypeInfo& kind = info(number->dtype());
        const DType wide = kind.is_complex   ? DType::C64
                           : kind.is_float   ? DType::F64
                           : kind.is_integer ? DType::I64
                                             : DType::Bool;
        const auto rank = [](DType d) {
            return d == DType::Bool ? 0 : d == DType::I64 ? 1 : d == DType::F64 ? 2 : 3;
        };
        if (rank(wide) > rank(dtype)) dtype = wide;
        const bool whole = rank(wide) < 2;
        integers.push_back(whole ? number->tensor("asarray").item<std::int64_t>() : 0);
        numbers.push_back(whole ? static_cast<double>(integers.back())
                                : number->tensor("asarray").item<std::complex<double>>());
    }
};

template <class T, class From>
Tensor row_major_tensor(const std::vector<From>& numbers, const Dims& shape) {
    Dims reversed, axes;
    std::unique_ptr<T[]> values(new T[numbers.size()]);
    for (std::size_t i = 0; i < numbers.size(); ++i) values[i] = static_cast<T>(numbers[i]);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        axes.push_back(static_cast<Index>(axis));
        reversed.push_back(shape[axis]);
    }
    const TensorRead read = TensorRead::compact(storage_dtype<T>, values.get(), reversed);
    return Tensor::copy_of(read.transpose_view(axes));
}

Tensor tensor_of_lists(nb::handle object) {
    Nested nested;
    nested.add(object, 0);
    if (nested.numbers.empty()) return Tensor::zeros(DType::F64, nested.shape);
    if (nested.dtype == DType::C64)
        return row_major_tensor<std::complex<double>>(nested.numbers, nested.shape);
    if (nested.dtype == DType::I64) return row_major_tensor<std::int64_t>(nested.integers, nested.shape);
    if (nested.dtype == DType::Bool) return row_major_tensor<bool>(nested.integers, nested.shape);
    std::vector<double> reals;
    for (const std::complex<double>& number : nested.numbers) reals.push_back(number.real());
    return row_major_tensor<double>(reals, nested.shape);
}

}  // namespace

Library library_of(nb::handle object) noexcept {
    if (Py_TYPE(object.ptr()) == tensor_type) return Library::Tenferro;
    if (is_ndarray(object.ptr())) return Library::NumPy;
    if (is_sequence(object) || PyFloat_CheckExact(object.ptr()) != 0 || PyLong_Check(object.ptr()) != 0 ||
        PyComplex_CheckExact(object.ptr()) != 0)
        return Library::None;
    if (value_of(object) != nullptr) return Library::Tenferro;
    nb::object keeps;
    const std::string_view package = package_of(object, keeps);
    if (package == "torch") return Library::Torch;
    if (package == "jaxlib" || package == "jax") return Library::Jax;
    if (package == "numpy") return Library::NumPy;
    return Library::None;
}

namespace {
/// Whether an array of torch is nothing but its memory: no gradient is recorded, no conjugate is meant.
bool is_plain(nb::handle object) {
    return object.attr("requires_grad").is(Py_False) && object.attr("is_conj")().is(Py_False) &&
           object.attr("is_neg")().is(Py_False) && object.attr("is_cpu").is(Py_True);
}
}  // namespace

Tensor import_dlpack(nb::handle object, std::optional<bool> copied) {
    if (!copied && library_of(object) == Library::Torch && is_plain(object))
        if (const ExchangeTable* table = exchange_table(object.type())) return tensor_by(*table, object);
    // PyTorch lends the memory of a tensor that stands for its negative.
    if (library_of(object) == Library::Torch && !object.attr("is_neg")().is(Py_False))
        return import_dlpack(object.attr("resolve_neg")(), copied);
    nb::object capsule;
    try {
        nb::dict arguments;
        arguments["max_version"] = nb::make_tuple(1, 0);
        if (copied) arguments["copy"] = *copied;
        capsule = object.attr("__dlpack__")(**arguments);
    } catch (nb::python_error& error) {
        if (!error.matches(PyExc_TypeError)) throw;
        capsule = object.attr("__dlpack__")();
        if (copied.value_or(false)) return tensor_of_capsule(capsule).duplicate();
    }
    return tensor_of_capsule(capsule);
}

Value as_value(nb::handle object) {
    if (const Value* value = value_of(object)) return *value;
    if (PyObject_TypeCheck(object.ptr(), tensor_type) != 0)
        throw Error(ErrorKind::InvalidArgument, "asarray",
                    "this Tensor was never made: use tenferro.asarray()");
    if (is_ndarray(object.ptr())) return Value(tensor_of_ndarray(object.ptr()));
    if (std::optional<Value> number = number_value(object)) return *std::move(number);
    if (is_sequence(object)) return Value(tensor_of_lists(object));
    if (nb::hasattr(object, "__dlpack__")) return Value(import_dlpack(object));
    if (nb::hasattr(object, "__array__")) {
        const nb::object array = nb::module_::import_("numpy").attr("asarray")(object);
        return Value(tensor_of_ndarray(array.ptr()));
    }
    throw Error(ErrorKind::DTypeMismatch, "asarray",
                text(class_name(object), " is not an array, a number or a list of numbers"));
}

nb::object give(Tensor&& tensor, Library library) {
    switch (library) {
        case Library::NumPy: return ndarray_of(std::move(tensor));
        case Library::Torch: {
            const nb::object torch = nb::module_::import_("torch");
            if (const ExchangeTable* table = exchange_table(torch.attr("Tensor")))
                return array_by(*table, std::move(tensor));
            return nb::module_::import_("torch.utils.dlpack")
                .attr("from_dlpack")(capsule_giving(std::move(tensor), false));
        }
        case Library::Jax:
            return nb::module_::import_("jax.dlpack").attr("from_dlpack")(nb::cast(Value(std::move(tensor))));
        default: return nb::cast(Value(std::move(tensor)));
    }
}

nb::object give(Value value, Library library) {
    if (value.is_traced() || library == Library::Tenferro || library == Library::None)
        return nb::cast(std::move(value));
    Tensor shared = value.tensor("result").share();
    value = Value(Tensor());
    return give(std::move(shared), library);
}

nb::object give_own(Value value, Library library) {
    if (value.is_traced() || library == Library::Tenferro || library == Library::None)
        return nb::cast(std::move(value));
    Tensor own = value.tensor("result").share();
    value = Value(Tensor());
    bool is_repeated = false;
    for (std::size_t axis = 0; axis < own.rank(); ++axis)
        is_repeated = is_repeated || (own.strides()[axis] == 0 && own.shape()[axis] > 1);
    if (!own.buffer().reusable() || is_repeated) own = copied(Value(std::move(own))).tensor("result").share();
    return give(std::move(own), library);
}

void bind_exchange(nb::module_& module) {
    module.def("_give_like", [](nb::handle value, nb::handle like) {
        const Library library = library_of(like);
        if (value_of(value) == nullptr) return give_own(as_value(value), library);
        Value* held = nb::inst_ptr<Value>(value);
        if (held->is_traced() || library == Library::Tenferro || library == Library::None)
            return nb::borrow(value);
        return give_own(std::exchange(*held, Value(Tensor())), library);
    });
}

}  // namespace tenferro::python
