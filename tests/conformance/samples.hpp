// What the conformance suite runs: per operation one function that draws operands and computes results on
// whatever session it is given. The same draw on two backends must give the same results.
#pragma once

#include <memory>
#include <vector>

#include "support/random_layout.hpp"
#include "tenferro/tensor/backend.hpp"

namespace tenferro::conformance {

/// What operands are made of and where.
struct Operands {
    /// NaN, infinities and -0 among the floats, the limits among the integers; else small integers only.
    bool special = false;
    /// Strides may be 0.
    bool repeats = false;
    /// In memory lent by DLPack. The same draw gives the same elements as in memory of our own.
    bool lent = false;

    [[nodiscard]] Operands own() const { return {special, repeats, false}; }
};

/// Also keeps the memory of the operands it drew, on which results may lie; destroy it after them.
class Draw : public test::Draw {
public:
    Draw(std::uint64_t seed, Operands operands) : test::Draw(seed), operands_(operands) {}
    [[nodiscard]] Operands operands() const { return operands_; }
    void keep(std::shared_ptr<const void> memory) { memory_.push_back(std::move(memory)); }

private:
    Operands operands_;
    std::vector<std::shared_ptr<const void>> memory_;
};

/// Results must be the same bits: the operation only moves elements.
inline constexpr double kSameBits = -1;

struct Sample {
    OpId op;
    /// Allowed difference in units of the result's epsilon times its magnitude; 0 asks for equality, up to
    /// the sign of zero (finite operands are small integers, on which arithmetic is exact), or kSameBits.
    double ulps;
    /// Draws operands of `dtype` and runs the operation in every form it has.
    std::vector<Tensor> (*run)(Draw& draw, DType dtype, BackendSession& session);
    /// Whether it is run on special values of a complex dtype too. Products of infinities depend on how
    /// complex numbers are multiplied, which nothing promises.
    bool special_complex = true;
    /// The dtypes that `ulps` is for; the others are compared with 0.
    DTypes approximate = kAnyDType;
};

/// One list per family; an operation of the table that is in none fails the suite.
const std::vector<Sample>& elementwise_samples();
const std::vector<Sample>& structural_samples();
const std::vector<Sample>& reduction_samples();
const std::vector<Sample>& indexing_samples();
const std::vector<Sample>& regular_samples();

/// A strided operand with the given dtype: drawn axis order, gaps, negative strides.
class Operand {
public:
    Operand(Draw& draw, DType dtype, const Dims& shape);
    /// `fill` overwrites the elements.
    Operand(Draw& draw, DType dtype, const Dims& shape, FunctionRef<void(const TensorWrite&)> fill);
    operator const TensorRead&() const { return view(); }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] const TensorRead& view() const;
    /// A tensor for an operation to consume: a compact copy, or the lent memory itself, which must survive
    /// that.
    [[nodiscard]] Tensor owned(BackendSession& session) const;

private:
    class Memory;
    template <class T>
    class MemoryOf;
    std::shared_ptr<const Memory> memory_;
};

}  // namespace tenferro::conformance
