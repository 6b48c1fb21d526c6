// MatrixPlan: operations on small matrices, one after the other, as one backend-neutral value made for
// certain extents. A backend that takes it computes all of it while the matrices are in the first cache,
// several matrices of a batch side by side in the lanes of vectors.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "tenferro/tensor/op_table.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// A value of a plan: a number for each matrix of the batch, a vector [N] or a matrix [M, N], by its rank.
struct MatrixExtents {
    Index rows = 1, columns = 1;
    std::size_t rank = 2;

    [[nodiscard]] Index elements() const noexcept { return rows * columns; }
    friend bool operator==(const MatrixExtents&, const MatrixExtents&) = default;
};

/// A plan in the making: each function adds a step and returns the number of its result. Operands are numbers
/// of values that are there; all have the plan's dtype but orders and exponents, which are I64. The functions
/// return nothing where a step does not fit its operands, is too large to be worth it, or is not one of the
/// plan's.
class TENFERRO_API MatrixPlan {
public:
    using Value = std::uint32_t;
    using MaybeValue = std::optional<Value>;
    using Values = std::span<const Value>;

    /// What an element of a result is: the sum of two elements of the operand, numbered column by column, by
    /// weights; without the element and its weight where the number is kNone.
    struct Terms {
        static constexpr std::int32_t kNone = -1;
        std::int32_t first = kNone, second = kNone;
        double by_first = 1, by_second = 1;
    };
    struct Selection {
        Value x;
        std::vector<Terms> elements;
    };
    /// op(A) op(B), or its transpose.
    struct Product {
        Value a, b;
        bool a_transposed, b_transposed, transposed;
    };
    /// Neg of a, or Add, Sub or Mul.
    struct Combination {
        OpId op;
        Value a, b;
    };
    /// X of op(A) X = B, or on the right of X op(A) = B, for the triangle of A that is read.
    struct Substitution {
        Value a, b;
        bool left, lower, transpose, unit_diagonal;
    };
    /// The part (a X + b X^T) of X divided by s_j + sign s_i, where that is more than `least` times the
    /// largest |s|, else 0.
    struct Quotient {
        Value x, s;
        double by_x, by_transpose, sign, least;
    };
    /// The rows of X in the order of an LU factorisation: row i of the result is row order[i], or with
    /// `inverse` row order[i] of the result is row i. The plan gives up where that is no permutation or
    /// `exponent` is not 0.
    struct Permutation {
        Value x, order, exponent;
        bool inverse;
    };
    using Step = std::variant<Selection, Product, Combination, Substitution, Quotient, Permutation>;

    /// Of F32 or F64, for `batch` many matrices of each value.
    MatrixPlan(DType dtype, DimsView batch);

    [[nodiscard]] MaybeValue input(const MatrixExtents& extents);
    /// One of I64.
    [[nodiscard]] MaybeValue index_input(const MatrixExtents& extents);
    [[nodiscard]] MaybeValue select(Value x, const MatrixExtents& extents, std::vector<Terms> elements);
    [[nodiscard]] MaybeValue transpose(Value x);
    [[nodiscard]] MaybeValue multiply(const Product& product);
    [[nodiscard]] MaybeValue combine(OpId op, Value a, Value b);
    [[nodiscard]] MaybeValue substitute(const Substitution& system);
    [[nodiscard]] MaybeValue divide(const Quotient& quotient);
    [[nodiscard]] MaybeValue permute(const Permutation& permutation);
    /// Inputs that no step reads are none any more.
    void drop_unused_inputs();
    /// Values that are results, in order.
    void set_outputs(std::vector<Value> values) { outputs_ = std::move(values); }
    /// Forgets the values from `count` on and the steps that made them.
    void shrink(std::size_t count) noexcept;

    [[nodiscard]] DType dtype() const noexcept { return dtype_; }
    [[nodiscard]] DType dtype(Value value) const { return values_[value].dtype; }
    [[nodiscard]] const Dims& batch() const noexcept { return batch_; }
    [[nodiscard]] Index count() const noexcept { return count_; }
    /// The extents of a value with its batch.
    [[nodiscard]] const Dims& shape(Value value) const { return values_[value].shape; }
    /// The extents of a value of that shape in this batch; nothing where it is not of it.
    [[nodiscard]] std::optional<MatrixExtents> extents_in_batch(DimsView shape) const;
    [[nodiscard]] const MatrixExtents& extents(Value value) const { return values_[value].extents; }
    /// Where a value begins, in elements of one matrix after the other.
    [[nodiscard]] Index place(Value value) const { return values_[value].place; }
    /// The elements of all values.
    [[nodiscard]] Index elements() const noexcept {
        return values_.empty() ? 0 : values_.back().place + values_.back().extents.elements();
    }
    /// The most rows or columns of a value.
    [[nodiscard]] Index largest() const noexcept { return largest_; }
    [[nodiscard]] std::size_t values() const noexcept { return values_.size(); }
    [[nodiscard]] const std::vector<Value>& inputs() const noexcept { return inputs_; }
    [[nodiscard]] const std::vector<Step>& steps() const noexcept { return steps_; }
    /// The result of a step.
    [[nodiscard]] Value result(std::size_t step) const { return results_[step]; }
    [[nodiscard]] const std::vector<Value>& outputs() const noexcept { return outputs_; }

private:
    struct Known {
        MatrixExtents extents;
        DType dtype;
        Index place;
        Dims shape;
    };

    [[nodiscard]] bool is_worth(const MatrixExtents& extents) const noexcept;
    /// Whether all are of the plan's dtype.
    [[nodiscard]] bool are_numbers(std::initializer_list<Value> values) const;
    MaybeValue add(const MatrixExtents& extents, DType dtype);
    MaybeValue add_input(const MatrixExtents& extents, DType dtype);
    MaybeValue add(const MatrixExtents& extents, Step step);

    DType dtype_;
    Dims batch_;
    Index count_ = 1, largest_ = 0;
    std::vector<Known> values_;
    std::vector<Value> inputs_, results_, outputs_;
    std::vector<Step> steps_;
};

}}  // namespace tenferro::TENFERRO_ABI
