// What linear algebra refuses: typed, in one line that names operation, matrix of the batch and value, with
// the operands unchanged, whatever the threads.
#include <gtest/gtest.h>

#include <cstring>

#include "tenferro/linalg/backend.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/tenferro.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;
using linalg::LinalgBackend;

namespace {

template <class F>
void expect_error(ErrorKind kind, const std::string& message, F&& f) {
    try {
        f();
        ADD_FAILURE() << "nothing was thrown instead of " << message;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        EXPECT_EQ(std::string(error.what()), message);
    }
}

/// Well-conditioned Hermitian matrices [n, n, 2, 3].
Tensor batch_of(Index n, DType dtype, double scale = 1) {
    Tensor all = Tensor::zeros(dtype, {n, n, 2, 3});
    visit_dtype(dtype, [&]<class T>() {
        for (Index i = 0; i < all.size(); ++i) {
            const Index row = i % n, column = i / n % n;
            all.write().data_as<T>()[i] = static_cast<T>(row == column ? 4 * scale : scale);
        }
    });
    return all;
}
/// Sets all elements of matrix [1, 2], the last, or one of them.
void spoil(Tensor& batch, Index first, Index count, double value) {
    const Index n = batch.shape()[0];
    visit_dtype(batch.dtype(), [&]<class T>() {
        for (Index i = 0; i < count; ++i)
            batch.write().data_as<T>()[5 * n * n + first + i] = static_cast<T>(value);
    });
}

using Call = std::function<void(const LinalgBackend&, const TensorRead&)>;
struct NamedCall {
    std::string name;
    bool square;
    Call call;
};
/// Every operation on a matrix; those with a second operand get the matrix itself.
const std::vector<NamedCall>& all_calls() {
    static const std::vector<NamedCall> calls{
        {"cholesky", true, [](const auto& on, const auto& a) { (void)on.cholesky_read(a); }},
        {"triangular_solve", true,
         [](const auto& on, const auto& a) { (void)on.triangular_solve_read(a, a); }},
        {"lu", false, [](const auto& on, const auto& a) { (void)on.lu_read(a); }},
        {"full_piv_lu", false, [](const auto& on, const auto& a) { (void)on.full_piv_lu_read(a); }},
        {"full_piv_lu_solve", true,
         [](const auto& on, const auto& a) { (void)on.full_piv_lu_solve_read(a, a); }},
        {"solve", true, [](const auto& on, const auto& a) { (void)on.solve_read(a, a); }},
        {"inv", true, [](const auto& on, const auto& a) { (void)on.inv_read(a); }},
        {"qr", false, [](const auto& on, const auto& a) { (void)on.qr_read(a); }},
        {"pivoted_qr", false, [](const auto& on, const auto& a) { (void)on.pivoted_qr_read(a); }},
        {"svd", false, [](const auto& on, const auto& a) { (void)on.svd_read(a); }},
        {"svdvals", false, [](const auto& on, const auto& a) { (void)on.svdvals_read(a); }},
        {"pinv", false, [](const auto& on, const auto& a) { (void)on.pinv_read(a); }},
        {"lstsq", false, [](const auto& on, const auto& a) { (void)on.lstsq_read(a, a); }},
        {"eigh", true, [](const auto& on, const auto& a) { (void)on.eigh_read(a); }},
        {"eigvalsh", true, [](const auto& on, const auto& a) { (void)on.eigvalsh_read(a); }},
        {"eig", true, [](const auto& on, const auto& a) { (void)on.eig_read(a); }},
        {"eigvals", true, [](const auto& on, const auto& a) { (void)on.eigvals_read(a); }},
        {"matrix_exp", true, [](const auto& on, const auto& a) { (void)on.matrix_exp_read(a); }}};
    return calls;
}

TEST(LinalgErrors, NotFinite) {
    for (const NamedBackend& named : linalg_backends())
        for (const DType dtype : kFloatingDTypes)
            for (const Index n : {3, 40}) {
                if (n == 40 && named.name == "reference") continue;  // whose methods depend on no size
                for (const NamedCall& op : all_calls()) {
                    SCOPED_TRACE(named.name + " " + op.name);
                    const LinalgBackend on(*named.backend);
                    for (const double value : {std::numeric_limits<double>::quiet_NaN(),
                                               -std::numeric_limits<double>::infinity()}) {
                        Tensor a = batch_of(n, dtype);
                        spoil(a, 1, 1, value);  // row 1, column 0, which every operation reads
                        const Tensor before = a.duplicate();
                        const std::string seen = std::isnan(value) ? "nan" : "-inf";
                        expect_error(ErrorKind::NonFinite,
                                     op.name + ": matrix [1, 2] of the batch: element [1, 0] is " + seen +
                                         (info(dtype).is_complex ? " + 0i" : ""),
                                     [&] { op.call(on, a); });
                        EXPECT_EQ(std::memcmp(a.data(), before.data(),
                                              static_cast<std::size_t>(a.size()) * info(dtype).bytes),
                                  0);
                    }
                    op.call(on, batch_of(n, dtype));  // the next call works
                }
            }
}

TEST(LinalgErrors, NotFiniteBesideTheMatrix) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const NamedBackend& named : linalg_backends()) {
        const LinalgBackend on(*named.backend);
        const Tensor a = batch_of(3, DType::F64);
        Tensor b = batch_of(3, DType::F64);
        spoil(b, 1, 1, nan);
        const std::string where =
            ": matrix [1, 2] of the batch: element [1, 0] of the right-hand side is nan";
        expect_error(ErrorKind::NonFinite, "triangular_solve" + where,
                     [&] { (void)on.triangular_solve_read(a, b); });
        expect_error(ErrorKind::NonFinite, "lstsq" + where, [&] { (void)on.lstsq_read(a, b); });
        expect_error(ErrorKind::NonFinite, "solve" + where, [&] { (void)on.solve_read(a, b); });
        const auto factors = on.lu_factors_read(a);
        expect_error(ErrorKind::NonFinite, "solve" + where,
                     [&] { (void)on.lu_solve_read(factors.lu, factors.rows, factors.exponent, b, {}); });
    }
}

TEST(LinalgErrors, PowersOfWhatIsNotSquare) {
    EagerContext context(default_engine().backend());
    const EagerTensor a(context, Tensor::zeros(DType::F64, {2, 3}));
    for (const Index power : {-1, 0, 1, 2})
        expect_error(ErrorKind::ShapeMismatch, "matrix_power: the matrix is 2 x 3 but must be square",
                     [&] { (void)linalg::matrix_power(a, power); });
}

TEST(LinalgErrors, DTypesAndShapes) {
    for (const NamedBackend& named : linalg_backends())
        for (const NamedCall& op : all_calls()) {
            const LinalgBackend on(*named.backend);
            for (const DType dtype : {DType::I32, DType::I64, DType::Bool})
                expect_error(ErrorKind::DTypeMismatch,
                             op.name + ": the dtype is " + std::string(info(dtype).name) +
                                 " but must be f32, f64, c32 or c64",
                             [&] {
                                 op.call(on, Tensor::zeros(dtype, {2, 2}));
                             });
            EXPECT_THROW(op.call(on, Tensor::zeros(DType::F64, {2})), Error);
            if (op.square)
                expect_error(ErrorKind::ShapeMismatch, op.name + ": the matrix is 2 x 3 but must be square",
                             [&] {
                                 op.call(on, Tensor::zeros(DType::F64, {2, 3}));
                             });
        }
    const LinalgBackend on(*linalg_backends()[1].backend);
    const Tensor a = batch_of(2, DType::F64), b = Tensor::zeros(DType::F64, {2, 1, 2, 4}),
                 c = Tensor::zeros(DType::F32, {2, 1, 2, 3}), d = Tensor::zeros(DType::F64, {3, 1, 2, 3});
    expect_error(ErrorKind::ShapeMismatch, "triangular_solve: batch axis 1 has extent 3 in lhs but 4 in rhs",
                 [&] { (void)on.triangular_solve_read(a, b); });
    expect_error(ErrorKind::DTypeMismatch, "triangular_solve: lhs has dtype f64 but rhs has f32",
                 [&] { (void)on.triangular_solve_read(a, c); });
    expect_error(ErrorKind::ShapeMismatch, "solve: batch axis 1 has extent 3 in lhs but 4 in rhs",
                 [&] { (void)on.solve_read(a, b); });
    expect_error(ErrorKind::DTypeMismatch, "solve: lhs has dtype f64 but rhs has f32",
                 [&] { (void)on.solve_read(a, c); });
    expect_error(ErrorKind::ShapeMismatch,
                 "solve: axis 0 of the right-hand side has extent 3 but the matrix is 2 x 2",
                 [&] { (void)on.solve_read(a, d); });
    expect_error(ErrorKind::ShapeMismatch,
                 "full_piv_lu_solve: axis 0 of the right-hand side has extent 3 but the matrix is 2 x 2",
                 [&] { (void)on.full_piv_lu_solve_read(a, d); });
    expect_error(ErrorKind::ShapeMismatch,
                 "lstsq: axis 0 of the right-hand side has extent 3 but the matrix is 2 x 2",
                 [&] { (void)on.lstsq_read(a, d); });
    expect_error(ErrorKind::ShapeMismatch,
                 "matrix_exp: axis 0 of the direction has extent 3 but the matrix is 2 x 2", [&] {
                     (void)on.matrix_exp_derivative_read(Tensor::zeros(DType::F64, {2, 2}),
                                                         Tensor::zeros(DType::F64, {3, 3}));
                 });
    const auto input = [](const Dims& shape) { return TracedTensor::input(DType::F64, shape); };
    expect_error(ErrorKind::ShapeMismatch,
                 "extension: family_id=tenferro-linalg.cholesky.v1: cholesky: the operand must be square: "
                 "axis 0 has extent 2 but its axis 1 has extent 3",
                 [&] {
                     (void)linalg::cholesky(input({2, 3}));
                 });
    expect_error(ErrorKind::RankMismatch, "solve: the operand has rank 1 but must have at least 2",
                 [&] { (void)linalg::solve(input({2}), input({})); });
    expect_error(ErrorKind::RankMismatch, "kron: lhs has rank 3 but rhs has 2", [&] {
        (void)linalg::kron(input({2, 2, 4}), input({2, 2}));
    });
    expect_error(ErrorKind::RankMismatch, "product: lhs has rank 2 but rhs has 3", [&] {
        (void)linalg::product(input({2, 2}), input({2, 2, 4}));
    });
}

TEST(LinalgErrors, SingularAndNotPositiveDefinite) {
    for (const NamedBackend& named : linalg_backends())
        for (const DType dtype : kFloatingDTypes)
            for (const Index n : {3, 40}) {
                SCOPED_TRACE(named.name);
                const LinalgBackend on(*named.backend);
                Tensor a = batch_of(n, dtype);
                spoil(a, 0, n * n, 0);
                const std::string where = "matrix [1, 2] of the batch: ";
                expect_error(ErrorKind::Singular, "inv: " + where + "pivot 0 is 0",
                             [&] { (void)on.inv_read(a); });
                expect_error(ErrorKind::Singular, "triangular_solve: " + where + "diagonal element 0 is 0",
                             [&] { (void)on.triangular_solve_read(a, a); });
                expect_error(ErrorKind::Singular,
                             "full_piv_lu_solve: " + where + "pivot 0 is 0 beside the first of 0",
                             [&] { (void)on.full_piv_lu_solve_read(a, a); });
                expect_error(ErrorKind::Singular, "solve: " + where + "pivot 0 is 0",
                             [&] { (void)on.solve_read(a, a); });
                const linalg::LuFactors factors = on.lu_factors_read(a);
                expect_error(ErrorKind::Singular, "solve: " + where + "pivot 0 is 0",
                             [&] { (void)on.lu_solve_read(factors.lu, factors.rows, factors.exponent, a); });
                const auto refused = [&](Index minor) {
                    return "cholesky: " + where + "the leading minor of order " + std::to_string(minor) +
                           " is not positive definite: pivot " + std::to_string(minor - 1) + " is ";
                };
                expect_error(ErrorKind::NotPositiveDefinite, refused(1) + "0",
                             [&] { (void)on.cholesky_read(a); });
                for (const double scale : {1.0, 0x1p-100}) {  // the second is scaled before
                    a = batch_of(n, dtype, scale);
                    spoil(a, n * n - 1, 1, -scale);  // the last diagonal element
                    try {
                        (void)on.cholesky_read(a);
                        ADD_FAILURE() << "nothing was thrown";
                    } catch (const Error& error) {
                        const std::string message = error.what();
                        EXPECT_EQ(error.kind(), ErrorKind::NotPositiveDefinite);
                        ASSERT_TRUE(message.starts_with(refused(n))) << message;
                        const double m = static_cast<double>(n), pivot = -1 - (m - 1) / (m + 2);
                        EXPECT_NEAR(std::stod(message.substr(refused(n).size())) / scale, pivot, 1e-5);
                    }
                }
            }
}

TEST(LinalgErrors, FactorsThatAreNotOfTheMatrix) {
    const LinalgBackend on(*linalg_backends()[1].backend);
    const linalg::LuFactors f = on.lu_factors_read(batch_of(2, DType::F64));
    const Tensor b = batch_of(2, DType::F64);
    const auto check = [&](ErrorKind kind, const std::string& message, const TensorRead& rows,
                           const TensorRead& exponent) {
        expect_error(kind, "det: " + message, [&] { (void)on.det_read(f.lu, rows, exponent); });
        expect_error(kind, "slogdet: " + message, [&] { (void)on.slogdet_read(f.lu, rows, exponent); });
        expect_error(kind, "solve: " + message, [&] { (void)on.lu_solve_read(f.lu, rows, exponent, b); });
    };
    check(ErrorKind::DTypeMismatch, "the dtype of rows is i32 but must be i64",
          Tensor::zeros(DType::I32, {2, 2, 3}), f.exponent);
    check(ErrorKind::ShapeMismatch, "the shape of rows is [2] but must be [2, 2, 3]",
          Tensor::zeros(DType::I64, {2}), f.exponent);
    check(ErrorKind::ShapeMismatch, "the shape of exponent is [] but must be [2, 3]", f.rows,
          Tensor::zeros(DType::I64, {}));
    Tensor rows = f.rows.duplicate(), exponent = f.exponent.duplicate();
    rows.write().data_as<std::int64_t>()[11] = 2;
    check(ErrorKind::InvalidArgument, "matrix [1, 2] of the batch: rows[1] is 2 but the matrix has 2 rows",
          rows, f.exponent);
    rows.write().data_as<std::int64_t>()[11] = rows.data_as<std::int64_t>()[10];
    check(ErrorKind::InvalidArgument,
          "matrix [1, 2] of the batch: rows[1] is " + std::to_string(rows.data_as<std::int64_t>()[10]) +
              " but so is one before it",
          rows, f.exponent);
    exponent.write().data_as<std::int64_t>()[5] = -1000000;
    check(ErrorKind::InvalidArgument,
          "matrix [1, 2] of the batch: the exponent is -1000000 but must be from -2048 to 2048", f.rows,
          exponent);

    const auto input = [](DType dtype, const Dims& shape) { return TracedTensor::input(dtype, shape); };
    const TracedTensor a = input(DType::F64, {2, 2});
    const auto apply = [](linalg::operations::Operation op, std::vector<TracedTensor> operands) {
        (void)extension::apply(std::move(op), std::span<const TracedTensor>(operands));
    };
    const std::string of = "extension: family_id=tenferro-linalg.", what = "what the matrix is factorised to";
    expect_error(ErrorKind::ShapeMismatch,
                 of + "det.v1: det: " + what + " axis 0 has extent 2 but rows axis 0 has extent 3", [&] {
                     apply(linalg::operations::det(), {a, a, input(DType::I64, {3}), input(DType::I64, {})});
                 });
    expect_error(ErrorKind::DTypeMismatch,
                 of + "lu_solve.v1: lu_solve: " + what + " has dtype i64 but rows has f64", [&] {
                     apply(linalg::operations::lu_solve(true, false, false),
                           {a, a, input(DType::F64, {2}), input(DType::I64, {}), a});
                 });
    expect_error(ErrorKind::DTypeMismatch,
                 of + "full_piv_lu_solve.v1: full_piv_lu_solve: " + what + " has dtype f64 but u has i64",
                 [&] {
                     apply(linalg::operations::full_piv_lu_solve(false, false),
                           {a, a, a, input(DType::I64, {2, 2}), a, a});
                 });
}

TEST(LinalgErrors, OptionsThatAreNoNumbers) {
    const LinalgBackend on(*linalg_backends()[1].backend);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Tensor a = batch_of(2, DType::F64);
    expect_error(ErrorKind::InvalidArgument, "pinv: rtol is NaN but must be a number",
                 [&] { (void)on.pinv_read(a, {.rtol = nan}); });
    expect_error(ErrorKind::InvalidArgument, "lstsq: rtol is NaN but must be a number",
                 [&] { (void)on.lstsq_read(a, a, {.rtol = nan}); });
    expect_error(ErrorKind::InvalidArgument, "pivoted_qr: tolerance is NaN but must be a number",
                 [&] { (void)on.pivoted_qr_read(a, {.tolerance = nan}); });
    expect_error(ErrorKind::InvalidArgument, "svd: derivative_eps is -1 but must not be negative",
                 [&] { (void)linalg::operations::svd({.derivative_eps = -1}); });
    expect_error(ErrorKind::InvalidArgument, "eigh: derivative_eps is nan but must not be negative",
                 [&] { (void)linalg::operations::eigh({.derivative_eps = nan}); });
    expect_error(ErrorKind::InvalidArgument, "kept_rank: cutoff is NaN but must be a number",
                 [&] { (void)linalg::kept_rank(a, {.cutoff = nan}); });
    expect_error(ErrorKind::InvalidArgument, "kept_rank: max_rank is -1 but must not be negative",
                 [&] { (void)linalg::kept_rank(a, {.max_rank = -1}); });
    expect_error(ErrorKind::DTypeMismatch, "kept_rank: the dtype is i64 but must be f32, f64, c32 or c64",
                 [&] { (void)linalg::kept_rank(Tensor::zeros(DType::I64, {3}), {}); });
}

TEST(LinalgErrors, TrianglesThatAreNotReadMayHoldAnything) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Tensor lower = Tensor::from_data<double>({4, 1, nan, 3}, {2, 2}),
                 b = Tensor::from_data<double>({4, 7}, {2, 1});
    for (const NamedBackend& named : linalg_backends()) {
        const LinalgBackend on(*named.backend);
        EXPECT_EQ(on.cholesky_read(lower)(0, 0), 2);
        EXPECT_EQ(on.triangular_solve_read(lower, b)(1, 0), 2);
        EXPECT_GT(on.eigvalsh_read(lower)(0), 0);
        EXPECT_GT(on.eigvalsh_read(lower.read().transpose_view({1, 0}), {.lower = false})(0), 0);
        EXPECT_EQ(on.triangular_solve_read(Tensor::from_data<double>({nan, 1, nan, nan}, {2, 2}), b,
                                           {.unit_diagonal = true})(1, 0),
                  3);
    }
}

TEST(LinalgErrors, ThroughGraphsTheyAreTheCause) {
    const Tensor zero = Tensor::zeros(DType::F64, {2, 2});
    const auto check = [](auto&& f) {
        try {
            f();
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_EQ(error.root_kind(), ErrorKind::Singular) << error.what();
            EXPECT_NE(std::string(error.what()).find("pivot 0 is 0"), std::string::npos) << error.what();
        }
    };
    check([&] { (void)linalg::inv(eager(zero.duplicate())); });
    const TracedTensor t = TracedTensor::input(DType::F64, {kAnyExtent, kAnyExtent});
    check([&] { (void)evaluate(linalg::solve(t, t), {{t, zero}}); });
    EXPECT_THROW((void)linalg::svd(TracedTensor::input(DType::I32, {2, 2})), Error);
    EXPECT_THROW((void)linalg::inv(TracedTensor::input(DType::F64, {2, 3})), Error);
}

TEST(LinalgErrors, ResultsAndErrorsDoNotDependOnThreads) {
    std::mt19937_64 random(7);
    Tensor batch = Tensor::zeros(DType::F64, {6, 6, 500});
    for (Index i = 0; i < batch.size(); ++i)
        batch.write().data_as<double>()[i] = std::normal_distribution<double>()(random);
    Tensor spoiled = batch.duplicate();
    for (const Index matrix : {123, 124, 400})
        std::fill_n(spoiled.write().data_as<double>() + matrix * 36, 36, 0.0);
    std::vector<double> first;
    for (const int threads : {1, 2, 3, 7}) {
        const auto backend = CpuBackend::with_threads(threads);
        const LinalgBackend on(*backend);
        const linalg::SvdTensors svd = on.svd_read(batch);
        std::vector<double> all(svd.u.data_as<double>(), svd.u.data_as<double>() + svd.u.size());
        if (first.empty()) first = all;
        EXPECT_EQ(first, all);
        expect_error(ErrorKind::Singular, "inv: matrix [123] of the batch: pivot 0 is 0",
                     [&] { (void)on.inv_read(spoiled); });
    }
}

TEST(LinalgErrors, OfDerivativesOfEigenvalues) {
    using C = std::complex<double>;
    for (const NamedBackend& named : linalg_backends()) {
        SCOPED_TRACE(named.name);
        const LinalgBackend on(*named.backend);
        const auto zeros = [](DType dtype, const Dims& shape) { return Tensor::zeros(dtype, shape); };
        const Tensor w = zeros(DType::C64, {2, 2}), zero = zeros(DType::C64, {2, 2, 2});
        Tensor v = zero.duplicate();
        for (const Index i : {0, 3, 4, 7}) v.write().data_as<C>()[i] = 1;
        Tensor bad = v.duplicate(), bad_w = w.duplicate();
        bad.write().data_as<C>()[6] = {0, std::numeric_limits<double>::quiet_NaN()};
        bad_w.write().data_as<C>()[3] = {std::numeric_limits<double>::infinity(), 0};
        const auto tangents = [&](ErrorKind kind, const std::string& message, const Tensor& values,
                                  const Tensor& vectors, const Tensor& direction) {
            expect_error(kind, "eig: " + message,
                         [&] { (void)on.eig_tangents_read(values, vectors, direction); });
        };
        const auto cotangents = [&](ErrorKind kind, const std::string& message, const Tensor& cw,
                                    const Tensor& cv, const Tensor& vectors) {
            expect_error(kind, "eig: " + message,
                         [&] { (void)on.eig_cotangents_read(w, vectors, cw, cv, true); });
        };
        const std::string dependent =
            "matrix [0] of the batch: the eigenvectors depend on each other: pivot 0 is 0";
        tangents(ErrorKind::Singular, dependent, w, zero, v);
        cotangents(ErrorKind::Singular, dependent, w, v, zero);
        tangents(ErrorKind::NonFinite, "matrix [1] of the batch: element [1] of the eigenvalues is inf + 0i",
                 bad_w, v, v);
        tangents(ErrorKind::NonFinite,
                 "matrix [1] of the batch: element [0, 1] of the eigenvectors is 0 + nani", w, bad, v);
        tangents(ErrorKind::NonFinite, "matrix [1] of the batch: element [0, 1] of the direction is 0 + nani",
                 w, v, bad);
        cotangents(ErrorKind::NonFinite,
                   "matrix [1] of the batch: element [1] of the cotangent of the eigenvalues is inf + 0i",
                   bad_w, v, v);
        cotangents(ErrorKind::NonFinite,
                   "matrix [1] of the batch: element [0, 1] of the cotangent of the eigenvectors is 0 + nani",
                   w, bad, v);
        const Tensor real = zeros(DType::F64, {2, 2, 2}), single = zeros(DType::C32, {2, 2, 2}),
                     real_w = zeros(DType::F64, {2, 2}), wide = zeros(DType::C64, {2, 3, 2}),
                     one = zeros(DType::C64, {2, 2});
        tangents(ErrorKind::DTypeMismatch,
                 "the dtype of the matrix of eigenvectors is f64 but must be c32 or c64", real_w, real, v);
        tangents(ErrorKind::DTypeMismatch, "the dtype of the vector of eigenvalues is f64 but must be c64",
                 real_w, v, v);
        tangents(ErrorKind::DTypeMismatch, "the dtype of the direction is c32 but must be f64 or c64", w, v,
                 single);
        cotangents(ErrorKind::DTypeMismatch,
                   "the dtype of the cotangent of the eigenvectors is f64 but must be c64", w, real, v);
        cotangents(ErrorKind::DTypeMismatch,
                   "the dtype of the cotangent of the eigenvalues is f64 but must be c64", real_w, v, v);
        tangents(ErrorKind::ShapeMismatch, "the matrix is 2 x 3 but must be square", w, wide, v);
        tangents(ErrorKind::RankMismatch,
                 "the vector of eigenvalues has shape [2, 2, 2] but that of the columns of the eigenvectors "
                 "has shape [2, 2]",
                 v, v, v);
        tangents(ErrorKind::RankMismatch,
                 "the direction has shape [2, 2] but the matrix of eigenvectors has shape [2, 2, 2]", w, v,
                 one);
        cotangents(ErrorKind::RankMismatch,
                   "the cotangent of the eigenvalues has shape [2, 2, 2] but the vector of eigenvalues has "
                   "shape [2, 2]",
                   v, v, v);
        cotangents(ErrorKind::RankMismatch,
                   "the cotangent of the eigenvectors has shape [2, 2] but the matrix of eigenvectors has "
                   "shape [2, 2, 2]",
                   w, one, v);
    }
}

}  // namespace
