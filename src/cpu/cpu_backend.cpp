// CpuBackend: what lives longer than a session, and the choice of provider and thread count.
#include "tenferro/cpu/cpu_backend.hpp"

#include <sched.h>

#include <algorithm>
#include <new>

#include "cpu/exec_session.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

#if defined(TENFERRO_BLAS)
constexpr bool kHasBlas = true;
#else
constexpr bool kHasBlas = false;
#endif

/// The number of processors this process may run on.
int available_threads() noexcept {
    cpu_set_t set;
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

}  // namespace

struct CpuBackend::State {
    CpuContext context;
    cpu::BufferPool pool;
    CpuKind kind;
    const cpu::Provider* blas;

    explicit State(const CpuOptions& options)
        : context(options.threads == 0 ? available_threads() : options.threads),
          kind(options.kind),
          blas(kind == CpuKind::Blas ? &cpu::Provider::load(options.blas_library, options.keep_blas_threads)
                                     : nullptr) {}
};

CpuBackend::CpuBackend(const CpuOptions& options) try : TensorBackend(cpu::kCpuInfo) {
    if (!has_kind(options.kind))
        throw Error(ErrorKind::Unsupported, "CpuBackend", "kind blas is not compiled in");
    state_ = std::make_unique<State>(options);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("CpuBackend");
}
CpuBackend::CpuBackend() : CpuBackend(CpuOptions{}) {}
CpuBackend::~CpuBackend() = default;

std::unique_ptr<CpuBackend> CpuBackend::with_kind(CpuKind kind) try {
    return std::make_unique<CpuBackend>(CpuOptions{.kind = kind});
} catch (const std::bad_alloc&) {
    throw_out_of_memory("CpuBackend");
}
std::unique_ptr<CpuBackend> CpuBackend::with_threads(int threads) {
    return with_threads_and_kind(threads, CpuKind::Builtin);
}
std::unique_ptr<CpuBackend> CpuBackend::with_threads_and_kind(int threads, CpuKind kind) try {
    if (threads < 1)  // 0 in the options is not a count
        throw Error(ErrorKind::InvalidArgument, "CpuBackend",
                    text("thread count is ", threads, " but must be at least 1"));
    return std::make_unique<CpuBackend>(CpuOptions{.threads = threads, .kind = kind});
} catch (const std::bad_alloc&) {
    throw_out_of_memory("CpuBackend");
}

bool CpuBackend::has_kind(CpuKind kind) noexcept { return kind == CpuKind::Builtin || kHasBlas; }
CpuKind CpuBackend::kind() const noexcept { return state_->kind; }
const cpu::Provider* CpuBackend::provider() const noexcept { return state_->blas; }
int CpuBackend::threads() const noexcept { return state_->context.threads(); }
void CpuBackend::set_threads(int threads) { state_->context.set_threads(threads); }
Index CpuBackend::stream_bytes() const noexcept { return state_->context.stream_bytes(); }
void CpuBackend::set_stream_bytes(Index bytes) { state_->context.set_stream_bytes(bytes); }
PoolStats CpuBackend::pool_stats() const { return state_->pool.stats(); }
void CpuBackend::set_pool_limit(std::size_t bytes) { state_->pool.set_limit(bytes); }
void CpuBackend::trim_pool() { state_->pool.trim(); }

void CpuBackend::open_session(FunctionRef<void(BackendSession&)> body) {
    cpu::CpuExecSession session(state_->context, state_->pool, state_->blas);
    body(session);
}

}}  // namespace tenferro::TENFERRO_ABI
