// Shape arithmetic and the axis checks whose messages every operation shares.
#include "tenferro/tensor_core/layout.hpp"

#include <algorithm>
#include <utility>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor_core/axis_marks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// For shapes with an extent that is not positive, and those that have too many elements.
[[gnu::noinline]] Index unusual_count(std::span<const Index> shape, std::string_view op) {
    for (const Index& extent : shape)
        if (extent < 0)
            throw Error(ErrorKind::InvalidArgument, op,
                        text("axis ", &extent - shape.data(), " has negative extent ", extent));
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
    throw Error(ErrorKind::InvalidArgument, op,
                text("the number of elements of shape ", list_text(shape), " overflows"));
}

[[noreturn, gnu::noinline]] void refuse_bytes(std::span<const Index> shape, std::string_view op) {
    throw Error(ErrorKind::InvalidArgument, op,
                text("the size in bytes of shape ", list_text(shape), " overflows"));
}

}  // namespace

Index element_count(std::span<const Index> shape, std::string_view op) {
    Index count = 1;
    for (const Index extent : shape)
        if (extent <= 0 || __builtin_mul_overflow(count, extent, &count)) return unusual_count(shape, op);
    return count;
}

std::size_t byte_count(std::span<const Index> shape, std::size_t element_bytes, std::string_view op) {
    Index bytes = 0;
    if (__builtin_mul_overflow(element_count(shape, op), static_cast<Index>(element_bytes), &bytes))
        refuse_bytes(shape, op);
    return static_cast<std::size_t>(bytes);
}

Dims column_major_strides(std::span<const Index> shape) {
    Dims strides(shape);
    std::uint64_t stride = 1;  // wraps only where the tensor is empty
    for (Index& at : strides) {
        const Index extent = std::exchange(at, static_cast<Index>(stride));
        if (extent != 0) stride *= static_cast<std::uint64_t>(extent);
    }
    return strides;
}

bool is_injective(std::span<const Index> shape, std::span<const Index> strides) {
    if (is_compact(shape, strides)) return true;
    Dims order;
    for (Index axis = 0; axis < static_cast<Index>(shape.size()); ++axis)
        if (shape[axis] > 1) order.push_back(axis);
    const auto step = [&](Index axis) { return strides[axis] < 0 ? -strides[axis] : strides[axis]; };
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return step(a) < step(b); });
    Index reach = 0;  // largest distance between elements over the axes so far
    for (const Index axis : order) {
        if (step(axis) <= reach) return false;
        reach += (shape[axis] - 1) * step(axis);
    }
    return true;
}

void check_axes(std::span<const Index> axes, std::size_t rank, std::string_view op, std::string_view role) {
    AxisMarks seen(rank);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] < 0 || axes[i] >= static_cast<Index>(rank))
            throw Error(ErrorKind::AxisOutOfBounds, op,
                        text(role, " axis ", axes[i], " is out of bounds for rank ", rank));
        if (!seen.mark(axes[i]))
            throw Error(ErrorKind::DuplicateAxis, op,
                        text(role, " axis ", axes[i], " is listed twice in ", list_text(axes)));
    }
}

void check_permutation(std::span<const Index> perm, std::size_t rank, std::string_view op,
                       std::string_view role, std::string_view of) {
    if (perm.size() != rank)
        throw Error(ErrorKind::RankMismatch, op,
                    text(role, " has ", perm.size(), " axes but ", of, " has rank ", rank));
    check_axes(perm, rank, op, role);
}

void throw_different_shapes(std::span<const Index> lhs, std::span<const Index> rhs, std::string_view op,
                            std::string_view lhs_name, std::string_view rhs_name) {
    if (lhs.size() != rhs.size())
        throw Error(
            ErrorKind::RankMismatch, op,
            text(lhs_name, " has shape ", list_text(lhs), " but ", rhs_name, " has shape ", list_text(rhs)));
    const auto axis =
        static_cast<std::size_t>(std::mismatch(lhs.begin(), lhs.end(), rhs.begin()).first - lhs.begin());
    throw Error(ErrorKind::ShapeMismatch, op,
                text(lhs_name, " axis ", axis, " has extent ", lhs[axis], " but ", rhs_name, " axis ", axis,
                     " has extent ", rhs[axis]));
}

}}  // namespace tenferro::TENFERRO_ABI
