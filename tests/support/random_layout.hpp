// Drawn test data: shapes, strided storage around a view, and a fixed-seed generator whose seed failing tests
// print.
#pragma once

#include <random>
#include <vector>

#include "reference/index_loop.hpp"
#include "tenferro/tensor/tensor.hpp"

namespace tenferro::test {

class Draw {
public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}
    /// Uniform in [low, high].
    Index integer(Index low, Index high) {
        return low + static_cast<Index>(engine_() % static_cast<std::uint64_t>(high - low + 1));
    }
    Dims shape(std::size_t rank, Index low = 0, Index high = 5) {
        Dims dims;
        for (std::size_t i = 0; i < rank; ++i) dims.push_back(integer(low, high));
        return dims;
    }
    Dims permutation(std::size_t rank) {
        Dims perm;
        for (std::size_t i = 0; i < rank; ++i)
            perm.insert(static_cast<std::size_t>(integer(0, static_cast<Index>(i))), static_cast<Index>(i));
        return perm;
    }

private:
    std::mt19937_64 engine_;
};

/// A view with drawn axis order, gaps and signs of strides over memory of its own; elements are small
/// integers, so that sums and products are exact in every dtype.
template <class T>
class StridedSample {
public:
    /// With `repeats`, strides may also be 0.
    StridedSample(Draw& draw, const Dims& shape, bool repeats = false) {
        const Dims order = draw.permutation(shape.size());
        Dims strides(shape.size(), 0);
        Index step = draw.integer(1, 2), origin = 0;
        for (const Index axis : order) {
            if (repeats && draw.integer(0, 4) == 0) continue;
            strides[axis] = step;
            step *= std::max<Index>(shape[axis], 1);
            step += draw.integer(0, 1);
            if (draw.integer(0, 3) == 0) {
                origin += (std::max<Index>(shape[axis], 1) - 1) * strides[axis];
                strides[axis] = -strides[axis];
            }
        }
        storage_ = std::vector<char>(static_cast<std::size_t>(step + 2) * sizeof(T));
        T* data = reinterpret_cast<T*>(storage_.data());
        for (Index i = 0; i < step + 2; ++i) data[i] = static_cast<T>(draw.integer(-3, 3));
        view_.emplace_back(storage_dtype<T>, data + origin, shape, strides);
    }
    [[nodiscard]] const TensorWrite& view() const { return view_[0]; }
    /// The memory around the view.
    [[nodiscard]] const std::vector<char>& storage() const { return storage_; }

private:
    std::vector<char> storage_;
    std::vector<TensorWrite> view_;
};

/// The element of `view` at `index`, by the definition of strides.
template <class T>
T& element(const TensorRead& view, const Dims& index) {
    Index offset = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) offset += index[axis] * view.strides()[axis];
    return const_cast<T&>(view.data_as<T>()[offset]);
}

using reference::for_each_index;

}  // namespace tenferro::test
