// Arrays as indices: masks become the places at which they hold, lists of places broadcast together, and one
// gather takes what they select from what the other indices leave.
#include <algorithm>
#include <optional>
#include <vector>

#include "arithmetic.hpp"
#include "functions.hpp"
#include "indexing.hpp"
#include "promotion.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "watched.hpp"

namespace tenferro::python {

namespace {

/// An index that is an array. The empty list of Python has no dtype.
Value array_index(nb::handle item) {
    if (PyList_Check(item.ptr()) != 0 && PyList_GET_SIZE(item.ptr()) == 0)
        return Value(Tensor::zeros(DType::I64, Dims{0}));
    Value list = as_value(item);
    if (!info(list.dtype()).is_integer && list.dtype() != DType::Bool)
        throw Error(ErrorKind::DTypeMismatch, "index",
                    text("an index is an array of ", info(list.dtype()).name,
                         " but must be one of integers or bool"));
    return list;
}

/// Places along `axis`, counted from the front.
Value from_front(const Value& a, std::size_t axis, const Value& list, std::string_view op) {
    if (!info(list.dtype()).is_integer)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("indices are ", info(list.dtype()).name, " but must be integers"));
    const Index extent = known_extent(a, axis);
    const auto check = [&](std::int64_t at) {
        if (at < -extent || at >= extent)
            throw Error(ErrorKind::AxisOutOfBounds, op,
                        text("index ", at, " is out of range for axis ", axis, " of extent ", extent));
    };
    return compute(list, [&] {
        if (!list.is_traced()) {
            const Tensor places = Tensor::copy_of(in_dtype(list, DType::I64).tensor(op).read());
            const auto* const at = places.data_as<std::int64_t>();
            for_each_piece(places.size(),
                           [&](Index begin, Index end) { std::for_each(at + begin, at + end, check); });
        }
        return select(less(list, full_like(list, 0)), add(list, full_like(list, extent)), list);
    });
}

/// Indices as basic ones, which leave a part of the operand, and lists of places along axes of that part.
class Choice {
public:
    std::vector<nb::object> basic;
    std::vector<Value> lists;
    Dims axes;
    Index place = 0;  ///< of the lists' axes among the part's other axes: as NumPy has it

    Choice(const Value& a, std::span<const nb::object> items) : a_(a) {
        std::vector<std::optional<Value>> arrays;
        std::size_t used = 0;
        for (const nb::object& item : items) {
            arrays.push_back(is_basic(item) ? std::nullopt : std::optional(array_index(item)));
            if (arrays.back())
                used += arrays.back()->dtype() == DType::Bool ? arrays.back()->rank() : 1;
            else if (!item.is_none() && item.ptr() != Py_Ellipsis)
                ++used;
        }
        if (used > a.rank())
            throw Error(ErrorKind::AxisOutOfBounds, "index",
                        text("got indices for ", used, " axes of a tensor of rank ", a.rank()));
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (arrays[i])
                array(*arrays[i]);
            else if (items[i].ptr() == Py_Ellipsis)
                keep(everything_, a.rank() - used, a.rank() - used);
            else if (items[i].is_none())
                keep(items[i], 1, 0);
            else if (PySlice_Check(items[i].ptr()) != 0)
                keep(items[i], 1, 1);
            else
                integer(items[i]);
        }
        if (is_apart_) place = 0;
    }

private:
    /// `count` axes of the part, from `read` of the operand.
    void keep(const nb::object& item, std::size_t count, std::size_t read) {
        is_left_ = is_begun_;
        basic.insert(basic.end(), count, item);
        kept_ += static_cast<Index>(count);
        axis_ += read;
    }
    /// Integers and arrays stand together until another index comes between them.
    void begin() {
        if (!is_begun_) place = kept_;
        is_begun_ = true;
        is_apart_ = is_apart_ || is_left_;
    }
    void integer(const nb::object& item) {
        begin();
        basic.push_back(item);
        ++axis_;
    }
    void array(const Value& list) {
        begin();
        if (list.dtype() != DType::Bool) return choose(everything_, from_front(a_, axis_, list, "index"), 1);
        for (std::size_t axis = 0; axis < list.rank(); ++axis)
            if (!(list.extent(axis) == a_.extent(axis_ + axis)))
                throw Error(
                    ErrorKind::AxisOutOfBounds, "index",
                    text("axis ", axis, " of the mask has extent ", known_extent(list, axis), " but axis ",
                         axis_ + axis, " of the tensor has ", known_extent(a_, axis_ + axis)));
        if (list.rank() == 0)
            return choose(nb::none(), places_of(reshape(list, SymShape{1}), "index").front(), 0);
        for (const Value& places : places_of(list, "index")) choose(everything_, places, 1);
    }
    void choose(const nb::object& item, const Value& list, std::size_t read) {
        basic.push_back(item);
        axes.push_back(kept_++);
        lists.push_back(list);
        axis_ += read;
    }

    const Value& a_;
    const nb::object everything_ = nb::steal(PySlice_New(nullptr, nullptr, nullptr));
    bool is_begun_ = false, is_left_ = false, is_apart_ = false;
    std::size_t axis_ = 0;  ///< of the operand
    Index kept_ = 0;        ///< axes of the part
};

/// The elements of `a` at `lists`, of one shape, along `axes`; the axes of the lists stand before axis
/// `place` of the others.
Value gather(const Value& a, const Dims& axes, std::vector<Value> lists, Index place) {
    const SymShape batch = shape_of(lists.front());
    const auto rank = static_cast<Index>(batch.size());
    BasicGatherConfig<SymDim> config;
    SymShape shape;
    bool has_places = true;
    for (std::size_t i = 0; i < a.rank(); ++i) {
        const bool gathered = std::find(axes.begin(), axes.end(), static_cast<Index>(i)) != axes.end();
        config.slice_sizes.push_back(gathered ? SymDim(1) : a.extent(i));
        has_places = has_places && !(gathered && a.extent(i) == 0);
        if (gathered) continue;
        const auto other = static_cast<Index>(shape.size());
        config.offset_dims.push_back(other < place ? other : other + rank);
        shape.push_back(a.extent(i));
    }
    if (!has_places) {  // so there are no lists of any, and a window would not fit
        shape.insert(shape.begin() + place, batch.begin(), batch.end());
        return repeat(Value(Tensor::zeros(a.dtype(), Dims{})), std::move(shape));
    }
    config.collapsed_slice_dims = config.start_index_map = axes;
    config.index_vector_dim = rank;
    double count = a.is_traced() ? 0 : elements(lists.front());
    for (const SymDim& extent : config.slice_sizes)
        count *= static_cast<double>(extent.constant().value_or(0));
    return compute(count, [&] {
        if (lists.size() == 1) return a.apply(tensor_ops::Gather(std::move(config)), {a, lists.front()});
        SymShape column = batch;
        column.push_back(1);
        for (Value& list : lists) list = reshape(list, column);
        return a.apply(tensor_ops::Gather(std::move(config)),
                       {a, concatenate(std::span<const Value>(lists), rank)});
    });
}

}  // namespace

Value take(const Value& a, const Value& indices, Index axis) {
    const Index at = tensor_ops::from_front(axis, a.rank());
    check_axes(std::span(&at, 1), a.rank(), "take", "axis");
    return gather(a, {at}, {from_front(a, static_cast<std::size_t>(at), indices, "take")}, at);
}

Value select_with_arrays(const Value& a, std::span<const nb::object> items) {
    Choice choice(a, items);
    const Value part = select_basic(a, choice.basic);
    promote(choice.lists);
    const std::vector<Value> given = choice.lists;
    Value& first = choice.lists.front();
    for (const Value& list : choice.lists) first = broadcast(first, list).a;
    for (Value& list : choice.lists) {
        list = broadcast(list, first).a;
        if (shape_of(list) == shape_of(first)) continue;
        std::string shapes;
        for (const Value& one : given)
            shapes += (shapes.empty() ? "" : " and ") + list_text(shape_numbers(one, "index"));
        throw Error(ErrorKind::AxisOutOfBounds, "index",
                    text("arrays that select ", shapes, " do not broadcast together"));
    }
    return gather(part, choice.axes, std::move(choice.lists), choice.place);
}

}  // namespace tenferro::python
