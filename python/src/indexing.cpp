// Basic indices become slices and reshapes, which derivatives know; views of eager tensors copy nothing.
#include "indexing.hpp"

#include <algorithm>

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

class Reader {
public:
    explicit Reader(const Value& a) : a_(a) {}

    Selection read(std::span<const nb::object> items) {
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

}  // namespace

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

Value select_basic(const Value& a, std::span<const nb::object> items) {
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

std::optional<Box> box_of(const Value& a, std::span<const nb::object> items) {
    if (!std::all_of(items.begin(), items.end(), is_basic)) return std::nullopt;
    const Selection selection = Reader(a).read(items);
    if (!selection.reversed.empty() ||
        !std::all_of(selection.steps.begin(), selection.steps.end(), [](Index step) { return step == 1; }))
        return std::nullopt;
    Box box;
    for (std::size_t axis = 0; axis < a.rank(); ++axis) {
        box.starts.push_back(*selection.starts[axis].constant());
        box.extents.push_back(selection.limits[axis] - selection.starts[axis]);
    }
    return box;
}

std::vector<nb::object> items_of(nb::handle index) {
    std::vector<nb::object> items;
    if (PyTuple_Check(index.ptr()) != 0)
        for (const nb::handle item : index) items.push_back(nb::borrow(item));
    else
        items.push_back(nb::borrow(index));
    if (std::count_if(items.begin(), items.end(), [](nb::handle i) { return i.is(nb::ellipsis()); }) > 1)
        throw Error(ErrorKind::AxisOutOfBounds, "index", "more than one index is '...'");
    return items;
}

Value indexed(const Value& a, nb::handle index) {
    const std::vector<nb::object> items = items_of(index);
    return std::all_of(items.begin(), items.end(), is_basic) ? select_basic(a, items)
                                                             : select_with_arrays(a, items);
}

void bind_indexing(nb::class_<Value>& tensor) {
    tensor
        .def(
            "__getitem__", [](const Value& a, nb::handle index) { return indexed(a, index); },
            nb::arg("index").none(),
            "Integers, slices, ..., None: a view. With masks or arrays of integers a copy, as NumPy's.")
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
