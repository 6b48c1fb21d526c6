// A library with an algebra of its own: products of tensors over max-plus, where "sum" is the largest and
// "product" the sum. Element types are MaxPlus<double>, MaxPlus<float> and MaxPlus<std::int64_t>; the
// smallest integer stands for -inf.
#pragma once

#include <cstdint>
#include <tenferro/cpu/cpu_context.hpp>
#include <tenferro/tensor/dot_general.hpp>
#include <tenferro/tensor/tensor_read.hpp>

namespace max_plus {

template <class T>
struct MaxPlus {
    T value;
    friend bool operator==(const MaxPlus&, const MaxPlus&) = default;
};

/// out = the max-plus contraction of lhs and rhs; all of the element type T.
template <class T>
void contract(const tenferro::TensorRead& lhs, const tenferro::TensorRead& rhs,
              const tenferro::DotGeneralConfig& config, const tenferro::TensorWrite& out,
              tenferro::CpuContext& context);

/// winners = which term each element of `result` is.
template <class T>
void winners(const tenferro::TensorRead& lhs, const tenferro::TensorRead& rhs,
             const tenferro::DotGeneralConfig& config, const tenferro::TensorRead& result,
             const tenferro::TensorWrite& winners, tenferro::CpuContext& context);

}  // namespace max_plus

template <class T>
struct tenferro::StorageDType<max_plus::MaxPlus<T>> : tenferro::StorageDType<T> {};
