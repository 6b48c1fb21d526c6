// Steps on small matrices on the CPU, in whatever lanes, threads and layouts, against the plainest loops.
#include "tenferro/tensor/matrix_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <random>

#include "support/instruction_sets.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro::cpu { namespace {

using Value = MatrixPlan::Value;

/// One matrix, in double.
struct Plain {
    Index rows, columns;
    std::vector<double> at;

    Plain(Index m, Index n) : rows(m), columns(n), at(static_cast<std::size_t>(m * n)) {}
    double& operator()(Index i, Index j) { return at[static_cast<std::size_t>(i + j * rows)]; }
    double operator()(Index i, Index j) const { return at[static_cast<std::size_t>(i + j * rows)]; }
    [[nodiscard]] Plain transposed() const {
        Plain t(columns, rows);
        for (Index i = 0; i < rows; ++i)
            for (Index j = 0; j < columns; ++j) t(j, i) = (*this)(i, j);
        return t;
    }
};
Plain product(const Plain& a, const Plain& b) {
    Plain c(a.rows, b.columns);
    for (Index i = 0; i < c.rows; ++i)
        for (Index j = 0; j < c.columns; ++j)
            for (Index k = 0; k < a.columns; ++k) c(i, j) += a(i, k) * b(k, j);
    return c;
}

using Plains = std::vector<Plain>;  // the operands of one matrix of the batch

/// Operands of these extents, a plan of one step on them, and the same plainly.
struct StepCase {
    std::string name;
    std::vector<MatrixExtents> operands;
    std::function<MatrixPlan::MaybeValue(MatrixPlan&, const std::vector<Value>&)> step;
    std::function<Plain(const Plains&)> plainly;
};

template <class T>
class Batch {
public:
    Batch(const MatrixExtents& extents, const Dims& batch, std::mt19937_64& random) : extents_(extents) {
        Dims shape;
        if (extents.rank > 0) shape.push_back(extents.rows);
        if (extents.rank > 1) shape.push_back(extents.columns);
        shape.append(batch);
        // Axes in reverse order and with gaps, so that nothing is contiguous.
        Dims strides(shape.size(), 0);
        Index step = 2;
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            strides[axis] = step;
            step *= shape[axis] + 1;
        }
        memory_.resize(static_cast<std::size_t>(step));
        std::normal_distribution<double> normal;
        for (T& x : memory_) x = static_cast<T>(normal(random));
        for (Index i = 0; i < std::min(extents.rows, extents.columns); ++i)  // pivots are far from 0
            for_each_matrix(batch, strides, [&](Index, Index at) {
                if (extents.rank == 2) memory_[at + i * (strides[0] + strides[1])] += 4;
            });
        view_.emplace(storage_dtype<T>, memory_.data(), shape, strides);
        for_each_matrix(batch, strides, [&](Index number, Index at) { starts_[number] = at; });
    }
    [[nodiscard]] TensorWrite view() const { return *view_; }
    [[nodiscard]] Plain matrix(Index number) const {
        Plain a(extents_.rows, extents_.columns);
        for (Index i = 0; i < a.rows; ++i)
            for (Index j = 0; j < a.columns; ++j) a(i, j) = static_cast<double>(memory_[place(number, i, j)]);
        return a;
    }
    T& element(Index number, Index i, Index j) { return memory_[place(number, i, j)]; }

private:
    [[nodiscard]] std::size_t place(Index number, Index i, Index j) const {
        const Dims& strides = view_->strides();
        return static_cast<std::size_t>(starts_.at(number) + (extents_.rank > 0 ? i * strides[0] : 0) +
                                        (extents_.rank > 1 ? j * strides[1] : 0));
    }
    template <class F>
    void for_each_matrix(const Dims& batch, const Dims& strides, F&& f) {
        Index count = 1;
        for (const Index extent : batch) count *= extent;
        for (Index number = 0; number < count; ++number) {
            Index rest = number, at = 0;
            for (std::size_t axis = 0; axis < batch.size(); ++axis) {
                at += rest % batch[axis] * strides[extents_.rank + axis];
                rest /= batch[axis];
            }
            f(number, at);
        }
    }

    MatrixExtents extents_;
    std::vector<T> memory_;
    std::optional<TensorWrite> view_;
    std::map<Index, Index> starts_;
};

std::vector<StepCase> cases(Index m, Index n, Index k) {
    std::vector<StepCase> all;
    for (const bool a_transposed : {false, true})
        for (const bool b_transposed : {false, true})
            for (const bool transposed : {false, true})
                all.push_back(
                    {"multiply",
                     {a_transposed ? MatrixExtents{k, m} : MatrixExtents{m, k},
                      b_transposed ? MatrixExtents{n, k} : MatrixExtents{k, n}},
                     [=](MatrixPlan& plan, const std::vector<Value>& in) {
                         return plan.multiply({in[0], in[1], a_transposed, b_transposed, transposed});
                     },
                     [=](const Plains& in) {
                         const Plain c = product(a_transposed ? in[0].transposed() : in[0],
                                                 b_transposed ? in[1].transposed() : in[1]);
                         return transposed ? c.transposed() : c;
                     }});
    for (const bool left : {false, true})
        for (const bool lower : {false, true})
            for (const bool transpose : {false, true})
                for (const bool unit : {false, true})
                    all.push_back({"substitute",
                                   {{m, m}, left ? MatrixExtents{m, n} : MatrixExtents{n, m}},
                                   [=](MatrixPlan& plan, const std::vector<Value>& in) {
                                       return plan.substitute({in[0], in[1], left, lower, transpose, unit});
                                   },
                                   [=](const Plains& in) {  // by Gauss on the triangle, in rows
                                       Plain a(m, m), x = left ? in[1] : in[1].transposed();
                                       for (Index i = 0; i < m; ++i)
                                           for (Index j = 0; j < m; ++j)
                                               if (i == j)
                                                   a(i, j) = unit ? 1 : in[0](i, j);
                                               else if ((i > j) == lower)
                                                   a(i, j) = in[0](i, j);
                                       if (transpose == left) a = a.transposed();
                                       const bool forward = lower != (transpose == left);
                                       for (Index c = 0; c < x.columns; ++c)
                                           for (Index step = 0; step < m; ++step) {
                                               const Index i = forward ? step : m - 1 - step;
                                               for (Index j = 0; j < m; ++j)
                                                   if (j != i && a(i, j) != 0) x(i, c) -= a(i, j) * x(j, c);
                                               x(i, c) /= a(i, i);
                                           }
                                       return left ? x : x.transposed();
                                   }});
    for (const OpId op : {OpId::Neg, OpId::Add, OpId::Sub, OpId::Mul})
        for (const std::size_t rank : {0, 1, 2})
            all.push_back(
                {"combine",
                 std::vector<MatrixExtents>(2, {rank > 0 ? m : Index{1}, rank > 1 ? n : Index{1}, rank}),
                 [=](MatrixPlan& plan, const std::vector<Value>& in) {
                     return plan.combine(op, in[0], in[1]);
                 },
                 [=](const Plains& in) {
                     Plain c = in[0];
                     for (std::size_t i = 0; i < c.at.size(); ++i)
                         c.at[i] = op == OpId::Neg   ? -in[0].at[i]
                                   : op == OpId::Add ? in[0].at[i] + in[1].at[i]
                                   : op == OpId::Sub ? in[0].at[i] - in[1].at[i]
                                                     : in[0].at[i] * in[1].at[i];
                     return c;
                 }});
    all.push_back({"transpose",
                   {{m, n}},
                   [](MatrixPlan& plan, const std::vector<Value>& in) { return plan.transpose(in[0]); },
                   [](const Plains& in) { return in[0].transposed(); }});
    all.push_back({"select",
                   {{m, n}},
                   [=](MatrixPlan& plan, const std::vector<Value>& in) {
                       const auto last = static_cast<std::int32_t>(m * n - 1);
                       return plan.select(in[0], {2, 2},
                                          {{.first = 0, .by_first = 3},
                                           {.second = last, .by_second = -2},
                                           {.first = last, .second = 0, .by_first = 0.5, .by_second = 0.25},
                                           {}});
                   },
                   [=](const Plains& in) {
                       Plain c(2, 2);
                       const double first = in[0].at.front(), last = in[0].at.back();
                       c.at = {3 * first, -2 * last, 0.5 * last + 0.25 * first, 0};
                       return c;
                   }});
    for (const double sign : {-1., 0., 1.})
        for (const double part : {-0.5, 0., 0.5}) {
            if (sign == 0 && part != 0) continue;
            const MatrixExtents x = sign == 0 ? MatrixExtents{m, n} : MatrixExtents{n, n};
            all.push_back({"divide",
                           {x, {n, 1, 1}},
                           [=](MatrixPlan& plan, const std::vector<Value>& in) {
                               return plan.divide({in[0], in[1], part == 0 ? 1 : 0.5, part, sign, 0.1});
                           },
                           [=](const Plains& in) {
                               Plain c(x.rows, x.columns);
                               double peak = 0;
                               for (const double s : in[1].at) peak = std::max(peak, std::abs(s));
                               for (Index i = 0; i < c.rows; ++i)
                                   for (Index j = 0; j < c.columns; ++j) {
                                       const double by = in[1](j, 0) + (sign == 0 ? 0 : sign * in[1](i, 0));
                                       const double above =
                                           part == 0 ? in[0](i, j) : 0.5 * in[0](i, j) + part * in[0](j, i);
                                       if (std::abs(by) > 0.1 * peak) c(i, j) = above / by;
                                   }
                               return c;
                           }});
        }
    return all;
}

template <class T>
void check(const StepCase& example, const Dims& batch, BackendSession& session, std::mt19937_64& random) {
    SCOPED_TRACE(example.name);
    MatrixPlan plan(storage_dtype<T>, batch);
    std::vector<Batch<T>> operands;
    std::vector<Value> values;
    std::vector<TensorRead> in;
    for (const MatrixExtents& extents : example.operands) {
        operands.emplace_back(extents, batch, random);
        values.push_back(*plan.input(extents));
    }
    for (const Batch<T>& operand : operands) in.push_back(operand.view());
    const Value result = *example.step(plan, values);
    plan.set_outputs({result});
    Batch<T> out(plan.extents(result), batch, random);
    const TensorWrite outs[] = {out.view()};
    ASSERT_TRUE(session.execute_matrix_plan_into(plan, in, outs));
    for (Index number = 0; number < plan.count(); ++number) {
        Plains plains;
        for (const Batch<T>& operand : operands) plains.push_back(operand.matrix(number));
        const Plain got = out.matrix(number), want = example.plainly(plains);
        ASSERT_EQ(got.at.size(), want.at.size());
        double largest = 1;
        for (const double x : want.at) largest = std::max(largest, std::abs(x));
        for (std::size_t i = 0; i < want.at.size(); ++i)
            ASSERT_NEAR(got.at[i], want.at[i], 1e3 * std::numeric_limits<T>::epsilon() * largest)
                << "matrix " << number << " element " << i;
    }
}

void check_steps(const std::vector<Dims>& batches) {
    std::mt19937_64 random(7);
    for (const int threads : {1, 2}) {
        const auto backend = CpuBackend::with_threads(threads);
        backend->with_backend_session([&](BackendSession& session) {
            for (const Dims& batch : batches)
                for (const auto& [m, n, k] : {std::array<Index, 3>{1, 1, 1}, {2, 2, 2}, {3, 5, 2}, {8, 7, 8}})
                    for (const StepCase& example : cases(m, n, k)) {
                        check<double>(example, batch, session, random);
                        check<float>(example, batch, session, random);
                    }
        });
    }
}

TEST(MatrixPlans, StepsAreThoseOfPlainLoops) {
    check_steps({Dims{}, Dims{2}, Dims{3}, Dims{2, 4}, Dims{17}, Dims{5, 1, 7}});
}

TEST(MatrixPlans, StepsAreTheSameOnEveryInstructionSet) {
    testing::on_every_instruction_set([] { check_steps({Dims{}, Dims{5}, Dims{17}}); });
}

TEST(MatrixPlans, LargeBatchesAreSharedByThreads) {
    std::mt19937_64 random(8);
    const auto backend = CpuBackend::with_threads(2);
    backend->with_backend_session([&](BackendSession& session) {
        for (const StepCase& example : cases(3, 4, 2)) check<double>(example, Dims{3001}, session, random);
    });
}

/// Rows of X [n, k], by orders that are drawn and then changed by `change`(orders, exponents).
template <class T, class F>
void check_rows(Index n, Index k, const Dims& batch, bool inverse, bool taken, F&& change) {
    std::mt19937_64 random(10);
    MatrixPlan plan(storage_dtype<T>, batch);
    Batch<T> x({n, k}, batch, random), y({n, k}, batch, random);
    Batch<std::int64_t> orders({n, 1, 1}, batch, random), exponents({1, 1, 0}, batch, random);
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    for (Index number = 0; number < plan.count(); ++number) {
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        for (Index i = 0; i < n; ++i) orders.element(number, i, 0) = order[static_cast<std::size_t>(i)];
        exponents.element(number, 0, 0) = 0;
    }
    change(orders, exponents);
    const Value of_x = *plan.input({n, k}), of_order = *plan.index_input({n, 1, 1}),
                of_exponent = *plan.index_input({1, 1, 0});
    plan.set_outputs({*plan.permute({of_x, of_order, of_exponent, inverse})});
    const TensorRead in[] = {x.view(), orders.view(), exponents.view()};
    const TensorWrite out[] = {y.view()};
    CpuBackend::with_threads(1)->with_backend_session(
        [&](BackendSession& session) { ASSERT_EQ(session.execute_matrix_plan_into(plan, in, out), taken); });
    for (Index number = 0; taken && number < plan.count(); ++number)
        for (Index j = 0; j < k; ++j)
            for (Index i = 0; i < n; ++i) {
                const Index other = orders.element(number, i, 0);
                ASSERT_EQ(y.element(number, inverse ? other : i, j),
                          x.element(number, inverse ? i : other, j));
            }
}

TEST(MatrixPlans, RowsAreInTheOrderOfAFactorisation) {
    using Indices = Batch<std::int64_t>;
    testing::on_every_instruction_set([] {
        for (const Dims& batch : {Dims{}, Dims{2}, Dims{3, 7}})
            for (const bool inverse : {false, true}) {
                for (const auto& [n, k] : {std::pair<Index, Index>{1, 1}, {2, 1}, {4, 3}, {8, 8}}) {
                    check_rows<double>(n, k, batch, inverse, true, [](Indices&, Indices&) {});
                    check_rows<float>(n, k, batch, inverse, true, [](Indices&, Indices&) {});
                }
                for (const std::int64_t wrong : {std::int64_t{-1}, std::int64_t{4}, std::int64_t{1} << 60}) {
                    const auto change = [&](Indices& orders, Indices&) { orders.element(0, 2, 0) = wrong; };
                    check_rows<double>(4, 2, batch, inverse, false, change);
                    check_rows<float>(4, 2, batch, inverse, false, change);
                }
                check_rows<double>(4, 2, batch, inverse, false, [](Indices& orders, Indices&) {
                    orders.element(0, 0, 0) = orders.element(0, 3, 0);
                });
                check_rows<float>(4, 2, batch, inverse, false,
                                  [](Indices&, Indices& exponents) { exponents.element(0, 0, 0) = -1; });
            }
    });
}

/// A X = B of three matrices, of which the second is changed by `change`(a, b).
template <class T, class F>
bool substitutes(bool unit, F&& change) {
    std::mt19937_64 random(9);
    MatrixPlan plan(storage_dtype<T>, Dims{3});
    Batch<T> a({3, 3}, Dims{3}, random), b({3, 2}, Dims{3}, random), x({3, 2}, Dims{3}, random);
    change(a, b);
    const Value of_a = *plan.input({3, 3}), of_b = *plan.input({3, 2});
    plan.set_outputs({*plan.substitute({of_a, of_b, true, true, false, unit})});
    const TensorRead in[] = {a.view(), b.view()};
    const TensorWrite out[] = {x.view()};
    return CpuBackend::with_threads(1)->with_backend_session(
        [&](BackendSession& session) { return session.execute_matrix_plan_into(plan, in, out); });
}

template <class T>
void check_substitution() {
    using Operand = Batch<T>;
    using Limits = std::numeric_limits<T>;
    EXPECT_TRUE(substitutes<T>(false, [](Operand&, Operand&) {}));
    EXPECT_FALSE(substitutes<T>(false, [](Operand& a, Operand&) { a.element(1, 2, 2) = 0; }));
    EXPECT_TRUE(substitutes<T>(true, [](Operand& a, Operand&) { a.element(1, 2, 2) = 0; }));
    for (const T bad : {Limits::quiet_NaN(), Limits::infinity(), Limits::max()}) {
        EXPECT_FALSE(substitutes<T>(false, [&](Operand& a, Operand&) { a.element(1, 2, 0) = bad; }));
        EXPECT_FALSE(substitutes<T>(false, [&](Operand&, Operand& b) { b.element(1, 0, 1) = bad; }));
        // What is not read does not count.
        EXPECT_TRUE(substitutes<T>(false, [&](Operand& a, Operand&) { a.element(1, 0, 2) = bad; }));
    }
    EXPECT_FALSE(substitutes<T>(false, [&](Operand&, Operand& b) {  // all of it tiny
        for (Index i = 0; i < 3; ++i)
            for (Index j = 0; j < 2; ++j) b.element(1, i, j) = Limits::min();
    }));
    EXPECT_TRUE(substitutes<T>(false, [&](Operand&, Operand& b) {
        for (Index i = 0; i < 3; ++i)
            for (Index j = 0; j < 2; ++j) b.element(1, i, j) = 0;
    }));
}

TEST(MatrixPlans, SystemsThatAreNotOrdinaryAreLeftToTheOperation) {
    check_substitution<double>();
    check_substitution<float>();
}

}}  // namespace tenferro::cpu
