// Functions whose results have as many elements as the values of their operand decide: they need elements,
// and so refuse traced tensors.
#include <algorithm>
#include <numeric>

#include "arithmetic.hpp"
#include "functions.hpp"
#include "host_operations.hpp"
#include "interrupt.hpp"
#include "tenferro/base/error.hpp"
#include "watched.hpp"

namespace tenferro::python {

namespace {

using Places = std::vector<std::int64_t>;

Value vector_of(const Places& places) {
    return Value(Tensor::from_data<std::int64_t>(std::span<const std::int64_t>(places),
                                                 {static_cast<Index>(places.size())}));
}

/// The elements in row-major order: those of the reversed axes in column-major order.
Tensor in_rows(const Value& a, std::string_view op) {
    const TensorRead view = a.tensor(op).read();
    Dims backwards = tensor_ops::all_axes(view.rank());
    std::reverse(backwards.begin(), backwards.end());
    return Tensor::copy_of(view.transpose_view(backwards));
}

/// For each axis the indices of the elements that are not 0, in row-major order.
std::vector<Places> nonzero_places(const Tensor& rows) {
    const Dims& shape = rows.shape();  // reversed
    const Index length = shape.empty() ? 1 : shape[0], lines = rows.size() == 0 ? 0 : rows.size() / length;
    std::vector<Places> places(shape.size());
    visit_dtype(rows.dtype(), [&]<class T>() {
        const T* values = rows.data_as<T>();
        const auto count =
            static_cast<std::size_t>(rows.size() - std::count(values, values + rows.size(), T{}));
        for (Places& axis : places) axis.resize(count);
        std::vector<std::int64_t> at(shape.size(), 0), found(static_cast<std::size_t>(length) + 1);
        std::size_t before = 0;
        Watch watch;
        for (Index line = 0; line < lines; ++line, values += length) {
            std::size_t here = 0;  // without a branch on the values
            for_each_piece(length, [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i) {
                    found[here] = i;
                    here += !(values[i] == T{});
                }
            });
            watch.did(length);
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                const auto to = places[shape.size() - 1 - axis].begin() + static_cast<std::ptrdiff_t>(before);
                if (axis == 0)
                    std::copy_n(found.begin(), here, to);
                else
                    std::fill_n(to, here, at[axis]);
            }
            before += here;
            for (std::size_t axis = 1; axis < shape.size() && ++at[axis] == shape[axis]; ++axis) at[axis] = 0;
        }
    });
    return places;
}

nb::tuple nonzero(nb::handle x) {
    Arguments arguments;
    const Value a = arguments.take(x);
    if (a.rank() == 0)
        throw Error(ErrorKind::RankMismatch, "nonzero", "the operand has rank 0 but must have an axis");
    nb::list list;
    for (Value& axis : places_of(a, "nonzero")) list.append(arguments.give(std::move(axis)));
    return nb::tuple(list);
}

/// Of the distinct values, in ascending order: where each is first, how often it is there; and for every
/// element which it is. NaNs are distinct.
struct Distinct {
    Places first, counts, inverse;
};
Distinct distinct(const Tensor& rows) {
    Distinct found;
    found.inverse.resize(static_cast<std::size_t>(rows.size()));
    visit_dtype(rows.dtype(), [&]<class T>() {
        const T* values = rows.data_as<T>();
        Places order(static_cast<std::size_t>(rows.size()));
        std::iota(order.begin(), order.end(), 0);
        sort_places(order,
                    [&](std::int64_t i, std::int64_t j) { return comes_before(values[i], values[j]); });
        Watch watch;
        for (const std::int64_t place : order) {
            if (found.first.empty() || !(values[found.first.back()] == values[place])) {
                found.first.push_back(place);
                found.counts.push_back(0);
            }
            ++found.counts.back();
            found.inverse[static_cast<std::size_t>(place)] =
                static_cast<std::int64_t>(found.first.size()) - 1;
            watch.did(1);
        }
    });
    return found;
}

/// (values, first places, inverse in the shape of x, counts).
nb::tuple unique(nb::handle x) {
    Arguments arguments;
    const Value a = arguments.take(x);
    const Tensor rows = in_rows(a, "unique");
    const Distinct found = unlocked(rows.size() >= kLongElements, [&] { return distinct(rows); });
    Tensor values = Tensor::zeros(rows.dtype(), Dims{static_cast<Index>(found.first.size())});
    visit_dtype(rows.dtype(), [&]<class T>() {
        T* to = values.write().template data_as<T>();
        for (const std::int64_t place : found.first) *to++ = rows.data_as<T>()[place];
    });
    const Tensor inverse =
        Tensor::from_data<std::int64_t>(std::span<const std::int64_t>(found.inverse), rows.shape());
    return nb::make_tuple(arguments.give(Value(std::move(values))), arguments.give(vector_of(found.first)),
                          arguments.give_own(transpose(Value(inverse.share()))),
                          arguments.give(vector_of(found.counts)));
}

/// The distinct elements in ascending order.
nb::object unique_values(nb::handle x) {
    Arguments arguments;
    const Value a = arguments.take(x);
    const Tensor rows = in_rows(a, "unique");
    if (!kOrdered.contains(rows.dtype())) return nb::borrow(nb::tuple(unique(x))[0]);
    return arguments.give(compute(a, [&] {
        const Value line = reshape(Value(rows.share()), SymShape{rows.size()});
        const Value sorted = sort(line, 0, false);
        std::optional<Tensor> distinct;
        visit_dtype(rows.dtype(), [&]<class T>() {
            if constexpr (kOrdered.contains(storage_dtype<T>)) {
                const T* from = sorted.eager().value().template data_as<T>();
                std::vector<T> values;
                for_each_piece(rows.size(), [&](Index begin, Index end) {
                    for (Index i = begin; i < end; ++i)
                        if (i == 0 || !(from[i] == from[i - 1])) values.push_back(from[i]);
                });
                distinct =
                    Tensor::from_data<T>(std::span<const T>(values), {static_cast<Index>(values.size())});
            }
        });
        return Value(std::move(*distinct));
    }));
}

}  // namespace

std::vector<Value> places_of(const Value& a, std::string_view op) {
    const Tensor rows = in_rows(a, op);
    std::vector<Value> vectors;
    for (const Places& axis : unlocked(rows.size() >= kLongElements, [&] { return nonzero_places(rows); }))
        vectors.push_back(vector_of(axis));
    return vectors;
}

void bind_finding(NamingModule& module) {
    module.def(
        "nonzero", nonzero, nb::arg("x"),
        "The int64 indices of the elements that are not 0, in row-major order: a tuple of one vector for\n"
        "each axis. ValueError for rank 0 and for traced tensors.");
    module.def("_unique", unique, nb::arg("x"));
    module.def("_unique_values", unique_values, nb::arg("x"));
}

}  // namespace tenferro::python
