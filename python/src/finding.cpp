// Functions whose results have as many elements as the values of their operand decide: they need elements,
// and so refuse traced tensors.
#include <algorithm>
#include <numeric>

#include "functions.hpp"
#include "host_operations.hpp"
#include "interrupt.hpp"
#include "tenferro/base/error.hpp"

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
    std::vector<Places> places(shape.size());
    visit_dtype(rows.dtype(), [&]<class T>() {
        const T* values = rows.data_as<T>();
        for (Index i = 0; i < rows.size(); ++i) {
            if (values[i] == T{}) continue;
            Index rest = i;
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                places[shape.size() - 1 - axis].push_back(rest % shape[axis]);
                rest /= shape[axis];
            }
        }
    });
    return places;
}

nb::tuple nonzero(nb::handle x) {
    Arguments arguments;
    const Value a = arguments.take(x);
    if (a.rank() == 0)
        throw Error(ErrorKind::RankMismatch, "nonzero", "the operand has rank 0 but must have an axis");
    const Tensor rows = in_rows(a, "nonzero");
    const auto places = unlocked(rows.size() >= kLongElements, [&] { return nonzero_places(rows); });
    nb::list list;
    for (const Places& axis : places) list.append(arguments.give(vector_of(axis)));
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
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int64_t i, std::int64_t j) { return comes_before(values[i], values[j]); });
        for (const std::int64_t place : order) {
            if (found.first.empty() || !(values[found.first.back()] == values[place])) {
                found.first.push_back(place);
                found.counts.push_back(0);
            }
            ++found.counts.back();
            found.inverse[static_cast<std::size_t>(place)] =
                static_cast<std::int64_t>(found.first.size()) - 1;
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
                          arguments.give(transpose(Value(inverse.share()))),
                          arguments.give(vector_of(found.counts)));
}

}  // namespace

void bind_finding(NamingModule& module) {
    module.def(
        "nonzero", nonzero, nb::arg("x"),
        "The int64 indices of the elements that are not 0, in row-major order: a tuple of one vector for\n"
        "each axis. ValueError for rank 0 and for traced tensors.");
    module.def("_unique", unique, nb::arg("x"));
}

}  // namespace tenferro::python
