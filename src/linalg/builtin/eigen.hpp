// Eigen without its assertions, which end the process, and our matrices in its words.
#pragma once

#define EIGEN_NO_DEBUG
#define EIGEN_NO_IO
#define EIGEN_DONT_PARALLELIZE
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#pragma GCC diagnostic pop

#include "linalg/floating_types.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

template <class T>
using EigenMatrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using EigenMap = Eigen::Map<EigenMatrix<T>>;
template <class T>
[[nodiscard]] EigenMap<T> as_eigen(Index rows, Index columns, T* a) {
    return {a, rows, columns};
}
template <class T>
[[nodiscard]] Eigen::Map<const EigenMatrix<T>> as_eigen(Index rows, Index columns, const T* a) {
    return {a, rows, columns};
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
