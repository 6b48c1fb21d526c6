// How often matrices are factorised: derivatives of every operation, by programs, eager tensors and the C
// functions, use the factors of the function itself. The kernels that backends use are counted.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "linalg/kernels/matrix_kernels.hpp"
#include "tenferro.h"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/linalg/norms.hpp"
#include "tenferro/linalg/operations.hpp"
#include "tenferro/linalg/spectral.hpp"
#include "tenferro/runtime/functional.hpp"
#include "tenferro/tenferro.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;

namespace {

using Counts = std::map<std::string, int>;
Counts counted;

int total_of(const Counts& counts) {
    int sum = 0;
    for (const auto& [name, count] : counts) sum += count;
    return sum;
}

/// The kernels of a set, counted; substitution with factors is none.
template <class T>
class Counting final : public linalg::MatrixKernels<T> {
public:
    using R = linalg::RealOf<T>;
    using C = linalg::ComplexOf<T>;
    using Scratch = linalg::Scratch;

    explicit Counting(const linalg::MatrixKernelSet& set) : inner_(set.of<T>()) {}
    void multiply(bool add, Index n, const T* a, const T* b, T* c, Scratch& scratch) const override {
        inner_.multiply(add, n, a, b, c, scratch);
    }
    Index cholesky(Index n, T* a, Scratch& scratch) const override {
        ++counted["cholesky"];
        return inner_.cholesky(n, a, scratch);
    }
    void triangular_solve(const linalg::TriangularOptions& options, Index n, Index k, const T* a, T* b,
                          Scratch& scratch) const override {
        inner_.triangular_solve(options, n, k, a, b, scratch);
    }
    int lu(Index m, Index n, T* a, std::int64_t* rows, Scratch& scratch) const override {
        ++counted["lu"];
        return inner_.lu(m, n, a, rows, scratch);
    }
    int full_piv_lu(Index m, Index n, T* a, std::int64_t* rows, std::int64_t* columns,
                    Scratch& scratch) const override {
        ++counted["full_piv_lu"];
        return inner_.full_piv_lu(m, n, a, rows, columns, scratch);
    }
    void qr(Index m, Index n, Index k, T* a, T* q, T* r, std::int64_t* columns,
            Scratch& scratch) const override {
        ++counted["qr"];
        inner_.qr(m, n, k, a, q, r, columns, scratch);
    }
    bool svd(Index m, Index n, bool full, T* a, T* u, R* s, T* vh, Scratch& scratch) const override {
        ++counted[u != nullptr ? "svd" : "svdvals"];
        return inner_.svd(m, n, full, a, u, s, vh, scratch);
    }
    bool eigh(Index n, bool vectors, T* a, R* w, Scratch& scratch) const override {
        ++counted[vectors ? "eigh" : "eigvalsh"];
        return inner_.eigh(n, vectors, a, w, scratch);
    }
    bool eig(Index n, T* a, C* w, C* v, Scratch& scratch) const override {
        ++counted[v != nullptr ? "eig" : "eigvals"];
        return inner_.eig(n, a, w, v, scratch);
    }

private:
    const linalg::MatrixKernels<T>& inner_;
};

/// Counts while it lives.
class Counter {
public:
    Counter() {
        linalg::kernels_in_place_of = [](const linalg::MatrixKernelSet&) -> const linalg::MatrixKernelSet& {
            static const linalg::KernelSetOf<Counting> counting(linalg::builtin_kernels());
            return counting;
        };
    }
    ~Counter() { linalg::kernels_in_place_of = nullptr; }
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;

    template <class F>
    static Counts of(F&& f) {
        counted.clear();
        f();
        return counted;
    }
};

/// Positive definite, with distinct eigenvalues.
Tensor counted_matrix() {
    std::mt19937_64 random(20261122);
    Dense a = random_matrix(5, 5, false, random);
    a = a * adjoint(a);
    for (Index i = 0; i < 5; ++i) a(i, i) += static_cast<double>(i + 5);
    return tensor_of(a, DType::F64);
}

struct CountedRow {
    std::string name;
    std::function<std::vector<TracedTensor>(const TracedTensor&)> traced;
    std::function<std::vector<EagerTensor>(const EagerTensor&)> at_once;
    int more = 0;  ///< factorisations that derivatives add, for the reasons that ADR 017 gives
};

std::vector<CountedRow> counted_rows() {
    std::vector<CountedRow> all;
    const auto add = [&](std::string name, auto f, int more = 0) {
        all.push_back({std::move(name), [f](const TracedTensor& a) { return f(a); },
                       [f](const EagerTensor& a) { return f(a); }, more});
    };
    add("cholesky", [](auto a) { return std::vector{linalg::cholesky(a)}; });
    add("triangular_solve", [](auto a) { return std::vector{linalg::triangular_solve(a, a)}; });
    add("lu", [](auto a) {
        auto y = linalg::lu(a);
        return std::vector{y.l, y.u};
    });
    add("full_piv_lu", [](auto a) {
        auto y = linalg::full_piv_lu(a);
        return std::vector{y.l, y.u};
    });
    add("full_piv_lu_solve", [](auto a) { return std::vector{linalg::full_piv_lu_solve(a, a)}; });
    add("solve", [](auto a) { return std::vector{linalg::solve(a, a)}; });
    add("inv", [](auto a) { return std::vector{linalg::inv(a)}; });
    add("det", [](auto a) { return std::vector{linalg::det(a)}; });
    add("slogdet", [](auto a) { return std::vector{linalg::slogdet(a).logabsdet}; });
    add("solve and det of one matrix", [](auto a) {
        return std::vector{linalg::solve(a, a), linalg::det(a)};
    });
    add("qr", [](auto a) {
        auto y = linalg::qr(a);
        return std::vector{y.q, y.r};
    });
    add("svd", [](auto a) {
        auto y = linalg::svd(a);
        return std::vector{y.u, y.s, y.vh};
    });
    add("S of svd", [](auto a) { return std::vector{linalg::svd(a).s}; });
    add(
        "svdvals", [](auto a) { return std::vector{linalg::svdvals(a)}; }, 1);
    add("eigh", [](auto a) {
        auto y = linalg::eigh(a);
        return std::vector{y.values, y.vectors};
    });
    add(
        "eigvalsh", [](auto a) { return std::vector{linalg::eigvalsh(a)}; }, 1);
    add("eig", [](auto a) {
        auto y = linalg::eig(a);
        return std::vector{real(y.values * conj(y.values)), real(y.vectors * conj(y.vectors))};
    });
    // Derivatives solve with the vectors, another matrix.
    add(
        "eigvals",
        [](auto a) {
            auto w = linalg::eigvals(a);
            return std::vector{real(w * conj(w))};
        },
        2);
    add("pinv", [](auto a) { return std::vector{linalg::pinv(a)}; });
    add(
        "lstsq", [](auto a) { return std::vector{linalg::lstsq(a, a).x}; }, 1);
    add("hermitian_exp", [](auto a) { return std::vector{linalg::hermitian_exp(a)}; });
    add("polar", [](auto a) { return std::vector{linalg::polar(a).unitary}; });
    // Its derivative is the exponential of a matrix of twice the size.
    add(
        "matrix_exp", [](auto a) { return std::vector{linalg::matrix_exp(a / 10.0)}; }, 1);
    return all;
}

template <class H>
H loss_of(const std::vector<H>& outputs) {
    std::optional<H> sum;
    for (const H& y : outputs) sum = sum ? *sum + reduce_sum(y * y) : reduce_sum(y * y);
    return *sum;
}

std::string text_of(const Counts& counts) {
    std::string all;
    for (const auto& [name, count] : counts) all += name + " " + std::to_string(count) + " ";
    return all;
}

TEST(FactorisedOnce, InProgramsAndByEagerTensors) {
    const Counter counter;
    EagerContext& context = default_engine().eager();
    const Tensor a = counted_matrix();
    for (const CountedRow& row : counted_rows()) {
        SCOPED_TRACE(row.name);
        const EagerTensor at(context, a.duplicate()), leaf(context, a.duplicate(), true);
        const auto traced = [&](std::span<const TracedTensor> x) { return row.traced(x[0]); };
        const TracedTensor input = TracedTensor::input(DType::F64, {5, 5});
        const Counts forward = Counter::of(
            [&] { (void)tfe_detail::evaluate(row.traced(input), std::vector{input}, std::vector{at}); });
        const Counts at_once = Counter::of([&] { (void)row.at_once(at); });
        if (row.name != "matrix_exp") {
            EXPECT_EQ(total_of(forward), row.name == "triangular_solve" ? 0 : 1) << text_of(forward);
        }
        // Equal factorisations of a program are one, those of eager tensors are not.
        const int twice = row.name == "solve and det of one matrix" ? 1 : 0;
        EXPECT_EQ(total_of(at_once), total_of(forward) + twice) << text_of(at_once);
        const auto expect = [&](std::string_view how, const Counts& counts, const Counts& without) {
            EXPECT_LE(total_of(counts), total_of(without) + row.more) << how << ": " << text_of(counts);
        };
        const auto loss = [&](const TracedTensor& x) { return loss_of(row.traced(x)); };
        expect("reverse mode", Counter::of([&] { (void)grad(loss, at); }), forward);
        const auto tangents = [&] { (void)jvp(traced, std::span(&at, 1), std::span(&at, 1)); };
        expect("forward mode", Counter::of(tangents), forward);
        expect("eager", Counter::of([&] { loss_of(row.at_once(leaf)).backward(); }), at_once);
    }
}

TEST(FactorisedOnce, EveryOperationIsInTheTable) {
    std::set<std::string, std::less<>> missing;
    for (const std::string_view family : linalg::families()) missing.emplace(family);
    const auto note = [&](const std::vector<TracedTensor>& y, const TracedTensor& x) {
        const std::string text = compile(y, std::vector{x})->text();
        std::erase_if(missing, [&](const std::string& family) { return text.find(family) != text.npos; });
    };
    for (const CountedRow& row : counted_rows()) {
        const TracedTensor x = TracedTensor::input(DType::F64, {5, 5});
        const std::vector<TracedTensor> y = row.traced(x);
        note(y, x);
        note({grad(loss_of(y), x)}, x);
        note(jvp(y, std::vector{x}, std::vector<std::optional<TracedTensor>>{x}), x);
    }
    // Without a derivative; parts of derivatives of higher order.
    for (const char* const family :
         {"tenferro-linalg.pivoted_qr.v1", "tenferro-linalg.adjugate_derivative.v1"})
        EXPECT_EQ(missing.erase(family), 1U) << family;
    for (const std::string& family : missing) ADD_FAILURE() << family << " is in no row";
}

TEST(FactorisedOnce, ByTheValuesAloneWhereNoVectorsAreUsed) {
    const Counter counter;
    const EagerTensor at(default_engine().eager(), counted_matrix());
    const auto values = [](const TracedTensor& x) {
        return std::vector{linalg::svd(x).s, linalg::eigh(x).values, abs(linalg::eig(x).values)};
    };
    const TracedTensor x = TracedTensor::input(DType::F64, {5, 5});
    const Counts counts =
        Counter::of([&] { (void)tfe_detail::evaluate(values(x), std::vector{x}, std::vector{at}); });
    EXPECT_EQ(counts, (Counts{{"eigvals", 1}, {"eigvalsh", 1}, {"svdvals", 1}})) << text_of(counts);
}

TEST(FactorisedOnce, ByTheCFunctions) {
    const Counter counter;
    const Tensor values = counted_matrix();
    const std::size_t shape[] = {5, 5}, left = 0, right = 1;
    tfe_status_t status = TFE_SUCCESS;
    tfe_tensor_f64* const a = tfe_tensor_f64_from_data(values.data_as<double>(), 25, shape, 2, &status);
    tfe_tensor_f64* y[3] = {};
    tfe_tensor_c64* z[2] = {};
    const auto expect = [&](std::string_view name, int number, auto&& f) {
        const Counts counts = Counter::of(f);
        EXPECT_EQ(status, TFE_SUCCESS) << name;
        EXPECT_EQ(total_of(counts), number) << name << ": " << text_of(counts);
    };
    const auto release = [&] {
        for (tfe_tensor_f64*& handle : y) tfe_tensor_f64_release(std::exchange(handle, nullptr));
        for (tfe_tensor_c64*& handle : z) tfe_tensor_c64_release(std::exchange(handle, nullptr));
    };
    // The results of a function, as cotangents of its VJP; then its JVP along A.
    const auto check = [&](std::string_view name, auto&& function, auto&& vjp, auto&& jvp) {
        SCOPED_TRACE(name);
        expect("function", 1, function);
        expect("vjp", 1, [&] { tfe_tensor_f64_release(vjp()); });
        release();
        expect("jvp", 1, jvp);
        release();
    };
#define TENFERRO_OF_A a, &left, 1, &right, 1
    check(
        "svd", [&] { tfe_svd_f64(TENFERRO_OF_A, 5, 0, &y[0], &y[1], &y[2], &status); },
        [&] { return tfe_svd_vjp_f64(TENFERRO_OF_A, 5, 0, y[0], y[1], y[2], &status); },
        [&] { tfe_svd_jvp_f64(TENFERRO_OF_A, 5, 0, a, &y[0], &y[1], &y[2], &status); });
    check(
        "qr", [&] { tfe_qr_f64(TENFERRO_OF_A, &y[0], &y[1], &status); },
        [&] { return tfe_qr_vjp_f64(TENFERRO_OF_A, y[0], y[1], &status); },
        [&] { tfe_qr_jvp_f64(TENFERRO_OF_A, a, &y[0], &y[1], &status); });
    check(
        "eigh", [&] { tfe_eigh_f64(TENFERRO_OF_A, &y[0], &y[1], &status); },
        [&] { return tfe_eigh_vjp_f64(TENFERRO_OF_A, y[0], y[1], &status); },
        [&] { tfe_eigh_jvp_f64(TENFERRO_OF_A, a, &y[0], &y[1], &status); });
    check(
        "eig", [&] { tfe_eig_f64(TENFERRO_OF_A, &z[0], &z[1], &status); },
        [&] { return tfe_eig_vjp_f64(TENFERRO_OF_A, z[0], nullptr, &status); },
        [&] { tfe_eig_jvp_f64(TENFERRO_OF_A, a, &z[0], &z[1], &status); });
    check(
        "lu", [&] { tfe_lu_f64(TENFERRO_OF_A, &y[0], &y[1], &y[2], &status); },
        [&] { return tfe_lu_vjp_f64(TENFERRO_OF_A, y[1], y[2], &status); },
        [&] { tfe_lu_jvp_f64(TENFERRO_OF_A, a, &y[0], &y[1], &status); });
    check(
        "cholesky", [&] { y[0] = tfe_cholesky_f64(TENFERRO_OF_A, &status); },
        [&] { return tfe_cholesky_vjp_f64(TENFERRO_OF_A, y[0], &status); },
        [&] { y[0] = tfe_cholesky_jvp_f64(TENFERRO_OF_A, a, &status); });
    check(
        "solve", [&] { y[0] = tfe_solve_f64(TENFERRO_OF_A, a, &status); },
        [&] {
            tfe_solve_vjp_f64(TENFERRO_OF_A, a, y[0], &y[1], &y[2], &status);
            return static_cast<tfe_tensor_f64*>(nullptr);
        },
        [&] { y[0] = tfe_solve_jvp_f64(TENFERRO_OF_A, a, a, a, &status); });
#undef TENFERRO_OF_A
    tfe_tensor_f64_release(a);
}

}  // namespace
