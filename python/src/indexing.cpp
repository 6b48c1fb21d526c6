// Basic indices become slices and reshapes, which derivatives know; views of eager tensors copy nothing.
#include "indexing.hpp"

#include <optional>

#include "arithmetic.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::python {

namespace {

/// What basic indices come to: a slice of every axis, then which axes stay, with -1 for a new one.
struct Selection {
    SymShape starts, limits;
    Dims steps, reversed;
    std::vector<Index> kept;
};

Index known_extent(const Value& a, std::size_t axis) {
    const auto extent = a.extent(axis).constant();
    if (!extent)
        throw Error(ErrorKind::Unsupported, "index", text("the extent of axis ", axis, " is not known"));
    return *extent;
}

bool is_basic(nb::handle item) {
    return PySlice_Check(item.ptr()) != 0 || item.is_none() || item.ptr() == Py_Ellipsis ||
           (PyIndex_Check(item.ptr()) != 0 && PyBool_Check(item.ptr()) == 0 &&
            !nb::hasattr(item, "__dlpack__"));
}

bool is_tensor_index(nb::handle item) { return !is_basic(item); }

class Reader {
public:
    explicit Reader(const Value& a) : a_(a) {}

    Selection read(const std::vector<nb::handle>& items) {
        std::size_t used = 0;
        bool has_ellipsis = false;
        for (const nb::handle item : items) {
            if (item.ptr() == Py_Ellipsis)
                has_ellipsis = true;
            else if (!item.is_none())
                ++used;
        }
        if (used > a_.rank())
            throw Error(ErrorKind::AxisOutOfBounds, "index",
                        text("got ", used, " indices for a tensor of rank ", a_.rank()));
        for (const nb::handle item : items) {
            if (item.is_none())
                selection_.kept.push_back(-1);
            else if (item.ptr() == Py_Ellipsis)
                all(a_.rank() - used);
            else
                one(item);
        }
        if (!has_ellipsis) all(a_.rank() - axis_);
        return std::move(selection_);
    }

private:
    void all(std::size_t axes) {
        for (; axes > 0; --axes) part(0, a_.extent(axis_), 1, true);
    }
    void one(nb::handle item) {
        const Index extent = known_extent(a_, axis_);
        if (PySlice_Check(item.ptr()) != 0) {
            Py_ssize_t start = 0, stop = 0, step = 1;
            if (PySlice_Unpack(item.ptr(), &start, &stop, &step) != 0) throw nb::python_error();
            const Index length = PySlice_AdjustIndices(extent, &start, &stop, step);
            if (length == 0) return part(0, 0, 1, true);
            // A descending slice is an ascending one, reversed.
            const Index last = start + (length - 1) * step;
            if (step < 0) selection_.reversed.push_back(static_cast<Index>(axis_));
            return part(std::min(start, last), std::max(start, last) + 1, std::abs(step), true);
        }
        const Index index = PyNumber_AsSsize_t(item.ptr(), PyExc_IndexError);
        if (index == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
        if (index < -extent || index >= extent)
            throw Error(ErrorKind::AxisOutOfBounds, "index",
                        text("index ", index, " is out of range for axis ", axis_, " of extent ", extent));
        const Index place = index < 0 ? index + extent : index;
        part(place, place + 1, 1, false);
    }
    void part(SymDim start, SymDim limit, Index step, bool stays) {
        selection_.starts.push_back(std::move(start));
        selection_.limits.push_back(std::move(limit));
        selection_.steps.push_back(step);
        if (stays) selection_.kept.push_back(static_cast<Index>(axis_));
        ++axis_;
    }

    const Value& a_;
    Selection selection_;
    std::size_t axis_ = 0;
};

/// On eager memory the same elements, seen.
Value view_of(const Tensor& tensor, const Selection& selection) {
    Dims starts, limits;
    for (const SymDim& start : selection.starts) starts.push_back(*start.constant());
    for (const SymDim& limit : selection.limits) limits.push_back(*limit.constant());
    const TensorRead part =
        tensor.read().slice_view(starts, limits, selection.steps).reverse_view(selection.reversed);
    Dims shape, strides;
    for (const Index axis : selection.kept) {
        shape.push_back(axis < 0 ? 1 : part.shape()[static_cast<std::size_t>(axis)]);
        strides.push_back(axis < 0 ? 1 : part.strides()[static_cast<std::size_t>(axis)]);
    }
    return Value(tensor.share_as(TensorRead(tensor.dtype(), part.data(), shape, strides)));
}

Value select_basic(const Value& a, const std::vector<nb::handle>& items) {
    Selection selection = Reader(a).read(items);
    if (!a.is_traced() && !a.eager().requires_grad()) return view_of(a.tensor("index"), selection);
    Value part =
        slice(a, std::move(selection.starts), std::move(selection.limits), std::move(selection.steps));
    if (!selection.reversed.empty()) part = reverse(part, std::move(selection.reversed));
    SymShape shape;
    for (const Index axis : selection.kept)
        shape.push_back(axis < 0 ? SymDim(1) : part.extent(static_cast<std::size_t>(axis)));
    return reshape(part, std::move(shape));
}

/// The indices at which a mask of rank 1 holds.
Value places_of(const Value& mask) {
    const TensorRead flags = mask.tensor("index").read();
    std::vector<std::int64_t> places;
    for (Index i = 0; i < flags.size(); ++i)
        if (flags.at<bool>(i)) places.push_back(i);
    return Value(Tensor::from_data<std::int64_t>(std::span<const std::int64_t>(places),
                                                 {static_cast<Index>(places.size())}));
}

/// `a` with its first `axes` axes as one, in row-major order of their indices, as masks are read.
Value rows_joined(const Value& a, std::size_t axes) {
    Dims perm, back;
    for (std::size_t axis = axes; axis-- > 0;) perm.push_back(static_cast<Index>(axis));
    for (std::size_t axis = axes; axis < a.rank(); ++axis) perm.push_back(static_cast<Index>(axis));
    SymDim joined = 1;
    SymShape shape;
    for (std::size_t axis = 0; axis < axes; ++axis) joined = joined * a.extent(axis);
    shape.push_back(joined);
    for (std::size_t axis = axes; axis < a.rank(); ++axis) shape.push_back(a.extent(axis));
    return reshape(transpose(a, std::move(perm)), std::move(shape));
}

Value masked(const Value& a, const Value& mask) {
    for (std::size_t axis = 0; axis < mask.rank(); ++axis)
        if (axis >= a.rank() || !(a.extent(axis) == mask.extent(axis)))
            throw Error(ErrorKind::AxisOutOfBounds, "index",
                        text("the mask has shape ", list_text(shape_numbers(mask, "index")),
                             " but the tensor has ", list_text(shape_numbers(a, "index"))));
    const Value flat = mask.rank() == 1 ? mask : rows_joined(mask, mask.rank());
    return take(rows_joined(a, mask.rank()), places_of(flat), 0);
}

}  // namespace

Value take(const Value& a, const Value& indices, Index axis) {
    if (!info(indices.dtype()).is_integer)
        throw Error(ErrorKind::DTypeMismatch, "take",
                    text("indices are ", info(indices.dtype()).name, " but must be integers"));
    const Index at = tensor_ops::from_front(axis, a.rank());
    check_axes(std::span(&at, 1), a.rank(), "take", "axis");
    const Index extent = known_extent(a, static_cast<std::size_t>(at));
    if (!indices.is_traced()) {
        const TensorRead list = indices.tensor("take").read();
        const Tensor compact = Tensor::copy_of(list);
        for (Index i = 0; i < compact.size(); ++i) {
            const std::int64_t index = compact.dtype() == DType::I64 ? compact.data_as<std::int64_t>()[i]
                                                                     : compact.data_as<std::int32_t>()[i];
            if (index < -extent || index >= extent)
                throw Error(ErrorKind::AxisOutOfBounds, "take",
                            text("index ", index, " is out of range for axis ", at, " of extent ", extent));
        }
    }
    const Value zero = full_like(indices, 0);
    const Value places = select(less(indices, zero), add(indices, full_like(indices, extent)), indices);
    BasicGatherConfig<SymDim> config;
    for (std::size_t i = 0; i < a.rank(); ++i) {
        const bool gathered = static_cast<Index>(i) == at;
        config.slice_sizes.push_back(gathered ? SymDim(1) : a.extent(i));
        if (!gathered)
            config.offset_dims.push_back(
                static_cast<Index>(static_cast<Index>(i) < at ? i : i - 1 + indices.rank()));
    }
    config.collapsed_slice_dims.push_back(at);
    config.start_index_map.push_back(at);
    config.index_vector_dim = static_cast<Index>(indices.rank());
    return a.apply(tensor_ops::Gather(std::move(config)), {a, places});
}

Value indexed(const Value& a, nb::handle index) {
    std::vector<nb::handle> items;
    if (PyTuple_Check(index.ptr()) != 0)
        for (const nb::handle item : index) items.push_back(item);
    else
        items.push_back(index);
    std::optional<std::size_t> chosen;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!is_tensor_index(items[i])) continue;
        if (chosen) throw Error(ErrorKind::Unsupported, "index", "more than one index that is an array");
        chosen = i;
    }
    if (!chosen) return select_basic(a, items);
    const Value list = as_value(items[*chosen]);
    if (items.size() == 1) return list.dtype() == DType::Bool ? masked(a, list) : take(a, list, 0);
    // Beside slices: an axis of its own, then the rest.
    std::size_t axis = 0;
    for (std::size_t i = 0; i < *chosen; ++i) {
        if (PySlice_Check(items[i].ptr()) == 0)
            throw Error(ErrorKind::Unsupported, "index", "an array stands beside indices other than slices");
        ++axis;
    }
    const nb::object everything = nb::steal(PySlice_New(nullptr, nullptr, nullptr));
    items[*chosen] = everything;
    const Value part = select_basic(a, items);
    return take(part, list.dtype() == DType::Bool ? places_of(list) : list, static_cast<Index>(axis));
}

void bind_indexing(nb::class_<Value>& tensor) {
    tensor
        .def(
            "__getitem__", [](const Value& a, nb::handle index) { return indexed(a, index); },
            nb::arg("index").none(),
            "Integers, slices, ..., None: a view. A mask, or an array of integers beside slices: a copy.")
        .def("__len__",
             [](const Value& a) {
                 if (a.rank() == 0) throw nb::type_error("len() of a tensor of rank 0");
                 return known_extent(a, 0);
             })
        .def("__iter__", [](nb::handle a) {
            nb::list rows;
            const auto count = static_cast<Index>(nb::len(a));
            for (Index i = 0; i < count; ++i) rows.append(a[nb::int_(i)]);
            return nb::iter(rows);
        });
}

}  // namespace tenferro::python
