// Algebras beside the three, as further instances of the engine: elements that carry more than an optimum.
// Tensors hold them as a dtype of their size.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string_view>

#include <tenferro/einsum/plan.hpp>

#include "tenferro_ext_tropical/algebra.hpp"

namespace tropical {

/// An optimum of max-plus and how many assignments attain it. The sum takes the greater value and adds up the
/// counts of equal ones; the product adds values and multiplies counts. Counts are exact up to 2^53. A NaN
/// among the terms gives NaN, which nothing attains: count 0. Stored as C64.
struct TROPICAL_API Counted {
    double value = -std::numeric_limits<double>::infinity(), count = 0;
    friend bool operator==(const Counted&, const Counted&) = default;
};

/// The k greatest values of max-plus, counted as often as they are attained, in descending order; those that
/// are not there are -inf. Operands may not have +inf and NaN. Stored as C64; k is 2 for double and 4 for
/// float.
template <class T, std::size_t k>
struct TROPICAL_API Best {
    static_assert(sizeof(T) * k == 16);
    std::array<T, k> values = filled();
    friend bool operator==(const Best&, const Best&) = default;

private:
    static constexpr std::array<T, k> filled() {
        std::array<T, k> all{};
        all.fill(-std::numeric_limits<T>::infinity());
        return all;
    }
};

/// log(sum of exp): the sum is log(exp x + exp y), the product the sum. Stored as F64.
struct TROPICAL_API LogSumExp {
    double value = -std::numeric_limits<double>::infinity();
    friend bool operator==(const LogSumExp&, const LogSumExp&) = default;
};

/// The einsum over one of these algebras, on the default engine, of operands in the dtype that the algebra is
/// stored as (DTypeMismatch). Its zero, the value of an element made by default, is what an empty contraction
/// gives. Strings are those of the strict dialect; throws what EinsumPlan::run throws.
template <class Element>
[[nodiscard]] TROPICAL_API tenferro::Tensor einsum(std::string_view subscripts,
                                                   std::span<const tenferro::TensorRead> operands,
                                                   const tenferro::tensor_network::RunOptions& options = {});
extern template tenferro::Tensor einsum<Counted>(std::string_view, std::span<const tenferro::TensorRead>,
                                                 const tenferro::tensor_network::RunOptions&);
extern template tenferro::Tensor einsum<Best<double, 2>>(std::string_view,
                                                         std::span<const tenferro::TensorRead>,
                                                         const tenferro::tensor_network::RunOptions&);
extern template tenferro::Tensor einsum<Best<float, 4>>(std::string_view,
                                                        std::span<const tenferro::TensorRead>,
                                                        const tenferro::tensor_network::RunOptions&);
extern template tenferro::Tensor einsum<LogSumExp>(std::string_view, std::span<const tenferro::TensorRead>,
                                                   const tenferro::tensor_network::RunOptions&);

}  // namespace tropical

namespace tenferro { inline namespace TENFERRO_ABI {
template <>
struct StorageDType<tropical::Counted> : StorageDType<std::complex<double>> {};
template <class T, std::size_t k>
struct StorageDType<tropical::Best<T, k>> : StorageDType<std::complex<double>> {};
template <>
struct StorageDType<tropical::LogSumExp> : StorageDType<double> {};
}}  // namespace tenferro::TENFERRO_ABI
