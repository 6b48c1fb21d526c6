// Step lists and plans: values against the definition of einsum on drawn networks, derivatives against each
// other, checks.
#include "tenferro/einsum/program.hpp"

#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro::tensor_network { namespace {

using test::Draw;
using test::element;
using test::for_each_index;
using test::StridedSample;

/// A drawn legal string over few labels, with diagonals, hyperedges, lone labels and repeated outputs, and
/// fitting shapes.
struct DrawnEinsum {
    std::string text;
    std::vector<Dims> shapes;
    std::vector<std::string> inputs;
    std::string output;
    Dims extents;  // of labels a, b, c, …

    explicit DrawnEinsum(Draw& draw) {
        const Index labels = draw.integer(1, 5), operands = draw.integer(1, 5);
        extents = draw.shape(static_cast<std::size_t>(labels), draw.integer(0, 15) == 0 ? 0 : 1, 3);
        std::string used;
        for (Index k = 0; k < operands; ++k) {
            std::string term;
            Dims shape;
            for (Index i = draw.integer(0, 3); i > 0; --i) {
                const Index label = draw.integer(0, labels - 1);
                term += static_cast<char>('a' + label);
                shape.push_back(extents[label]);
            }
            used += term;
            text += (k > 0 ? "," : "") + term;
            inputs.push_back(term);
            shapes.push_back(shape);
        }
        for (Index i = used.empty() ? 0 : draw.integer(0, 3); i > 0; --i)
            output += used[static_cast<std::size_t>(draw.integer(0, static_cast<Index>(used.size()) - 1))];
        text += "->" + output;
    }

    [[nodiscard]] Dims select(const std::string& term, const Dims& values) const {
        Dims index;
        for (const char label : term) index.push_back(values[static_cast<std::size_t>(label - 'a')]);
        return index;
    }

    /// The definition: a sum over all values of all labels that occur.
    template <class T>
    [[nodiscard]] Tensor evaluate(const std::vector<TensorRead>& operands) const {
        Dims ranges;
        for (std::size_t l = 0; l < extents.size(); ++l)
            ranges.push_back(text.find(static_cast<char>('a' + l)) == std::string::npos ? 1 : extents[l]);
        Tensor out = Tensor::zeros(storage_dtype<T>, select(output, extents));
        for_each_index(ranges, [&](const Dims& values) {
            T product = 1;
            for (std::size_t k = 0; k < operands.size(); ++k)
                product *= element<T>(operands[k], select(inputs[k], values));
            element<T>(out, select(output, values)) += product;
        });
        return out;
    }
};

template <class T>
T inner(const Tensor& a, const TensorRead& b) {
    T sum = 0;
    for_each_index(a.shape(), [&](const Dims& i) {
        if constexpr (std::is_same_v<T, double>)
            sum += element<T>(a, i) * element<T>(b, i);
        else
            sum += std::conj(element<T>(a, i)) * element<T>(b, i);
    });
    return sum;
}

template <class T>
class Plans : public ::testing::Test {};
using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(Plans, Scalars);

TYPED_TEST(Plans, ValueVjpAndJvpOfDrawnEinsums) {
    using T = TypeParam;
    const auto backend = CpuBackend::with_threads(2);
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        Draw draw(seed);
        const DrawnEinsum drawn(draw);
        SCOPED_TRACE(text("seed ", seed, ": ", drawn.text));
        std::vector<StridedSample<T>> operands, tangents;
        std::vector<TensorRead> views;
        std::vector<std::optional<TensorRead>> tangent_views;
        for (const Dims& shape : drawn.shapes) operands.emplace_back(draw, shape);
        for (const Dims& shape : drawn.shapes) tangents.emplace_back(draw, shape);
        for (const auto& operand : operands) views.push_back(operand.view());
        for (const auto& tangent : tangents)
            tangent_views.push_back(draw.integer(0, 3) == 0 ? std::nullopt
                                                            : std::optional<TensorRead>(tangent.view()));

        const EinsumPlan plan(Subscripts::parse(drawn.text), drawn.shapes);
        backend->with_backend_session([&](BackendSession& session) {
            const Tensor result = plan.run(session, views), expected = drawn.evaluate<T>(views);
            ASSERT_EQ(result.shape(), expected.shape());
            for_each_index(result.shape(),
                           [&](const Dims& i) { ASSERT_EQ(element<T>(result, i), element<T>(expected, i)); });

            // JVP by multilinearity: one operand at a time replaced by its tangent.
            const Tensor jvp = plan.jvp(session, views, tangent_views);
            Tensor sum = Tensor::zeros(storage_dtype<T>, result.shape());
            for (std::size_t k = 0; k < views.size(); ++k) {
                if (!tangent_views[k]) continue;
                std::vector<TensorRead> replaced = views;
                replaced[k] = *tangent_views[k];
                const Tensor term = drawn.evaluate<T>(replaced);
                for_each_index(sum.shape(),
                               [&](const Dims& i) { element<T>(sum, i) += element<T>(term, i); });
            }
            for_each_index(sum.shape(),
                           [&](const Dims& i) { ASSERT_EQ(element<T>(jvp, i), element<T>(sum, i)); });

            // VJP by the inner product identity <y, J x> = <J^T y, x>, complex: both sides without taking the
            // real part, which a linear map over the complex numbers allows.
            const StridedSample<T> cotangent(draw, result.shape());
            const std::vector<Tensor> gradients = plan.vjp(session, views, cotangent.view());
            T left = 0, right = 0;
            for (std::size_t k = 0; k < views.size(); ++k) {
                ASSERT_EQ(gradients[k].shape(), drawn.shapes[k]);
                if (tangent_views[k]) right += inner<T>(gradients[k], *tangent_views[k]);
            }
            left = inner<T>(backend->to_contiguous_read(cotangent.view()), sum);
            ASSERT_EQ(left, right);
        });
    }
}

TEST(Plan, FollowsAnExplicitPathAndReportsProgress) {
    const auto backend = CpuBackend::with_threads(1);
    const std::vector<Dims> shapes{{2, 3}, {3, 4}, {4, 5}};
    const EinsumPlan plan(Subscripts::parse("ij,jk,kl->il"), shapes,
                          std::vector<std::vector<int>>{{1, 2}, {0, 1}});
    EXPECT_EQ(plan.tree().merges, (std::vector<std::pair<int, int>>{{1, 2}, {0, 3}}));
    std::vector<Tensor> tensors;
    std::vector<TensorRead> views;
    for (const Dims& shape : shapes) tensors.push_back(backend->zeros(DType::F64, shape));
    for (const Tensor& tensor : tensors) views.push_back(tensor.read());
    std::vector<std::pair<std::size_t, std::size_t>> told;
    const auto count = [&](std::size_t done, std::size_t all) { told.emplace_back(done, all); };
    const Progress progress(count);
    const Tensor result = backend->with_backend_session(
        [&](BackendSession& s) { return plan.run(s, views, {.progress = &progress}); });
    EXPECT_EQ(result.shape(), (Dims{2, 5}));
    EXPECT_EQ(told, (std::vector<std::pair<std::size_t, std::size_t>>{{0, 2}, {1, 2}, {2, 2}}));
}

TEST(Plan, ChecksOperands) {
    const auto backend = CpuBackend::with_threads(1);
    const EinsumPlan plan(Subscripts::parse("ij,jk->ik"), std::vector<Dims>{{2, 3}, {3, 4}});
    const Tensor a = backend->zeros(DType::F64, Dims{2, 3}), b = backend->zeros(DType::F64, Dims{3, 4});
    const Tensor b32 = backend->zeros(DType::F32, Dims{3, 4}), mask = backend->zeros(DType::Bool, Dims{2, 3});
    backend->with_backend_session([&](BackendSession& s) {
        const std::vector<TensorRead> good{a.read(), b.read()};
        EXPECT_ERROR((void)plan.run(s, std::vector<TensorRead>{a.read()}), InvalidArgument,
                     "plan is for 2 operands but 1 were given");
        EXPECT_ERROR((void)plan.run(s, std::vector<TensorRead>{a.read(), a.read()}), ShapeMismatch,
                     "operand 1 axis 0 has extent 2 but its plan axis 0 has extent 3");
        EXPECT_ERROR((void)plan.run(s, std::vector<TensorRead>{a.read(), b32.read()}), DTypeMismatch,
                     "operand 1 has dtype f32 but operand 0 has f64");
        EXPECT_ERROR((void)plan.run(s, std::vector<TensorRead>{mask.read(), mask.read()}), Unsupported,
                     "dtype bool has no arithmetic");
        EXPECT_ERROR((void)plan.vjp(s, good, a.read()), ShapeMismatch,
                     "cotangent axis 1 has extent 3 but the result axis 1 has extent 4");
        EXPECT_ERROR((void)plan.jvp(s, good, std::vector<std::optional<TensorRead>>{b.read(), std::nullopt}),
                     TangentShapeMismatch, "tangent 0 has shape [3, 4] but its primal has shape [2, 3]");
    });
}

TEST(EinsumPlan, ResultsThatDoNotFitNameTheEinsum) {
    CpuBackend backend;
    const double one = 1;
    const auto outer = [&](Index extent) {
        const TensorRead row(DType::F64, &one, {extent}, {0});
        const std::vector<Dims> shapes{row.shape(), row.shape()};
        const EinsumPlan plan(Subscripts::parse("i,j->ij"), shapes);
        (void)plan.run(backend, std::vector{row, row});
    };
    EXPECT_ERROR(outer(Index{1} << 31), InvalidArgument,
                 "einsum: the size in bytes of shape [2147483648, 2147483648] overflows");
    EXPECT_ERROR(outer(Index{1} << 28), OutOfMemory, "einsum: 576460752303423488 bytes cannot be allocated");
}

TEST(EinsumPlan, FittingOperandsMustHaveOneDtype) {
    CpuBackend backend;
    const Tensor a = Tensor::zeros(DType::F64, Dims{2, 2}), b = Tensor::zeros(DType::F32, Dims{2, 2}),
                 c = Tensor::zeros(DType::Bool, Dims{2, 2});
    const std::vector<Dims> shapes{a.shape(), b.shape()};
    const EinsumPlan plan(Subscripts::parse("ij,jk->ik"), shapes);
    const auto run = [&](const Tensor& x, const Tensor& y) {
        backend.with_backend_session([&](BackendSession& session) {
            (void)plan.run_fitting(session, std::vector{x.read(), y.read()});
        });
    };
    EXPECT_ERROR(run(a, b), DTypeMismatch, "operand 1 has dtype f32 but operand 0 has f64");
    EXPECT_ERROR(run(c, c), Unsupported, "dtype bool has no arithmetic");
}

TEST(PlanCache, KeysBoundsAndStatistics) {
    PlanCache cache(2);
    const Tensor a = Tensor::zeros(DType::F64, Dims{2, 2}), b = Tensor::zeros(DType::F64, Dims{2, 3});
    const std::vector<TensorRead> square{a.read(), a.read()}, wide{a.read(), b.read()};
    const auto first = cache.get("ij,jk->ik", Dialect::Strict, square);
    EXPECT_EQ(cache.get("ij,jk->ik", Dialect::Strict, square), first);
    EXPECT_NE(cache.get("ij,jk->ik", Dialect::Strict, wide), first);
    EXPECT_NE(cache.get("ij,jk->ki", Dialect::Strict, square), first);
    EXPECT_EQ(cache.stats().entries, 2u);
    EXPECT_NE(cache.get("ij,jk->ik", Dialect::Strict, square), first)
        << "the least recently used plan must have gone";
    EXPECT_EQ(cache.stats().hits, 1u);
    EXPECT_EQ(cache.stats().misses, 4u);
    EXPECT_ERROR((void)cache.get("ij,jk", Dialect::Strict, square), InvalidArgument, "->");
    EXPECT_EQ(cache.stats().entries, 2u);
    cache.clear();
    EXPECT_EQ(cache.stats().entries, 0u);
}

}}  // namespace tenferro::tensor_network
