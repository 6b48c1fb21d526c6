// CpuBackend: what lives longer than a session, and the choice of provider and thread count.
#include "tenferro/cpu/cpu_backend.hpp"

#include <sched.h>

#include <algorithm>

#include "cpu/exec_session.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

#if defined(TENFERRO_BLAS)
constexpr bool kHasBlas = true;
#else
constexpr bool kHasBlas = false;
#endif
constexpr CpuKind kDefaultKind = kHasBlas ? CpuKind::Blas : CpuKind::Builtin;

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

    State(int threads, CpuKind wanted) : context(threads), kind(wanted) {}
};

CpuBackend::CpuBackend(int threads, CpuKind kind) : TensorBackend(cpu::kCpuInfo) {
    if (!has_kind(kind)) throw Error(ErrorKind::Unsupported, "CpuBackend", "kind blas is not compiled in");
    state_ = std::make_unique<State>(threads, kind);
}
CpuBackend::CpuBackend() : CpuBackend(available_threads(), kDefaultKind) {}
CpuBackend::~CpuBackend() = default;

std::unique_ptr<CpuBackend> CpuBackend::with_kind(CpuKind kind) {
    return with_threads_and_kind(available_threads(), kind);
}
std::unique_ptr<CpuBackend> CpuBackend::with_threads(int threads) {
    return with_threads_and_kind(threads, kDefaultKind);
}
std::unique_ptr<CpuBackend> CpuBackend::with_threads_and_kind(int threads, CpuKind kind) {
    return std::unique_ptr<CpuBackend>(new CpuBackend(threads, kind));
}

bool CpuBackend::has_kind(CpuKind kind) noexcept { return kind == CpuKind::Builtin || kHasBlas; }
CpuKind CpuBackend::kind() const noexcept { return state_->kind; }
int CpuBackend::threads() const noexcept { return state_->context.threads(); }
void CpuBackend::set_threads(int threads) { state_->context.set_threads(threads); }
Index CpuBackend::stream_bytes() const noexcept { return state_->context.stream_bytes(); }
void CpuBackend::set_stream_bytes(Index bytes) { state_->context.set_stream_bytes(bytes); }
PoolStats CpuBackend::pool_stats() const { return state_->pool.stats(); }
void CpuBackend::set_pool_limit(std::size_t bytes) { state_->pool.set_limit(bytes); }
void CpuBackend::trim_pool() { state_->pool.trim(); }

void CpuBackend::open_session(FunctionRef<void(BackendSession&)> body) {
    cpu::CpuExecSession session(state_->context, state_->pool, state_->kind);
    body(session);
}

}}  // namespace tenferro::TENFERRO_ABI
