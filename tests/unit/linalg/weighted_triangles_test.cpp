// weighted_triangles against its formula: small matrices by tables, large ones by squares, transposed and in
// batches, with weights of which some are 0.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tenferro/linalg/operations.hpp"
#include "tenferro/ops/extension_op.hpp"
#include "unit/linalg/backends.hpp"
#include "unit/linalg/matrices.hpp"

using namespace tenferro;
using namespace tenferro::testing;

namespace {

struct Weights {
    double w[3], v[3];  ///< below, on and above the diagonal
};
constexpr Weights kHermitianPart{{.5, .5, .5}, {.5, .5, .5}}, kHalfLower{{1, .5, 0}, {0, 0, 0}},
    kMixed{{0, -2, 3}, {1, 0, -.25}};

std::shared_ptr<const ExtensionOp> operation(const Weights& by) {
    linalg::register_operations();
    const auto list = [](const double* x, const std::string& suffix) {
        return "below" + suffix + "=" + std::to_string(x[0]) + ", on" + suffix + "=" + std::to_string(x[1]) +
               ", above" + suffix + "=" + std::to_string(x[2]);
    };
    return require_extension("tenferro-linalg.weighted_triangles.v1")
        ->decode(list(by.w, "") + ", " + list(by.v, "_adjoint"));
}
Tensor weighted(const Weights& by, const TensorRead& x) {
    const auto backend = CpuBackend::with_threads(2);
    const BackendScope scope(*backend);
    return std::move(operation(by)->eager_execute({&x, 1})[0]);
}

template <class T>
void check(const Weights& by, Index n, bool transposed) {
    Tensor x = Tensor::zeros(storage_dtype<T>, {n, n, 3});
    std::mt19937_64 random(static_cast<std::uint64_t>(n));
    std::uniform_int_distribution<int> draw(-8, 8);
    T* const elements = x.write().data_as<T>();
    for (Index i = 0; i < x.size(); ++i) {
        elements[i] = static_cast<T>(static_cast<float>(draw(random)));
        if constexpr (!std::is_floating_point_v<T>) elements[i] *= T(1, 2);
    }
    const TensorRead view = transposed ? x.read().transpose_view(Dims{1, 0, 2}) : x.read();
    const Tensor y = weighted(by, view);
    ASSERT_EQ(y.shape(), (Dims{n, n, 3}));
    using R = decltype(std::abs(T()));
    for (Index matrix = 0; matrix < 3; ++matrix)
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const auto at = [&](Index row, Index column) {
                    return elements[matrix * n * n + (transposed ? column + row * n : row + column * n)];
                };
                T mirrored = at(j, i);
                if constexpr (!std::is_floating_point_v<T>) mirrored = std::conj(mirrored);
                const int where = i > j ? 0 : i == j ? 1 : 2;
                ASSERT_EQ(y.data_as<T>()[matrix * n * n + i + j * n],
                          at(i, j) * static_cast<R>(by.w[where]) + mirrored * static_cast<R>(by.v[where]))
                    << n << ": " << i << ", " << j << ", " << matrix;
            }
}

}  // namespace

TEST(WeightedTriangles, AreWhatTheFormulaSays) {
    for (const Weights& by : {kHermitianPart, kHalfLower, kMixed})
        for (const Index n : {0, 1, 2, 5, 16, 17, 32, 33, 70})
            for (const bool transposed : {false, true}) {
                check<float>(by, n, transposed);
                check<double>(by, n, transposed);
                check<std::complex<float>>(by, n, transposed);
                check<std::complex<double>>(by, n, transposed);
            }
}

// As a triangle that is cut off does not count, whatever it holds.
TEST(WeightedTriangles, WhatIsMultipliedByZeroDoesNotCount) {
    constexpr double kNoNumbers[] = {std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN()};
    for (const Index n : {3, 40})
        for (const double no_number : kNoNumbers) {
            Tensor x = Tensor::zeros(DType::F64, {n, n});
            for (Index j = 0; j < n; ++j)
                for (Index i = 0; i < n; ++i) x.write().data_as<double>()[i + j * n] = i < j ? no_number : 2;
            const Tensor y = weighted(kHalfLower, x);
            for (Index j = 0; j < n; ++j)
                for (Index i = 0; i < n; ++i) ASSERT_EQ(y(i, j), i < j ? 0 : i == j ? 1 : 2);
        }
}
