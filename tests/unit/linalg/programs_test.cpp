// Compiled derivatives of small matrices, of which most steps run as one plan, against the same programs one
// operation after the other; and that such programs have the errors of the operations.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>

#include "runtime/matrix_runs.hpp"
#include "support/expect_error.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "tenferro/runtime/functional.hpp"
#include "tenferro/tensor/creation.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;

namespace {

using Traced = std::vector<TracedTensor>;

struct Function {
    std::string name;
    std::function<Traced(const TracedTensor&)> of;
    std::size_t least_run;  ///< segments of the longest run of each of its derivatives
};

const std::vector<Function>& functions() {
    static const std::vector<Function> all{
        {"cholesky", [](const TracedTensor& a) { return Traced{linalg::cholesky(a)}; }, 5},
        {"qr",
         [](const TracedTensor& a) {
             const auto f = linalg::qr(a);
             return Traced{f.q, f.r};
         },
         6},
        {"lu",
         [](const TracedTensor& a) {
             const auto f = linalg::lu(a);
             return Traced{f.l, f.u};
         },
         6},
        {"solve", [](const TracedTensor& a) { return Traced{linalg::solve(a, a * a)}; }, 4},
        {"eigh",
         [](const TracedTensor& a) {
             const auto f = linalg::eigh(a);
             return Traced{f.values, f.vectors * f.vectors};
         },
         5},
        {"svd",
         [](const TracedTensor& a) {
             const auto f = linalg::svd(a);
             return Traced{f.u * f.u, f.s, f.vh * f.vh};
         },
         6},
    };
    return all;
}

/// Matrices that every function is defined at, or directions.
Tensor drawn(const Dims& shape, DType dtype, bool positive, std::mt19937_64& random) {
    Tensor all = Tensor::zeros(dtype, shape);
    const Index n = shape[0];
    for (Index first = 0; first < all.size(); first += n * n) {
        Dense a = random_matrix(n, n, false, random);
        if (positive) {
            a = a * adjoint(a);
            for (Index i = 0; i < n; ++i) a(i, i) += 1.0 + static_cast<double>(i);
        }
        const Tensor one = tensor_of(a, dtype);
        visit_dtype(dtype, [&]<class T>() {
            std::copy_n(one.data_as<T>(), n * n, all.write().data_as<T>() + first);
        });
    }
    return all;
}

struct Compiled {
    std::shared_ptr<const ExecProgram> program;
    std::vector<Tensor> values;
    std::vector<TensorRead> reads;
};

/// The tangents, or the gradients of a weighted sum, for matrices of this shape; extents are symbols.
Compiled derivative(const Function& f, bool forward, DType dtype, const Dims& shape,
                    std::mt19937_64& random) {
    Dims traced = shape;
    if (traced.size() > 2) traced[2] = kAnyExtent;
    Traced inputs{TracedTensor::input(dtype, traced)};
    Compiled made;
    made.values.push_back(drawn(shape, dtype, true, random));
    const Traced y = f.of(inputs[0]);
    Traced outputs;
    if (forward) {
        inputs.push_back(TracedTensor::input(dtype, shape));
        made.values.push_back(drawn(shape, dtype, false, random));
        outputs = jvp(y, Traced{inputs[0]}, std::vector<std::optional<TracedTensor>>{inputs[1]});
    } else {
        std::optional<TracedTensor> loss;
        for (const TracedTensor& part : y) {
            const TracedTensor term = reduce_sum(part * part * part);
            loss = loss ? *loss + term : term;
        }
        outputs = grad(*loss, Traced{inputs[0]});
    }
    made.program = GraphCompiler().compile(outputs, inputs);
    made.reads.assign(made.values.begin(), made.values.end());
    return made;
}

double largest_difference(const Tensor& a, const Tensor& b) {
    double most = 0, size = 1;
    visit_dtype(a.dtype(), [&]<class T>() {
        if constexpr (std::is_floating_point_v<T>)
            for (Index i = 0; i < a.size(); ++i) {
                const double x = a.data_as<T>()[i], y = b.data_as<T>()[i];
                most = std::isnan(x) ? HUGE_VAL : std::max(most, std::abs(x - y));
                size = std::max(size, std::abs(y));
            }
    });
    return most / size;
}

TEST(SmallPrograms, GiveWhatTheirOperationsGive) {
    const auto backend = CpuBackend::with_threads(2);
    std::mt19937_64 random(5);
    for (const Function& f : functions())
        for (const bool forward : {true, false})
            for (const DType dtype : {DType::F32, DType::F64})
                for (const Index n : {1, 2, 5, 8, 9, 16})
                    for (const Dims& batch : {Dims{}, Dims{3}, Dims{11}}) {
                        Dims shape{n, n};
                        shape.append(batch);
                        SCOPED_TRACE(f.name + (forward ? " jvp " : " vjp ") + list_text(shape));
                        const Compiled d = derivative(f, forward, dtype, shape, random);
                        backend->with_backend_session([&](BackendSession& session) {
                            const auto got = d.program->run(session, d.reads),
                                       want = d.program->run_unsegmented(session, d.reads);
                            const double tolerance = dtype == DType::F32 ? 2e-3 : 2e-11;
                            for (std::size_t k = 0; k < want.size(); ++k) {
                                ASSERT_EQ(got[k].shape(), want[k].shape());
                                EXPECT_LE(largest_difference(got[k], want[k]), tolerance);
                            }
                        });
                    }
}

TEST(SmallPrograms, AreMostlyOneRun) {
    using namespace graph_runtime;
    std::mt19937_64 random(6);
    for (const Function& f : functions())
        for (const bool forward : {true, false})
            for (const Index n : {4, 17}) {
                const Compiled d = derivative(f, forward, DType::F64, {n, n, 5}, random);
                const ShapeBinding binding =
                    bind_shapes(d.program->inputs(), {}, d.program->instructions(), d.reads);
                std::uint32_t values = 0;
                for (const ExecInstruction& i : d.program->instructions())
                    values = std::max(values, i.first_output + static_cast<std::uint32_t>(i.outputs.size()));
                std::size_t longest = 0;
                for (const auto& run : find_matrix_runs(d.program->inputs(), d.program->instructions(),
                                                        d.program->segments(), {}, values, binding))
                    if (run) longest = std::max(longest, run->segments);
                if (n == 4)
                    EXPECT_GE(longest, f.least_run) << f.name << d.program->text();
                else
                    EXPECT_EQ(longest, 0u);
            }
}

TEST(SmallPrograms, HaveTheErrorsOfTheirOperations) {
    const TracedTensor l = TracedTensor::input(DType::F64, {2, 2, 3}),
                       b = TracedTensor::input(DType::F64, {2, 2, 3});
    const TracedTensor x = linalg::triangular_solve(l, b, {}), y = matmul(x, b);
    const auto program = GraphCompiler().compile({y}, {l, b});
    Tensor factors = ones(DType::F64, {2, 2, 3}), sides = ones(DType::F64, {2, 2, 3});
    for (NamedBackend& on : linalg_backends()) {
        double* const at = factors.write().data_as<double>();
        at[4] = 0;
        EXPECT_ERROR((void)program->run(*on.backend, {factors, sides}), BackendFailure,
                     "matrix [1] of the batch: diagonal element 0 is 0");
        at[4] = 1;
        at[9] = NAN;
        EXPECT_ERROR((void)program->run(*on.backend, {factors, sides}), BackendFailure,
                     "matrix [2] of the batch: element [1, 0] is nan");
        at[9] = 1e200;  // scaled by the operation, of which the result is then a number
        const std::vector<Tensor> result = program->run(*on.backend, {factors, sides});
        EXPECT_NEAR(result[0].data_as<double>()[9], -2e200, 1e185) << on.name;
        at[9] = 1;
    }
}

}  // namespace
