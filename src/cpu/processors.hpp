// On which processors the workers of a pool run. A worker that sleeps may be woken on the processor of the
// thread that wakes it, although others are idle; that was seen in virtual machines. It then waits until that
// thread's time slice ends, and a region of ten milliseconds runs on one processor. So a worker never sleeps
// where its caller runs.
#pragma once

#if defined(__linux__)
#include <sched.h>
#endif

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

inline constexpr int kUnknownProcessor = -1;

/// The processor that this thread is on.
[[nodiscard]] int this_processor() noexcept;

/// Where the calling thread, a worker, may run: where it was allowed to, but for one processor. Where the
/// system refuses, or allows one processor only, nothing happens.
class WorkerProcessors {
public:
    /// Keeps away from a processor; it moves at once if it is there. A later call allows that one again. What
    /// others have allowed this thread in the meantime counts.
    void avoid(int processor) noexcept;

private:
#if defined(__linux__)
    cpu_set_t allowed_{}, used_{};
#endif
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
