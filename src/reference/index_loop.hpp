// The one loop of the reference backend: all indices of a shape in column-major order, and elements by the
// definition of strides. Loops look now and then at whether their result is still wanted.
#pragma once

#include "tenferro/base/cancellation.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace reference {

/// Counts the steps of a loop, and throws Cancelled after some tens of them where nobody wants the rest.
class Steps {
public:
    void next() {
        if (++count_ % 32 == 0) CancellationScope::check_current();
    }

private:
    unsigned count_ = 0;
};

/// Calls f(index) for every index of `shape`; once with an empty index for rank 0, never when an extent is 0.
template <class F>
void for_each_index(std::span<const Index> shape, F&& f) {
    for (const Index extent : shape)
        if (extent == 0) return;
    Dims index(shape.size(), 0);
    for (Steps steps;; steps.next()) {
        f(static_cast<const Dims&>(index));
        std::size_t axis = 0;
        for (; axis < shape.size() && ++index[axis] == shape[axis]; ++axis) index[axis] = 0;
        if (axis == shape.size()) return;
    }
}

/// Offset of an element in elements.
inline Index offset(const TensorRead& view, std::span<const Index> index) {
    Index sum = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) sum += index[axis] * view.strides()[axis];
    return sum;
}

template <class T>
const T& at(const TensorRead& view, std::span<const Index> index) {
    return view.data_as<T>()[offset(view, index)];
}
template <class T>
T& at(const TensorWrite& view, std::span<const Index> index) {
    return view.data_as<T>()[offset(view, index)];
}

}}}  // namespace tenferro::TENFERRO_ABI::reference
