// Linear algebra: every method of LinalgBackend, and every function on eager tensors.
#include "faults/sweep.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/linalg/backend.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/linalg/matrices.hpp"
#include "tenferro/linalg/spectral.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/tensor/creation.hpp"

namespace tenferro::faults { namespace {

/// Positive definite, and larger than what working memory keeps in place.
Tensor matrix(Index n) {
    Tensor a = eye(DType::F64, n);
    auto* const values = static_cast<double*>(a.write().data());
    for (Index i = 0; i < n * n; ++i) values[i] = 0.25 / static_cast<double>(1 + i % n + i / n);
    for (Index i = 0; i < n; ++i) values[i * (n + 1)] += 2;
    return a;
}

/// The methods of a row of names, on the current backend.
void sweep_methods(const Tensor& a, const Tensor& b) {
    const linalg::LinalgBackend la = linalg::LinalgBackend::current();
    const linalg::LuFactors lu = la.lu_factors_read(a);
    const linalg::EigenTensors eigen = la.eig_read(a);
#define TENFERRO_ONE(method, ...) \
    (void)sweep({"linalg::LinalgBackend::" #method}, [&] { (void)la.method(__VA_ARGS__); });
    TENFERRO_ONE(cholesky_read, a)
    TENFERRO_ONE(triangular_solve_read, a, b)
    TENFERRO_ONE(lu_read, a)
    TENFERRO_ONE(lu_factors_read, a)
    TENFERRO_ONE(solve_read, a, b)
    TENFERRO_ONE(lu_solve_read, lu.lu, lu.rows, lu.exponent, b)
    TENFERRO_ONE(det_read, lu.lu, lu.rows, lu.exponent)
    TENFERRO_ONE(slogdet_read, lu.lu, lu.rows, lu.exponent)
    TENFERRO_ONE(full_piv_lu_read, a)
    TENFERRO_ONE(full_piv_lu_solve_read, a, b)
    TENFERRO_ONE(inv_read, a)
    TENFERRO_ONE(qr_read, a)
    TENFERRO_ONE(pivoted_qr_read, a)
    TENFERRO_ONE(svd_read, a)
    TENFERRO_ONE(svdvals_read, a)
    TENFERRO_ONE(pinv_read, a)
    TENFERRO_ONE(lstsq_read, a, b)
    TENFERRO_ONE(eigh_read, a)
    TENFERRO_ONE(eigvalsh_read, a)
    TENFERRO_ONE(eig_read, a)
    TENFERRO_ONE(eigvals_read, a)
    TENFERRO_ONE(eig_tangents_read, eigen.values, eigen.vectors, b)
    TENFERRO_ONE(eig_cotangents_read, eigen.values, eigen.vectors, eigen.values, eigen.vectors, true)
    TENFERRO_ONE(matrix_exp_read, a)
    TENFERRO_ONE(matrix_exp_derivative_read, a, b)
#undef TENFERRO_ONE
}

TEST(Linalg, OnBackends) {
    const Tensor a = matrix(6), b = matrix(6);
    CpuBackend cpu(CpuOptions{.threads = 1});
    ReferenceBackend reference;
    for (TensorBackend* const backend :
         {static_cast<TensorBackend*>(&cpu), static_cast<TensorBackend*>(&reference)}) {
        const BackendScope scope(*backend);
        (void)sweep({"linalg::LinalgBackend::LinalgBackend", "linalg::LinalgBackend::current"},
                    [] { (void)linalg::LinalgBackend::current(); });
        sweep_methods(a, b);
    }
}

/// `count` times a.
Tensor batch_of(const Tensor& a, Index count) {
    Tensor all = Tensor::zeros(DType::F64, {a.shape()[0], a.shape()[1], count});
    auto* const to = static_cast<double*>(all.write().data());
    for (Index i = 0; i < count; ++i) std::copy_n(a.data_as<double>(), a.size(), to + i * a.size());
    return all;
}

TEST(Linalg, OfBatchesInLanes) {
    CpuBackend cpu(CpuOptions{.threads = 1});
    const BackendScope scope(cpu);
    const Tensor a = batch_of(matrix(6), 5);
    sweep_methods(a, a);
}

TEST(Linalg, InCompiledPrograms) {
    CpuBackend cpu(CpuOptions{.threads = 1});
    using namespace linalg;
    const Tensor value = batch_of(matrix(4), 5);
    const TracedTensor a = TracedTensor::input(DType::F64, {4, 4, 5});
    const auto sweep_program = [&](std::string_view name, const std::vector<TracedTensor>& outputs) {
        SCOPED_TRACE(name);
        std::vector<TracedTensor> all = outputs;
        std::optional<TracedTensor> loss;
        for (const TracedTensor& y : outputs) {
            const TracedTensor term = reduce_sum(info(y.dtype()).is_complex ? real(y * conj(y)) : y * y);
            loss = loss ? *loss + term : term;
        }
        all.push_back(grad(*loss, a));
        const std::vector<std::optional<TracedTensor>> along{a};
        for (TracedTensor& tangent : jvp(outputs, std::vector{a}, along)) all.push_back(std::move(tangent));
        const auto program = GraphCompiler().compile(all, std::vector{a});
        const std::vector<TensorRead> operands{value.read()};
        sweep_of(5, {"graph_runtime::ExecProgram::run"}, [&] {
            cpu.with_backend_session([&](BackendSession& session) { (void)program->run(session, operands); });
        });
    };
    const auto svd_of = svd(a);
    const auto eigh_of = eigh(a);
    const auto eig_of = eig(a);
    const auto qr_of = qr(a);
    const auto lu_of = lu(a);
    sweep_program("cholesky", {cholesky(a)});
    sweep_program("solve", {solve(a, a), det(a)});
    sweep_program("inv", {inv(a)});
    sweep_program("lu", {lu_of.l, lu_of.u});
    sweep_program("qr", {qr_of.q, qr_of.r});
    sweep_program("svd", {svd_of.u, svd_of.s, svd_of.vh});
    sweep_program("svdvals", {svdvals(a)});
    sweep_program("eigh", {eigh_of.values, eigh_of.vectors});
    sweep_program("eig", {eig_of.values});
}

TEST(Linalg, OnEagerTensors) {
    CpuBackend backend(CpuOptions{.threads = 1});
    EagerContext context(backend);
    const EagerTensor a(context, matrix(3)), b(context, matrix(3));
    using namespace linalg;
#define TENFERRO_ONE(function, operation, ...) \
    (void)sweep({"linalg::operations::" #operation}, [&] { (void)linalg::function(__VA_ARGS__); });
    TENFERRO_ONE(cholesky, cholesky, a)
    TENFERRO_ONE(triangular_solve, triangular_solve, a, b)
    TENFERRO_ONE(lu, lu, a)
    TENFERRO_ONE(lu_factor, lu_factor, a)
    TENFERRO_ONE(solve, lu_solve, a, b)
    TENFERRO_ONE(det, det, a)
    TENFERRO_ONE(slogdet, slogdet, a)
    TENFERRO_ONE(inv, inv, a)
    TENFERRO_ONE(full_piv_lu, full_piv_lu, a)
    TENFERRO_ONE(full_piv_lu_solve, full_piv_lu_solve, a, b)
    TENFERRO_ONE(qr, qr, a)
    TENFERRO_ONE(pivoted_qr, pivoted_qr, a)
    TENFERRO_ONE(svd, svd, a)
    TENFERRO_ONE(svdvals, svdvals, a)
    TENFERRO_ONE(pinv, pinv, a)
    TENFERRO_ONE(lstsq, lstsq, a, b)
    TENFERRO_ONE(eigh, eigh, a)
    TENFERRO_ONE(eigvalsh, eigvalsh, a)
    TENFERRO_ONE(eig, eig, a)
    TENFERRO_ONE(eigvals, eigvals, a)
    TENFERRO_ONE(matrix_exp, matrix_exp, a)
    TENFERRO_ONE(matrix_power, inv, a, 3)
    TENFERRO_ONE(truncated_svd, svd, a, 2)
    TENFERRO_ONE(kron, inv, a, b)
#undef TENFERRO_ONE
    const Tensor values = ones(DType::F64, {3});
    (void)sweep({"linalg::kept_rank"}, [&] { (void)kept_rank(values, {}); });
    (void)sweep({"linalg::register_operations"}, [] { register_operations(); });
    without_memory({"linalg::tfe_detail::check_matrix", "linalg::tfe_detail::check_matrices"},
                   [] { linalg::tfe_detail::check_matrices(2, 2, "product"); });
    const SymShape square{3, 3};
    without_memory({"linalg::tfe_detail::check_square"},
                   [&] { linalg::tfe_detail::check_square(square, "matrix_power"); });
}

TEST(Linalg, Derivatives) {
    linalg::register_operations();
    const TracedTensor a = TracedTensor::input(DType::F64, {3, 3});
    sweep_of(20, {"tfe_detail::tangents_with", "tfe_detail::cotangents_with"},
             [&] { (void)grad(reduce_sum(linalg::inv(linalg::matrix_exp(a))), a); });
    const auto f = linalg::svd(a);
    const TracedTensor again = reduce_sum(matmul(f.u * f.s, f.vh));
    sweep_of(20, {"Expr::derivative"}, [&] { (void)grad(again, a); });
    const auto cube = [](const TracedTensor& w) { return w * w * w; };
    sweep_of(5, {"linalg::operations::spectral_function"},
             [&] { (void)linalg::hermitian_function(a, cube); });
}

TEST(Linalg, TensorsAsMatrices) {
    CpuBackend backend(CpuOptions{.threads = 1});
    const Dims shape{2, 1, 3, 1, 1, 1, 1, 1, 1, 2};
    const Tensor a = ones(DType::F64, shape);
    const std::size_t left[] = {2, 0}, right[] = {1, 3, 4, 5, 6, 7, 8};
    const auto matrices = [&] {
        return linalg::Matrices(backend, a, {left, right}, linalg::Unlisted::Batch, "test");
    };
    (void)sweep({"linalg::Matrices::Matrices"}, [&] { (void)matrices(); });
    const linalg::Matrices known = matrices();
    (void)sweep({"linalg::Matrices::like"}, [&] {
        Tensor storage;
        (void)known.like(a, storage);
    });
    (void)sweep({"linalg::Matrices::back"}, [&] {
        Tensor copy;
        {
            const Pause pause;
            copy = Tensor::copy_of(known.view());
        }
        (void)known.back(std::move(copy));
    });
    (void)sweep({"linalg::joined"}, [&] { (void)linalg::joined({shape, shape}); });
    Dims turned(10, 0);
    for (Index axis = 0; axis < 10; ++axis) turned[axis] = 9 - axis;
    (void)sweep({"linalg::reshaped_view"}, [&] {
        Tensor storage;
        (void)linalg::reshaped_view(backend, a.read().transpose_view(turned), shape, storage);
    });
    without_memory({"linalg::families"}, [] { (void)linalg::families(); });
}

}}  // namespace tenferro::faults
