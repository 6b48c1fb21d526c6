// Functions of matrices: shapes and execution.
#include "linalg/operations/functions.hpp"

#include <cmath>

#include "linalg/backend/operand.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

std::vector<TensorMeta> MatrixExp::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {a.of({a.n, a.n})};
}
std::vector<Tensor> MatrixExp::run(BackendSession&, std::span<const TensorRead> in) const {
    return outputs(LinalgBackend::current().matrix_exp_read(in[0]));
}

std::vector<TensorMeta> MatrixExpDerivative::infer(std::span<const TensorMeta> in) const {
    const SquareShape a(in[0], kName);
    return {{a.dtype, tensor_ops::common_shape(in[0], in[1], kName, "the matrix", "the direction")}};
}

// exp of the block matrix [A, E; 0, A] has the derivative in its upper right block (Van Loan, IEEE Trans.
// Autom. Control 23, 1978). E is scaled to the magnitude of 1 meanwhile.
std::vector<Tensor> MatrixExpDerivative::run(BackendSession& session, std::span<const TensorRead> in) const {
    return visit_floating(in[0].dtype(), [&]<class T>() {
        const Dims batch = checked_square(session, in[0], kName);
        const Index n = in[0].shape()[0], count = batch_count(batch);
        const Slices<T> matrices(in[0], 2), directions(in[1], 2);
        Result<T> blocks(session, {2 * n, 2 * n}, batch);
        std::vector<int> exponents(static_cast<std::size_t>(count));
        for_each_matrix(session, kName, batch, 10.0 * static_cast<double>(n * n),
                        [&](Index i, Scratch& scratch) -> MaybeProblem {
                            T* const a = scratch.take<T>(n * n);
                            T* const e = scratch.take<T>(n * n);
                            if (!matrices.copy(i, a)) return matrices.not_finite(i);
                            const auto largest = directions.copy(i, e);
                            if (!largest) return directions.not_finite(i);
                            const int exponent = *largest == 0 ? 0 : std::ilogb(*largest);
                            exponents[static_cast<std::size_t>(i)] = exponent;
                            scale(n * n, e, -exponent);
                            std::fill_n(blocks[i], 4 * n * n, T(0));
                            for (Index j = 0; j < n; ++j) {
                                std::copy_n(a + j * n, n, blocks[i] + 2 * j * n);
                                std::copy_n(a + j * n, n, blocks[i] + 2 * (n + j) * n + n);
                                std::copy_n(e + j * n, n, blocks[i] + 2 * (n + j) * n);
                            }
                            return std::nullopt;
                        });
        const Tensor whole = LinalgBackend::current().matrix_exp_read(blocks.tensor);
        Result<T> derivative(session, {n, n}, batch);
        for (Index i = 0; i < count; ++i) {
            for (Index j = 0; j < n; ++j)
                std::copy_n(whole.data_as<T>() + i * 4 * n * n + 2 * (n + j) * n, n, derivative[i] + j * n);
            scale(n * n, derivative[i], exponents[static_cast<std::size_t>(i)]);
        }
        return outputs(std::move(derivative.tensor));
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
