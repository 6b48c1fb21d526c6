// The walk over a batch in groups of as many matrices as there are lanes, of which the last is filled up with
// its last matrix, or matrix by matrix. Elements that are not in column-major order go into the lanes one by
// one.
#include "cpu/kernels/matrices/matrix_walk.hpp"

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/matrices/matrix_steps.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

/// The matrices of a tensor.
template <class T>
class Places {
public:
    Places(T* data, const Dims& strides, const MatrixExtents& extents, const Dims& batch)
        : data_(data),
          extents_(extents),
          down_(extents.rank > 0 ? strides[0] : 0),
          across_(extents.rank > 1 ? strides[1] : 0),
          batch_(batch),
          strides_(strides.data() + extents.rank) {}

    [[nodiscard]] T* matrix(Index number) const noexcept {
        if (batch_.size() == 1) return data_ + number * strides_[0];
        T* at = data_;
        for (std::size_t axis = 0; axis < batch_.size(); ++axis) {
            at += number % batch_[axis] * strides_[axis];
            number /= batch_[axis];
        }
        return at;
    }
    /// The matrices [first, …), the last of which is `last`, to at[0 … count).
    void matrices(Index first, Index last, Index count, T** at) const noexcept {
        if (batch_.size() == 1 && first + count - 1 <= last) {
            T* here = matrix(first);
            for (Index i = 0; i < count; ++i, here += strides_[0]) at[i] = here;
            return;
        }
        for (Index i = 0; i < count; ++i) at[i] = matrix(std::min(first + i, last));
    }
    /// Into lanes, as numbers R.
    template <class R>
    void read(const MatrixSteps<R>& steps, T* const* matrices, R* to) const {
        if (steps.alone) {
            if (extents_.rows < steps.lanes) std::fill_n(to, extents_.columns * steps.lanes, R(0));
            each_column(matrices[0], [&](T* column, Index j) {
                for (Index i = 0; i < extents_.rows; ++i)
                    to[i + j * steps.lanes] = static_cast<R>(column[i * down_]);
            });
            return;
        }
        if constexpr (std::is_same_v<T, const R>)
            if (steps.gather != nullptr && is_compact())
                return steps.gather(extents_.elements(), matrices, to);
        for (Index lane = 0; lane < steps.lanes; ++lane)
            each_column(matrices[lane], [&](T* column, Index j) {
                for (Index i = 0; i < extents_.rows; ++i)
                    to[(i + j * extents_.rows) * steps.lanes + lane] = static_cast<R>(column[i * down_]);
            });
    }
    /// From lanes, to `count` matrices.
    void write(const MatrixSteps<T>& steps, Index count, const T* from, T** matrices) const {
        if (steps.alone) {
            each_column(matrices[0], [&](T* column, Index j) {
                for (Index i = 0; i < extents_.rows; ++i) column[i * down_] = from[i + j * steps.lanes];
            });
        } else if (steps.scatter != nullptr && is_compact()) {
            std::fill(matrices + count, matrices + steps.lanes, nullptr);
            steps.scatter(extents_.elements(), from, matrices);
        } else {
            for (Index lane = 0; lane < count; ++lane)
                each_column(matrices[lane], [&](T* column, Index j) {
                    for (Index i = 0; i < extents_.rows; ++i)
                        column[i * down_] = from[(i + j * extents_.rows) * steps.lanes + lane];
                });
        }
    }

private:
    template <class F>
    void each_column(T* matrix, F&& f) const {
        for (Index j = 0; j < extents_.columns; ++j) f(matrix + j * across_, j);
    }
    [[nodiscard]] bool is_compact() const noexcept {
        return (extents_.rows == 1 || down_ == 1) && (extents_.columns == 1 || across_ == extents_.rows);
    }

    T* data_;
    MatrixExtents extents_;
    Index down_, across_;
    const Dims& batch_;
    const Index* strides_;
};

template <class T>
bool run(const MatrixPlan& plan, std::span<const TensorRead> inputs, std::span<const TensorWrite> outs,
         CpuContext& context) {
    const Index count = plan.count();
    const MatrixSteps<T> steps = matrix_steps<T>(plan);
    const Index lanes = steps.lanes, matrices = steps.alone ? 1 : lanes,
                groups = (count + matrices - 1) / matrices;
    std::atomic<bool> done = true;
    const auto run_groups = [&](Index begin, Index end) {
        T* const memory = reinterpret_cast<T*>(
            scratch(ScratchUse::Lines, static_cast<std::size_t>(plan.elements() * lanes) * sizeof(T)));
        const auto read_group = [&](Index group) {
            const Index first = group * matrices, last = std::min(first + matrices, count) - 1;
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                const MatrixPlan::Value value = plan.inputs()[k];
                const auto read = [&]<class Element>() {
                    const Places<const Element> places(inputs[k].data_as<Element>(), inputs[k].strides(),
                                                       plan.extents(value), plan.batch());
                    const Element* from[kMostMatrixLanes];
                    places.matrices(first, last, matrices, from);
                    places.read(steps, from, memory + plan.place(value) * lanes);
                };
                if (plan.dtype(value) == DType::I64)
                    read.template operator()<std::int64_t>();
                else
                    read.template operator()<T>();
            }
        };
        const auto write_group = [&](Index group) {
            const Index first = group * matrices, here = std::min(matrices, count - first);
            for (std::size_t k = 0; k < outs.size(); ++k) {
                const MatrixPlan::Value value = plan.outputs()[k];
                const Places<T> places(static_cast<T*>(outs[k].data()), outs[k].strides(),
                                       plan.extents(value), plan.batch());
                T* to[kMostMatrixLanes];
                places.matrices(first, first + here - 1, here, to);
                places.write(steps, here, memory + plan.place(value) * lanes, to);
            }
        };
        if (!steps.run(plan, memory, begin, end, read_group, write_group))
            done.store(false, std::memory_order_relaxed);
    };
    for_each_range(context, groups, count * plan.elements() < kParallelElements, run_groups);
    return done.load(std::memory_order_relaxed);
}

}  // namespace

bool run_matrix_plan(const MatrixPlan& plan, std::span<const TensorRead> inputs,
                     std::span<const TensorWrite> outs, CpuContext& context) {
    return plan.dtype() == DType::F32 ? run<float>(plan, inputs, outs, context)
                                      : run<double>(plan, inputs, outs, context);
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
