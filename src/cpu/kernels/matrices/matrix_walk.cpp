// The walk over a batch in groups of as many matrices as there are lanes, of which the last is filled up with
// its last matrix, or matrix by matrix. Elements go into the lanes one by one, whatever their strides.
#include "cpu/kernels/matrices/matrix_walk.hpp"

#include <algorithm>
#include <atomic>

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
        T* at = data_;
        for (std::size_t axis = 0; axis < batch_.size(); ++axis) {
            at += number % batch_[axis] * strides_[axis];
            number /= batch_[axis];
        }
        return at;
    }
    /// Calls f(vector, lane, offset) for every element: its place in working memory, where columns of a
    /// matrix that is `alone` are vectors, and beside the first one here.
    template <class F>
    void each(bool alone, F&& f) const {
        for (Index j = 0; j < extents_.columns; ++j)
            for (Index i = 0; i < extents_.rows; ++i)
                f(alone ? j : i + j * extents_.rows, alone ? i : Index{0}, i * down_ + j * across_);
    }

private:
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
    const bool alone = steps.alone;
    const Index lanes = steps.lanes, matrices = alone ? 1 : lanes, groups = (count + matrices - 1) / matrices;
    std::atomic<bool> done = true;
    const auto run_groups = [&](Index begin, Index end) {
        T* const memory = reinterpret_cast<T*>(
            scratch(ScratchUse::Lines, static_cast<std::size_t>(plan.elements() * lanes) * sizeof(T)));
        for (Index group = begin; group < end; ++group) {
            const Index first = group * matrices, behind = std::min(first + matrices, count);
            for (std::size_t k = 0; k < inputs.size(); ++k) {
                const MatrixPlan::Value value = plan.inputs()[k];
                const Places<const T> places(inputs[k].data_as<T>(), inputs[k].strides(), plan.extents(value),
                                             plan.batch());
                const T* from[kMostMatrixLanes];
                for (Index i = 0; i < matrices; ++i) from[i] = places.matrix(std::min(first + i, behind - 1));
                T* const to = memory + plan.place(value) * lanes;
                if (alone) std::fill_n(to, plan.extents(value).columns * lanes, T(0));
                places.each(alone, [&](Index vector, Index lane, Index offset) {
                    T* const at = to + vector * lanes + lane;
                    for (Index i = 0; i < matrices; ++i) at[i] = from[i][offset];
                });
            }
            if (!steps.run(plan, memory)) return done.store(false, std::memory_order_relaxed);
            for (std::size_t k = 0; k < outs.size(); ++k) {
                const MatrixPlan::Value value = plan.outputs()[k];
                const Places<T> places(static_cast<T*>(outs[k].data()), outs[k].strides(),
                                       plan.extents(value), plan.batch());
                T* to[kMostMatrixLanes];
                for (Index i = 0; i < behind - first; ++i) to[i] = places.matrix(first + i);
                const T* const from = memory + plan.place(value) * lanes;
                places.each(alone, [&](Index vector, Index lane, Index offset) {
                    const T* const at = from + vector * lanes + lane;
                    for (Index i = 0; i < behind - first; ++i) to[i][offset] = at[i];
                });
            }
        }
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
