// Reductions over axes. Sums are linear; a maximum shares its tangent equally among the elements that attain
// it; a product follows the product rule along a tree of halves, or, where the extents are not known, divides
// by the elements that are not 0.
#include <algorithm>

#include "ops/derivatives.hpp"
#include "ops/infer.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

namespace {

Dims kept_axes(std::size_t rank, const Dims& axes) {
    Dims kept;
    for (const Index axis : all_axes(rank))
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) kept.push_back(axis);
    return kept;
}

/// `y`, a reduction of x over `axes`, in the shape of x.
Expr spread(const Expr& y, const Expr& x, const Dims& axes) {
    return broadcast_in_dim(y, shape_of(x), kept_axes(x.rank(), axes));
}

/// Nothing attains the extreme of nothing, whose tangent is 0, nor a NaN, whose tangent is NaN.
std::optional<Expr> extreme_tangent(const Expr& x, const Expr& y, const Expr& dx, const Dims& axes) {
    const SymDim count = element_count(extents_at(x.meta(), axes));
    if (count == SymDim(0)) return std::nullopt;
    const Expr attained = select(equal(x, spread(y, x, axes)), full_like(x, 1), full_like(x, 0));
    Expr shares = reduce_sum(attained, axes);
    if (!count.constant()) shares = select(equal(y, y), maximum(shares, full_like(shares, 1)), shares);
    return reduce_sum(dx * attained, axes) / shares;
}

/// The derivative by an element is the product of the others: with no zero the whole product over the
/// element; with one, the product of the rest at that element and 0 elsewhere. What is 0 is written as a
/// multiple of the elements that are 0, so that the derivative of the result is right too; that of the
/// derivative is, where at most one element is 0.
Expr quotient_tangent(const Expr& x, const Expr& dx, const Dims& axes) {
    const Expr one = full_like(x, 1), zero = full_like(x, 0);
    const Expr is_zero = equal(x, zero);
    const Expr safe = select(is_zero, one, x);
    const Expr rest = spread(reduce_prod(safe, axes), x, axes);
    const Expr zeros = spread(reduce_sum(select(is_zero, one, zero), axes), x, axes);
    const Expr of_zeros = spread(reduce_sum(select(is_zero, x, zero), axes), x, axes), quotient = rest / safe;
    const Expr with_one = select(is_zero, rest, quotient * of_zeros),
               with_two = select(is_zero, rest * (of_zeros - x), zero);
    const Expr others =
        select(equal(zeros, zero), quotient,
               select(equal(zeros, one), with_one, select(equal(zeros, full_like(x, 2)), with_two, zero)));
    return reduce_sum(dx * others, axes);
}

/// The elements from, from + 1, … before `to` of the last axis.
Expr part(const Expr& a, Index from, Index to) {
    SymShape starts(a.rank(), SymDim(0)), limits = shape_of(a);
    starts.back() = from;
    limits.back() = to;
    return slice(a, std::move(starts), std::move(limits), Dims(a.rank(), 1));
}

/// The tangent of the product over the last axis, of known extent n > 0, which stays with extent 1.
Expr tree_tangent(Expr x, Expr dx, Index n) {
    const Index last = static_cast<Index>(x.rank()) - 1;
    while (n > 1) {
        const Index half = n / 2;
        const Expr a = part(x, 0, half), b = part(x, half, 2 * half), da = part(dx, 0, half),
                   db = part(dx, half, 2 * half);
        const Expr product = a * b, tangent = da * b + a * db;
        const bool odd = n % 2 != 0;
        x = odd ? concatenate({product, part(x, n - 1, n)}, last) : product;
        dx = odd ? concatenate({tangent, part(dx, n - 1, n)}, last) : tangent;
        n = half + n % 2;
    }
    return dx;
}

std::optional<Expr> product_tangent(const Expr& x, const Expr& y, const Expr& dx, const Dims& axes) {
    const SymDim count = element_count(extents_at(x.meta(), axes));
    if (!count.constant()) return quotient_tangent(x, dx, axes);
    if (*count.constant() == 0) return std::nullopt;
    Dims perm = kept_axes(x.rank(), axes);
    SymShape flat = extents_at(x.meta(), perm);
    flat.push_back(count);
    perm.append(axes);
    const auto flattened = [&](const Expr& a) { return reshape(transpose(a, perm), flat); };
    return reshape(tree_tangent(flattened(x), flattened(dx), *count.constant()), shape_of(y));
}

}  // namespace

TensorMeta Reduction::infer_one(std::span<const TensorMeta> in) const {
    return SymbolicRules::reduction(op, in[0], axes);
}

Tensor Reduction::run(BackendSession& session, std::span<const TensorRead> in) const {
    return session.reduce_read(op, in[0], axes);
}

std::optional<Expr> Reduction::tangent(const TangentArgs& args) const {
    const Expr &x = args.x[0], &dx = *args.dx[0];
    switch (op) {
        case OpId::ReduceSum: return reduce_sum(dx, axes);
        case OpId::ReduceProd: return product_tangent(x, args.y, dx, axes);
        default: return extreme_tangent(x, args.y, dx, axes);  // Max and Min; Any and All are inactive
    }
}

std::vector<std::optional<Expr>> Reduction::cotangents(const CotangentArgs& args) const {
    if (op != OpId::ReduceSum) throw_not_linear();
    return {spread(args.ct, args.inputs[0], axes)};
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
