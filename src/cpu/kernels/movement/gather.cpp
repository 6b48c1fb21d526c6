// The loops of gather and scatter over blocks of windows. Tasks of a gather have windows of their own; those
// of a scatter have parts of the result of their own and see all windows in order, so that results do not
// depend on the number of threads.
#include "cpu/kernels/movement/gather.hpp"

#include <algorithm>

#include "cpu/kernels/loops/partition.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/watched.hpp"
#include "cpu/kernels/movement/windows.hpp"
#include "tenferro/tensor/elementwise.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr Index kBlock = 4096;         // windows whose places are found together,
constexpr Index kLongBlock = 1 << 16;  // and where each of their elements is visited in all of them

/// What happens to an element of the batched and the whole tensor.
struct Read {
    template <class T>
    void operator()(T& batched, const T& whole) const {
        batched = whole;
    }
};
struct Replace {
    template <class T>
    void operator()(const T& batched, T& whole) const {
        whole = batched;
    }
};
struct AddTo {
    template <class T>
    void operator()(const T& batched, T& whole) const {
        whole = elementwise::Add{}(whole, batched);
    }
};

/// One window after the other.
template <class T, class Visit>
class WindowLoop {
public:
    WindowLoop(const Windows& windows, T* batched, T* whole, Visit visit)
        : axes_(windows.axes()),
          cut_axis_(windows.cut_axis()),
          batched_(batched),
          whole_(whole),
          visit_(visit) {}

    void run(std::span<const Place> places) {
        if (axes_.empty()) {
            for (const Place& place : places) visit_(batched_[place.at[0]], whole_[place.at[1]]);
            return;
        }
        for (const Place& place : places) {
            if (cut_axis_ >= 0) axes_[cut_axis_].extent = place.extent;
            visit_axes(axes_.size(), batched_ + place.at[0], whole_ + place.at[1]);
        }
    }

    /// Element after element of the window, of all windows: they must have the same extents. Where windows
    /// are close together, what the next element touches of the whole tensor is asked for in advance: the
    /// processor does not see what places in any order have in common.
    void run_by_element(std::span<const Place> places) {
        if (places.empty()) return;
        if (cut_axis_ >= 0) axes_[cut_axis_].extent = places[0].extent;
        const auto [low, high] = std::minmax_element(
            places.begin(), places.end(), [](const Place& a, const Place& b) { return a.at[1] < b.at[1]; });
        const Index first = low->at[1], behind = high->at[1] + 1;
        const bool is_dense = behind - first <= kOfLine * static_cast<Index>(places.size());
        Odometer<2> element(axes_);
        for (bool more = true; more;) {
            const Offsets<2> at = element.at();
            more = element.advance();
            if (more && is_dense)
                for (Index i = first; i < behind; i += kOfLine)
                    __builtin_prefetch(whole_ + element.at()[1] + i);
            for (const Place& place : places)
                visit_(batched_[place.at[0] + at[0]], whole_[place.at[1] + at[1]]);
            watch_.did(static_cast<Index>(places.size()));
        }
    }

private:
    static constexpr Index kOfLine = 64 / static_cast<Index>(sizeof(T));  // elements of a line of the cache

    void visit_axes(std::size_t axes, T* batched, T* whole) {
        const StridedAxis<2>& axis = axes_[axes - 1];
        const Index extent = axis.extent, batched_step = axis.stride[0], whole_step = axis.stride[1];
        if (axes > 1) {
            for (Index i = 0; i < extent; ++i)
                visit_axes(axes - 1, batched + i * batched_step, whole + i * whole_step);
        } else if (batched_step == 1 && whole_step == 1) {
            for (Index i = 0; i < extent; ++i) visit_(batched[i], whole[i]);
        } else {
            for (Index i = 0; i < extent; ++i) visit_(batched[i * batched_step], whole[i * whole_step]);
        }
    }

    Axes<2> axes_;
    const Index cut_axis_;
    Watch watch_;
    T* const batched_;
    T* const whole_;
    const Visit visit_;
};

/// The windows [begin, end), as far as they lie in `part` of the whole tensor.
template <class T, class Visit>
void visit_windows(const Windows& windows, Index begin, Index end, Index part, T* batched, T* whole,
                   Visit visit) {
    const bool by_element = windows.prefers_batch();
    const Index most = std::min(end - begin, by_element ? kLongBlock : kBlock);
    const Index step = is_watched() && !by_element
                           ? std::clamp<Index>(kWatchedElements / size_of(windows.axes()), 1, most)
                           : most;
    auto* const places =
        reinterpret_cast<Place*>(scratch(ScratchUse::Tables, static_cast<std::size_t>(step) * sizeof(Place)));
    WindowLoop<T, Visit> loop(windows, batched, whole, visit);
    for (; begin < end; begin += step) {
        const Index count = windows.places(begin, std::min(begin + step, end), part, places);
        const std::span<const Place> found(places, static_cast<std::size_t>(count));
        by_element ? loop.run_by_element(found) : loop.run(found);
        look();
    }
}

}  // namespace

void gather_windows(const TensorRead& a, const TensorRead& indices, const GatherConfig& config,
                    const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    Windows windows(out, a, indices, config, Outside::Clamped);
    // Element by element looks by itself, and many windows at once are better.
    const Index wanted = windows.prefers_batch() ? context.threads() : wanted_ranges(context),
                count = windows.count(), tasks = out.size() < kParallelElements ? 1 : wanted;
    const Index parts = count < tasks ? windows.cut(tasks) : 1,
                ranges = parts > 1 ? 1 : std::min(count, tasks);
    visit_dtype(out.dtype(), [&]<class T> {
        context.parallel_for(ranges * parts, [&](Index task) {
            const Range range = range_of(count, parts > 1 ? 0 : task, ranges);
            visit_windows(windows, range.begin, range.end, parts > 1 ? task : 0, out.data_as<T>(),
                          const_cast<T*>(a.data_as<T>()), Read{});
        });
    });
}

void write_windows(OpId op, const TensorRead& updates, const TensorRead& indices, const GatherConfig& config,
                   const TensorWrite& out, CpuContext& context) {
    if (updates.size() == 0) return;
    Windows windows(updates, out, indices, config, Outside::Dropped);
    const bool alone = updates.size() < kParallelElements || (context.threads() == 1 && !is_watched());
    // All parts look at all windows: more parts than threads only where somebody watches few windows.
    const bool cut = is_watched() && windows.count() < wanted_ranges(context);
    const Index parts = alone ? 1 : windows.cut(cut ? wanted_ranges(context) : context.threads());
    visit_dtype(out.dtype(), [&]<class T> {
        T* const from = const_cast<T*>(updates.data_as<T>());
        const auto run = [&](auto visit) {
            context.parallel_for(parts, [&](Index part) {
                visit_windows(windows, 0, windows.count(), part, from, out.data_as<T>(), visit);
            });
        };
        if constexpr (info(OpId::ScatterAdd).dtypes.contains(storage_dtype<T>))
            if (op == OpId::ScatterAdd) return run(AddTo{});
        run(Replace{});
    });
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
