// The processors of a worker, by the system's affinity of threads.
#include "cpu/processors.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

#if defined(__linux__)

int this_processor() noexcept { return ::sched_getcpu(); }

void WorkerProcessors::avoid(int processor) noexcept {
    cpu_set_t now;
    if (processor < 0 || processor >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof now, &now) != 0) return;
    if (!CPU_EQUAL(&now, &used_)) allowed_ = now;
    cpu_set_t wanted = allowed_;
    CPU_CLR(static_cast<unsigned>(processor), &wanted);
    if (CPU_COUNT(&wanted) == 0) wanted = allowed_;
    if (CPU_EQUAL(&now, &wanted) || ::sched_setaffinity(0, sizeof wanted, &wanted) == 0) used_ = wanted;
}

#else

int this_processor() noexcept { return kUnknownProcessor; }
void WorkerProcessors::avoid(int) noexcept {}

#endif

}}}  // namespace tenferro::TENFERRO_ABI::cpu
