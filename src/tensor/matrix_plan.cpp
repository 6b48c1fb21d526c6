// Plans of steps on small matrices.
#include "tenferro/tensor/matrix_plan.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// Above these extents and together these elements the ordinary operations are as fast: a single matrix
/// leaves lanes empty.
constexpr Index kLargest = 16, kLargestAlone = 8, kFewest = 4, kMostElements = 4096;

constexpr std::string_view kPlan = "matrix_plan";

}  // namespace

MatrixPlan::MatrixPlan(DType dtype, DimsView batch) try : dtype_(dtype), batch_(batch) {
    for (const Index extent : batch) count_ *= extent;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kPlan);
}

bool MatrixPlan::is_worth(const MatrixExtents& extents) const noexcept {
    const Index most = count_ < kFewest ? kLargestAlone : kLargest;
    return extents.rows > 0 && extents.rows <= most && extents.columns > 0 && extents.columns <= most &&
           elements() + extents.elements() <= kMostElements;
}

bool MatrixPlan::are_numbers(std::initializer_list<Value> values) const {
    return std::all_of(values.begin(), values.end(), [&](Value value) { return dtype(value) == dtype_; });
}

MatrixPlan::MaybeValue MatrixPlan::add(const MatrixExtents& extents, DType dtype) {
    if (!is_worth(extents)) return std::nullopt;
    Dims shape;
    if (extents.rank > 0) shape.push_back(extents.rows);
    if (extents.rank > 1) shape.push_back(extents.columns);
    shape.append(batch_);
    largest_ = std::max({largest_, extents.rows, extents.columns});
    // before which `extents` may have been those of a value
    values_.push_back({extents, dtype, elements(), std::move(shape)});
    return static_cast<Value>(values_.size() - 1);
}

MatrixPlan::MaybeValue MatrixPlan::add(const MatrixExtents& extents, Step step) try {
    const MaybeValue value = add(extents, dtype_);
    if (!value) return std::nullopt;
    steps_.push_back(std::move(step));
    results_.push_back(*value);
    return value;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kPlan);
}

MatrixPlan::MaybeValue MatrixPlan::add_input(const MatrixExtents& extents, DType dtype) try {
    const MaybeValue value = add(extents, dtype);
    if (value) inputs_.push_back(*value);
    return value;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kPlan);
}
MatrixPlan::MaybeValue MatrixPlan::input(const MatrixExtents& extents) { return add_input(extents, dtype_); }
MatrixPlan::MaybeValue MatrixPlan::index_input(const MatrixExtents& extents) {
    return add_input(extents, DType::I64);
}

MatrixPlan::MaybeValue MatrixPlan::select(Value x, const MatrixExtents& extents,
                                          std::vector<Terms> elements) {
    if (!are_numbers({x}) || static_cast<Index>(elements.size()) != extents.elements()) return std::nullopt;
    const auto is_there = [&](std::int32_t number) { return number < this->extents(x).elements(); };
    if (!std::all_of(elements.begin(), elements.end(),
                     [&](const Terms& terms) { return is_there(terms.first) && is_there(terms.second); }))
        return std::nullopt;
    return add(extents, Selection{x, std::move(elements)});
}

MatrixPlan::MaybeValue MatrixPlan::transpose(Value x) try {
    const auto [rows, columns, rank] = extents(x);
    if (rank != 2) return std::nullopt;
    std::vector<Terms> elements;
    for (Index i = 0; i < rows; ++i)
        for (Index j = 0; j < columns; ++j) elements.push_back({static_cast<std::int32_t>(i + j * rows)});
    return select(x, {columns, rows}, std::move(elements));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kPlan);
}

MatrixPlan::MaybeValue MatrixPlan::multiply(const Product& product) {
    const auto sides = [this](Value value, bool transposed) {
        const MatrixExtents& e = extents(value);
        return transposed ? std::pair(e.columns, e.rows) : std::pair(e.rows, e.columns);
    };
    const auto [m, k] = sides(product.a, product.a_transposed);
    const auto [same, n] = sides(product.b, product.b_transposed);
    if (!are_numbers({product.a, product.b}) || extents(product.a).rank != 2 ||
        extents(product.b).rank != 2 || k != same)
        return std::nullopt;
    return add(product.transposed ? MatrixExtents{n, m} : MatrixExtents{m, n}, product);
}

MatrixPlan::MaybeValue MatrixPlan::combine(OpId op, Value a, Value b) {
    const bool known = op == OpId::Neg || op == OpId::Add || op == OpId::Sub || op == OpId::Mul;
    if (!known || !are_numbers({a, b}) || extents(a) != extents(b)) return std::nullopt;
    return add(extents(a), Combination{op, a, b});
}

MatrixPlan::MaybeValue MatrixPlan::substitute(const Substitution& system) {
    const MatrixExtents &a = extents(system.a), &b = extents(system.b);
    if (!are_numbers({system.a, system.b}) || a.rank != 2 || b.rank != 2 || a.rows != a.columns ||
        (system.left ? b.rows : b.columns) != a.rows)
        return std::nullopt;
    return add(b, system);
}

MatrixPlan::MaybeValue MatrixPlan::divide(const Quotient& quotient) {
    const MatrixExtents &x = extents(quotient.x), &s = extents(quotient.s);
    if (!are_numbers({quotient.x, quotient.s}) || x.rank != 2 || s.rank != 1 || s.rows != x.columns)
        return std::nullopt;
    if ((quotient.sign != 0 || quotient.by_transpose != 0) && x.rows != x.columns) return std::nullopt;
    return add(x, quotient);
}

MatrixPlan::MaybeValue MatrixPlan::permute(const Permutation& permutation) {
    const MatrixExtents& x = extents(permutation.x);
    const bool fits = are_numbers({permutation.x}) && x.rank == 2 && dtype(permutation.order) == DType::I64 &&
                      dtype(permutation.exponent) == DType::I64 &&
                      extents(permutation.order) == MatrixExtents{x.rows, 1, 1} &&
                      extents(permutation.exponent) == MatrixExtents{1, 1, 0};
    return fits ? add(x, permutation) : std::nullopt;
}

void MatrixPlan::shrink(std::size_t count) noexcept {
    while (values_.size() > count) values_.pop_back();
    while (!inputs_.empty() && inputs_.back() >= count) inputs_.pop_back();
    while (!results_.empty() && results_.back() >= count) {
        results_.pop_back();
        steps_.pop_back();
    }
}

namespace {

using Operands = std::array<MatrixPlan::Value, 3>;
/// Those of a step, one of them perhaps twice.
Operands operands(const MatrixPlan::Step& step) {
    struct OfStep {
        Operands operator()(const MatrixPlan::Selection& s) { return {s.x, s.x, s.x}; }
        Operands operator()(const MatrixPlan::Product& p) { return {p.a, p.b, p.b}; }
        Operands operator()(const MatrixPlan::Combination& c) { return {c.a, c.b, c.b}; }
        Operands operator()(const MatrixPlan::Substitution& s) { return {s.a, s.b, s.b}; }
        Operands operator()(const MatrixPlan::Quotient& q) { return {q.x, q.s, q.s}; }
        Operands operator()(const MatrixPlan::Permutation& p) { return {p.x, p.order, p.exponent}; }
    };
    return std::visit(OfStep(), step);
}

}  // namespace

void MatrixPlan::drop_unused_inputs() try {
    std::vector<bool> used(values_.size(), false);
    for (const Step& step : steps_)
        for (const Value value : operands(step)) used[value] = true;
    std::erase_if(inputs_, [&](Value input) { return !used[input]; });
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kPlan);
}

std::optional<MatrixExtents> MatrixPlan::extents_in_batch(DimsView shape) const {
    if (shape.size() < batch_.size() || shape.size() > batch_.size() + 2) return std::nullopt;
    const std::size_t rank = shape.size() - batch_.size();
    if (!std::equal(batch_.begin(), batch_.end(), shape.begin() + static_cast<std::ptrdiff_t>(rank)))
        return std::nullopt;
    return MatrixExtents{rank > 0 ? shape[0] : 1, rank > 1 ? shape[1] : 1, rank};
}

}}  // namespace tenferro::TENFERRO_ABI
