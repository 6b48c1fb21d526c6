// Finding, loading and limiting the library. OpenBLAS, found to behave so, loops where the system refuses it
// memory and corrupts its own where too many threads call at once; hence the checks before every call. Where
// it is built for one thread, two are too many: it hands out its buffers without a lock.
#include "cpu/providers/provider.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>

#include "base/immortal.hpp"
#include "base/mutex.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr std::string_view kOp = "BLAS";
/// What a library maps when it is loaded and at its first call, with room to spare.
constexpr std::size_t kAddressSpace = std::size_t{512} << 20;
/// Calls at once; the OpenBLAS of Debian has buffers for 64 and more.
constexpr int kMostCalls = 32;

#if defined(__x86_64__)
#define TENFERRO_MULTIARCH "x86_64-linux-gnu"
#elif defined(__aarch64__)
#define TENFERRO_MULTIARCH "aarch64-linux-gnu"
#else
#define TENFERRO_MULTIARCH ""
#endif

/// In the order in which they are tried. The serial OpenBLAS first: it starts no threads.
constexpr std::array kUsual{
    "/usr/lib/" TENFERRO_MULTIARCH "/openblas-serial/libopenblas.so.0",
    "libopenblas.so.0",
    "libopenblas.so",
    "libmkl_rt.so",
    "libmkl_rt.so.3",
    "libblis.so.4",
    "libblas.so.3",
};
/// Beside a library of 32-bit integers that has BLAS alone, as BLIS has. The first may not fit an OpenBLAS
/// that is loaded already.
constexpr std::array kLapack{
    "liblapack.so.3",
    "/usr/lib/" TENFERRO_MULTIARCH "/openblas-serial/liblapack.so.3",
    "/usr/lib/" TENFERRO_MULTIARCH "/lapack/liblapack.so.3",
};

bool is_limited() noexcept {
    rlimit limit{};
    return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

void check_address_space(const std::string& library) {
    if (!is_limited()) return;
    void* const tried =
        ::mmap(nullptr, kAddressSpace, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tried == MAP_FAILED)
        throw Error(ErrorKind::OutOfMemory, kOp,
                    text(library, " needs ", kAddressSpace, " bytes of address space, and less is left"));
    ::munmap(tried, kAddressSpace);
}

char letter(DType dtype) {
    switch (dtype) {
        case DType::F32: return 's';
        case DType::F64: return 'd';
        case DType::C32: return 'c';
        case DType::C64: return 'z';
        default:
            throw Error(ErrorKind::Unsupported, kOp,
                        text("there are no routines for dtype ", info(dtype).name));
    }
}

/// A number of calls with the fork count above it: calls of the parent's threads do not count in a child.
constexpr std::uint64_t with_forks(std::uint64_t state, std::uint32_t forks) noexcept {
    return state >> 32 == forks ? state : std::uint64_t{forks} << 32;
}

}  // namespace

Provider::Call::Call(const Provider& provider) : provider_(provider) {
    check_address_space(provider.library());
    std::atomic<std::uint64_t>& calls = *provider.calls_;
    const auto most = static_cast<std::uint64_t>(provider.calls_at_once());
    for (std::uint64_t seen = calls.load();;) {
        const std::uint64_t state = with_forks(seen, fork_count());
        if ((state & UINT32_MAX) >= most) {
            calls.wait(seen);
            seen = calls.load();
        } else if (calls.compare_exchange_weak(seen, state + 1)) {
            break;
        }
    }
    if (provider.set_team_ == nullptr || !provider.one_thread_) return;
    team_ = provider.team_();
    provider.set_team_(1);
}

Provider::Call::~Call() {
    if (team_ != 0) provider_.set_team_(team_);
    std::atomic<std::uint64_t>& calls = *provider_.calls_;
    std::uint64_t seen = calls.load();
    do {
        const std::uint64_t state = with_forks(seen, fork_count());
        if ((state & UINT32_MAX) == 0) return;  // the call began before a fork
        if (calls.compare_exchange_weak(seen, state - 1)) break;
    } while (true);
    calls.notify_one();
}

void* Provider::find(const char* symbol) const noexcept {
    if (void* const found = ::dlsym(blas_, symbol); found != nullptr || lapack_ == nullptr) return found;
    return ::dlsym(lapack_, symbol);
}

void* Provider::symbol(std::string_view name, DType dtype) const {
    const std::string wanted = text(std::string(1, letter(dtype)), name, "_");
    if (void* const found = find(wanted.c_str())) return found;
    throw Error(ErrorKind::Unsupported, kOp, text(library_, " has no symbol ", wanted));
}

/// 3 in the lower half and a negative number in whole: whose integers are wide sees no element.
void Provider::measure_integers() {
    using Iamax = std::int64_t(const std::int64_t* n, const float* x, const std::int64_t* step);
    auto* const iamax = reinterpret_cast<Iamax*>(find("isamax_"));
    if (iamax == nullptr) throw Error(ErrorKind::Unsupported, kOp, text(library_, " has no symbol isamax_"));
    const std::int64_t count = static_cast<std::int64_t>(0xFFFFFFFF00000003u), step = 1;
    const std::array<float, 3> values{1, 2, 3};
    integer_bytes_ = (iamax(&count, values.data(), &step) & UINT32_MAX) == 3 ? 4 : 8;
}

void Provider::read_build() {
    auto* const config = reinterpret_cast<const char* (*)()>(find("openblas_get_config"));
    const std::string_view build = config != nullptr ? config() : "";
    const auto says = [build](std::string_view word) { return build.find(word) != std::string_view::npos; };
    calls_at_once_ = says("SINGLE_THREADED") ? 1 : kMostCalls;
    if (!says("USE_OPENMP")) return;
    team_ = reinterpret_cast<int (*)()>(find("omp_get_max_threads"));
    if (team_ != nullptr) set_team_ = reinterpret_cast<void (*)(int)>(find("omp_set_num_threads"));
}

/// One that is built on OpenMP takes as many threads as OpenMP gives the caller: calls see to that.
void Provider::use_one_thread() noexcept {
    one_thread_ = true;
    using SetThreads = void(int);
    for (const char* const name : {"openblas_set_num_threads", "MKL_Set_Num_Threads"})
        if (auto* const set = reinterpret_cast<SetThreads*>(find(name))) set(1);
    if (auto* const set = reinterpret_cast<void (*)(std::int64_t)>(find("bli_thread_set_num_threads")))
        set(1);
}

/// All that were loaded. Libraries are opened outside the lock.
class ProviderList {
public:
    Provider& get(const std::string& name) {
        {
            const std::lock_guard lock(mutex_);
            if (const auto known = by_name_.find(name); known != by_name_.end()) return *known->second;
        }
        std::unique_ptr<Provider> opened = name.empty() ? open_usual() : open(name.c_str());
        if (!opened) throw Error(ErrorKind::Unsupported, kOp, refusal(name));
        const std::lock_guard lock(mutex_);
        for (const auto& [other, known] : by_name_)  // a library has several names
            if (known->blas_ == opened->blas_) opened->calls_ = known->calls_;
        return *by_name_.try_emplace(name, std::move(opened)).first->second;
    }

private:
    static std::unique_ptr<Provider> open(const char* library) {
        check_address_space(library);
        std::unique_ptr<Provider> opened(new Provider);
        opened->library_ = library;
        opened->blas_ = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
        if (opened->blas_ == nullptr) return nullptr;
        // MKL in one piece: 32-bit integers, and no threads of its own.
        for (const auto& [name, value] :
             {std::pair("MKL_Set_Interface_Layer", 0), std::pair("MKL_Set_Threading_Layer", 1)})
            if (auto* const set = reinterpret_cast<int (*)(int)>(opened->find(name))) set(value);
        opened->measure_integers();
        opened->read_build();
        if (opened->integer_bytes_ == 4 && opened->find("dgetrf_") == nullptr)
            for (const char* const lapack : kLapack)
                if (opened->lapack_ == nullptr) opened->lapack_ = ::dlopen(lapack, RTLD_NOW | RTLD_LOCAL);
        return opened;
    }

    static std::unique_ptr<Provider> open_usual() {
        for (const char* const library : kUsual)
            if (auto opened = open(library)) return opened;
        return nullptr;
    }

    static std::string refusal(const std::string& name) {
        if (!name.empty()) {
            const char* const reason = ::dlerror();
            return text("cannot load ", name, ": ", reason != nullptr ? reason : "no reason given");
        }
        std::string names;
        for (const char* const library : kUsual) names += text(names.empty() ? "" : ", ", library);
        return text("there is none of ", names, "; TENFERRO_BLAS_LIBRARY names the library to use");
    }

    Mutex mutex_;
    std::map<std::string, std::unique_ptr<Provider>> by_name_;
};

const Provider& Provider::load(const std::string& name, bool keep_threads) {
    static constinit Immortal<ProviderList> all;
    const char* const named = std::getenv("TENFERRO_BLAS_LIBRARY");
    Provider& provider = all.get().get(name.empty() && named != nullptr ? named : name);
    if (!keep_threads) provider.use_one_thread();
    return provider;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
