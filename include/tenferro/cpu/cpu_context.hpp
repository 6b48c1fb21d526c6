// CpuContext: the single owner of the CPU thread count and of the threads themselves, which operations
// share.
#pragma once

#include <memory>

#include "tenferro/base/checked.hpp"
#include "tenferro/base/export.hpp"
#include "tenferro/base/function_ref.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

class TENFERRO_API CpuContext {
public:
    /// `threads` >= 1 (InvalidArgument); threads - 1 workers are started at the first parallel call.
    explicit CpuContext(int threads);
    ~CpuContext();
    CpuContext(const CpuContext&) = delete;
    CpuContext& operator=(const CpuContext&) = delete;

    [[nodiscard]] int threads() const noexcept;
    /// Calls that start from now on use `threads` >= 1 (InvalidArgument). Thread-safe. Workers beyond it
    /// sleep.
    void set_threads(int threads);
    /// Half of what an operation writes and all that it reads, in bytes for each thread, from which on its
    /// result goes past the caches; of permuted copies and large products results alone count, too. At first
    /// what the environment variable TENFERRO_STREAM_BYTES says (InvalidArgument where it is no positive
    /// number), else a core's share of the caches. It changes speed, never results.
    [[nodiscard]] Index stream_bytes() const noexcept;
    /// `bytes` >= 1 (InvalidArgument). Thread-safe.
    void set_stream_bytes(Index bytes);
    /// Calls task(i) once for each i in [0, count), on the calling thread and the workers, and returns when
    /// all are done. Which thread runs which i is unspecified, so results must not depend on it. Calls from
    /// inside a task, and calls while another thread uses the workers, run inline. The first exception thrown
    /// by a task is rethrown here.
    void parallel_for(Index count, FunctionRef<void(Index)> task);

private:
    class Pool;
    std::unique_ptr<Pool> pool_;
};

}}  // namespace tenferro::TENFERRO_ABI
