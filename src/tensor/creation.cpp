// Creation of tensors from rules. An extent of zero is met first: nothing loops over the others then.
#include "tenferro/tensor/creation.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/elementwise/arithmetic.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// A step of 0, and numbers of which none follows another.
[[noreturn]] void refuse_range(std::string_view what) {
    throw Error(ErrorKind::InvalidArgument, "arange", what);
}

}  // namespace

namespace tfe_detail {

Tensor filled(DType dtype, const void* value, DimsView shape) {
    Tensor made = Tensor::zeros(dtype, shape);
    const std::size_t width = info(dtype).bytes;
    auto* to = static_cast<std::byte*>(made.write().data());
    for (Index left = made.size(); left > 0; --left, to += width) std::memcpy(to, value, width);
    return made;
}

template <class T>
Tensor counted(T first, T step, Index count) {
    Tensor made = Tensor::zeros(storage_dtype<T>, {count});
    T* const to = made.write().data_as<T>();
    using Wrapping = elementwise::Arithmetic<T>;  // i * step may be out of range where the sum is not
    for (Index i = 0; i < count; ++i)
        to[i] = static_cast<T>(static_cast<Wrapping>(first) +
                               static_cast<Wrapping>(i) * static_cast<Wrapping>(step));
    return made;
}
template Tensor counted(float, float, Index);
template Tensor counted(double, double, Index);
template Tensor counted(std::int32_t, std::int32_t, Index);
template Tensor counted(std::int64_t, std::int64_t, Index);

Index count_of(double first, double limit, double step) {
    if (!std::isfinite(first) || !std::isfinite(limit) || !std::isfinite(step))
        refuse_range("first, limit and step must be finite");
    if (step == 0) refuse_range("step is 0");
    const double count = std::ceil((limit - first) / step);
    if (count >= static_cast<double>(std::numeric_limits<Index>::max()))
        refuse_range("the number of elements does not fit into 64 bits");
    return count > 0 ? static_cast<Index>(count) : 0;
}

Index count_of(std::int64_t first, std::int64_t limit, std::int64_t step) {
    if (step == 0) refuse_range("step is 0");
    if (step > 0 ? limit <= first : limit >= first) return 0;
    const auto low = static_cast<std::uint64_t>(step > 0 ? first : limit),
               high = static_cast<std::uint64_t>(step > 0 ? limit : first);
    const std::uint64_t by = step > 0 ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
    const std::uint64_t count = (high - low - 1) / by + 1;
    if (count > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
        refuse_range("the number of elements does not fit into 64 bits");
    return static_cast<Index>(count);
}

}  // namespace tfe_detail

Tensor ones(DType dtype, DimsView shape) {
    return visit_dtype(dtype, [&]<class T> {
        const T one{1};
        return tfe_detail::filled(dtype, &one, shape);
    });
}

Tensor eye(DType dtype, Index rows, std::optional<Index> columns) {
    Tensor made = Tensor::zeros(dtype, {rows, columns.value_or(rows)});
    const Index diagonal = std::min(made.shape()[0], made.shape()[1]);
    visit_dtype(dtype, [&]<class T> {
        T* const to = made.write().data_as<T>();
        for (Index i = 0; i < diagonal; ++i) to[i * (rows + 1)] = T{1};
    });
    return made;
}

}}  // namespace tenferro::TENFERRO_ABI
