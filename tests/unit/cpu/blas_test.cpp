// Products large enough for the BLAS provider against our own engine, in the layouts that BLAS takes in
// place.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "cpu/providers/provider.hpp"
#include "support/blas.hpp"
#include "support/expect_error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/testing/tolerance.hpp"

namespace tenferro::testing { namespace {

template <class T>
Tensor random_tensor(const Dims& shape) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> draw(-0.5, 0.5);
    std::vector<T> values(static_cast<std::size_t>(element_count(shape, "random_tensor")));
    for (T& value : values) {
        using Real = typename RealOf<T>::type;
        if constexpr (std::is_same_v<Real, T>)
            value = static_cast<T>(draw(random));
        else
            value = {static_cast<Real>(draw(random)), static_cast<Real>(draw(random))};
    }
    return Tensor::from_data<T>(values, shape);
}

template <class T>
class Blas : public ::testing::Test {};
using BlasTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Blas, BlasTypes);

TYPED_TEST(Blas, AgreesWithOurEngineOnLargeProducts) {
    using T = TypeParam;
    if (!test::backend_or_null(1, CpuKind::Blas)) GTEST_SKIP() << test::kNoBlas;
    constexpr Index m = 513, n = 530, k = 520;
    for (const bool lhs_transposed : {false, true})
        for (const bool rhs_transposed : {false, true}) {
            SCOPED_TRACE(text("transposed ", lhs_transposed, " ", rhs_transposed));
            const Tensor lhs = random_tensor<T>(lhs_transposed ? Dims{k, m} : Dims{m, k});
            const Tensor rhs = random_tensor<T>(rhs_transposed ? Dims{n, k} : Dims{k, n});
            DotGeneralConfig config;
            config.lhs_contract = {lhs_transposed ? 0 : 1};
            config.rhs_contract = {rhs_transposed ? 1 : 0};
            const Tensor expected =
                CpuBackend::with_threads_and_kind(2, CpuKind::Builtin)->dot_general_read(lhs, rhs, config);
            for (const int threads : {1, 2}) {
                const Tensor actual = CpuBackend::with_threads_and_kind(threads, CpuKind::Blas)
                                          ->dot_general_read(lhs, rhs, config);
                ASSERT_EQ(actual.shape(), expected.shape());
                const double tolerance = sum_tolerance<T>(k);
                for (Index i = 0; i < actual.size(); ++i)
                    ASSERT_LE(std::abs(actual.data_as<T>()[i] - expected.data_as<T>()[i]), tolerance)
                        << "element " << i;
            }
        }
}

/// NaN for NaN, infinity for infinity, anything near for what is finite.
template <class Real>
bool same_kind(Real x, Real y) {
    if (std::isnan(x) || std::isnan(y)) return std::isnan(x) && std::isnan(y);
    return std::isinf(x) || std::isinf(y) ? x == y : std::abs(x - y) <= Real(1e-3) * (1 + std::abs(y));
}

TYPED_TEST(Blas, AgreesWithOurEngineOnInfinities) {
    using T = TypeParam;
    using Real = typename RealOf<T>::type;
    const auto blas = test::backend_or_null(2, CpuKind::Blas);
    if (!blas) GTEST_SKIP() << test::kNoBlas;
    const auto builtin = CpuBackend::with_threads_and_kind(2, CpuKind::Builtin);
    constexpr Index n = 512;
    DotGeneralConfig config;
    config.lhs_contract = {1};
    config.rhs_contract = {0};
    const Real large = std::numeric_limits<Real>::max() / 4;
    for (const Real special :
         {std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::quiet_NaN(), large}) {
        Tensor lhs = random_tensor<T>(Dims{n, n}), rhs = random_tensor<T>(Dims{n, n});
        T* const a = static_cast<T*>(lhs.write().data());
        T* const b = static_cast<T*>(rhs.write().data());
        a[3] = T(special);
        for (Index j = 0; j < n; ++j) b[j * n] = T(1);  // inf * 1
        b[n] = T(special);                              // large * large overflows
        const Tensor actual = blas->dot_general_read(lhs, rhs, config);
        const Tensor expected = builtin->dot_general_read(lhs, rhs, config);
        const auto* const x = reinterpret_cast<const Real*>(actual.data_as<T>());
        const auto* const y = reinterpret_cast<const Real*>(expected.data_as<T>());
        const Index scalars = actual.size() * static_cast<Index>(sizeof(T) / sizeof(Real));
        for (Index i = 0; i < scalars; ++i)
            ASSERT_TRUE(same_kind(x[i], y[i])) << "scalar " << i << ": " << x[i] << " and " << y[i];
    }
}

TEST(Provider, NamesWhatIsMissing) {
    EXPECT_ERROR((void)cpu::Provider::load("/nowhere/libblas.so", false), Unsupported,
                 "BLAS: cannot load /nowhere/libblas.so");
    EXPECT_ERROR(CpuBackend(CpuOptions{.kind = CpuKind::Blas, .blas_library = "/nowhere/libblas.so"}),
                 Unsupported,
                 CpuBackend::has_kind(CpuKind::Blas) ? "/nowhere/libblas.so" : "not compiled in");
    EXPECT_ERROR((void)cpu::Provider::load("libm.so.6", false), Unsupported,
                 "libm.so.6 has no symbol isamax_");
    const char* const named = std::getenv("TENFERRO_BLAS_LIBRARY");
    const std::string before = named != nullptr ? named : "";
    ::setenv("TENFERRO_BLAS_LIBRARY", "/nowhere/other.so", 1);
    EXPECT_ERROR((void)cpu::Provider::load("", false), Unsupported, "/nowhere/other.so");
    ::setenv("TENFERRO_BLAS_LIBRARY", before.c_str(), 1);
    if (named == nullptr) ::unsetenv("TENFERRO_BLAS_LIBRARY");
}

/// Solves 2 x = 6, 3 y = 12 by LAPACK: pivots are integers that the library writes and reads.
void expect_solves(const cpu::Provider& provider) {
    using Factor = void(const std::int64_t*, const std::int64_t*, double*, const std::int64_t*, void*, void*);
    using Solve = void(const char*, const std::int64_t*, const std::int64_t*, const double*,
                       const std::int64_t*, const void*, double*, const std::int64_t*, void*, std::size_t);
    const std::int64_t n = 2, one = 1;
    std::array<double, 4> a{0, 3, 2, 0};  // rows are exchanged
    std::array<double, 2> x{6, 12};
    std::array<std::int64_t, 3> pivots{}, info{};
    provider.routine<Factor>("getrf", DType::F64)(&n, &n, a.data(), &n, pivots.data(), info.data());
    provider.routine<Solve>("getrs", DType::F64)("N", &n, &one, a.data(), &n, pivots.data(), x.data(), &n,
                                                 info.data(), 1);
    const std::int64_t first = provider.integer_bytes() == 8 ? 2 : (std::int64_t{2} << 32) + 2;
    EXPECT_EQ(pivots[0], first) << "the width of integers is " << provider.integer_bytes();
    EXPECT_EQ(x[0], 4);
    EXPECT_EQ(x[1], 3);
}

/// Every library that the machine has, under the names that Debian gives them.
TEST(Provider, ServesWithEveryLibraryOfTheMachine) {
    if (!CpuBackend::has_kind(CpuKind::Blas)) GTEST_SKIP() << test::kNoBlas;
    const Tensor a = random_tensor<double>(Dims{512, 512}), b = random_tensor<double>(Dims{512, 512});
    const DotGeneralConfig product{{1}, {0}, {}, {}};
    const Tensor expected = CpuBackend(CpuOptions{.threads = 1}).dot_general_read(a, b, product);
    int tried = 0;
    for (const char* const name : {"openblas-serial/libopenblas.so.0", "openblas-pthread/libopenblas.so.0",
                                   "openblas-openmp/libopenblas.so.0", "openblas64-serial/libopenblas64.so.0",
                                   "blis-serial/libblis.so.4", "blis-pthread/libblis.so.4",
                                   "blis64-serial/libblis64.so.4", "blas/libblas.so.3"}) {
        const std::string library = text("/usr/lib/x86_64-linux-gnu/", name);
        if (::access(library.c_str(), R_OK) != 0) continue;
        SCOPED_TRACE(library);
        ++tried;
        CpuBackend backend(CpuOptions{.threads = 1, .kind = CpuKind::Blas, .blas_library = library});
        const Tensor actual = backend.dot_general_read(a, b, product);
        for (Index i = 0; i < actual.size(); ++i)
            ASSERT_LE(std::abs(actual.data_as<double>()[i] - expected.data_as<double>()[i]),
                      sum_tolerance<double>(512));
        const cpu::Provider& provider = cpu::Provider::load(library, true);
        if (provider.integer_bytes() == 4 || library.find("openblas") != std::string::npos)
            expect_solves(provider);
    }
    if (tried == 0) GTEST_SKIP() << "none of the libraries that are looked for is here";
}

TEST(Provider, HasTheRoutinesOfLinearAlgebra) {
    if (!test::backend_or_null(1, CpuKind::Blas)) GTEST_SKIP() << test::kNoBlas;
    const cpu::Provider& provider = cpu::Provider::load("", true);
    EXPECT_EQ(&provider, &cpu::Provider::load("", true)) << "loaded once";
    expect_solves(provider);
    for (const DType dtype : {DType::F32, DType::F64, DType::C32, DType::C64})
        for (const char* const name : {"gemm", "trsm", "getrf", "getrs", "potrf", "geqrf", "gesdd", "geev"})
            EXPECT_NE(provider.routine<void()>(name, dtype), nullptr) << name;
    EXPECT_ERROR((void)provider.routine<void()>("nothing", DType::F64), Unsupported,
                 " has no symbol dnothing_");
    EXPECT_ERROR((void)provider.routine<void()>("gemm", DType::I32), Unsupported, "dtype i32");
}

/// The thread count of a library is the process's: it is set to one, or left alone where that is asked for.
TEST(Provider, LeavesThreadsAloneWhenAsked) {
    const char* const library = "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0";
    if (::access(library, R_OK) != 0 || !CpuBackend::has_kind(CpuKind::Blas))
        GTEST_SKIP() << "there is no OpenBLAS with threads";
    void* const handle = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr);
    auto* const set = reinterpret_cast<void (*)(int)>(::dlsym(handle, "openblas_set_num_threads"));
    auto* const get = reinterpret_cast<int (*)()>(::dlsym(handle, "openblas_get_num_threads"));
    set(2);
    const CpuBackend keeps(
        CpuOptions{.kind = CpuKind::Blas, .blas_library = library, .keep_blas_threads = true});
    EXPECT_EQ(get(), 2);
    const CpuBackend sets(CpuOptions{.kind = CpuKind::Blas, .blas_library = library});
    EXPECT_EQ(get(), 1);
}

#if !defined(__SANITIZE_ADDRESS__)
TEST(Provider, RefusesWithoutAddressSpace) {
    if (!test::backend_or_null(1, CpuKind::Blas)) GTEST_SKIP() << test::kNoBlas;
    const Tensor a = random_tensor<double>(Dims{512, 512});
    const auto backend = CpuBackend::with_kind(CpuKind::Blas);
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        const rlimit little{std::size_t{300} << 20, std::size_t{300} << 20};
        ::setrlimit(RLIMIT_AS, &little);
        try {
            (void)backend->dot_general_read(a, a, DotGeneralConfig{{1}, {0}, {}, {}});
        } catch (const Error& error) {
            ::_exit(error.kind() == ErrorKind::OutOfMemory ? 0 : 1);
        }
        ::_exit(2);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}
#endif

/// A library that was built for one thread gets one call at a time, whatever it is called, and one that was
/// built on OpenMP a team of one, which is given back.
TEST(Provider, CallsAreMadeAsTheLibraryWasBuilt) {
    const std::string name = TENFERRO_FAKE_BLAS, other = "//" + name;
    void* const handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << ::dlerror();
    auto* const team = reinterpret_cast<int (*)()>(::dlsym(handle, "omp_get_max_threads"));
    const cpu::Provider& provider = cpu::Provider::load(name, true);
    EXPECT_EQ(provider.calls_at_once(), 1);
    {
        const cpu::Provider::Call call(provider);
        EXPECT_EQ(team(), 7) << "threads are kept";
    }
    const cpu::Provider& again = cpu::Provider::load(other, false);
    EXPECT_NE(&provider, &again);
    std::atomic<bool> entered{false};
    std::thread second;
    {
        const cpu::Provider::Call call(again);
        EXPECT_EQ(team(), 1);
        second = std::thread([&] {
            const cpu::Provider::Call waits(provider);
            entered = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        EXPECT_FALSE(entered);
    }
    second.join();
    EXPECT_TRUE(entered);
    EXPECT_EQ(team(), 7) << "given back";
}

/// The serial OpenBLAS hands out buffers without a lock. One library by two names is one library.
TEST(Provider, CallersDoNotShareBuffers) {
    if (!test::backend_or_null(1, CpuKind::Blas)) GTEST_SKIP() << test::kNoBlas;
    constexpr Index kExtent = 130;
    constexpr int kCallers = 4, kProducts = 2000;
    const cpu::Provider& usual = cpu::Provider::load("", false);
    const std::array providers{&usual, &cpu::Provider::load(usual.library(), false)};
    using Gemm = void(const char*, const char*, const Index*, const Index*, const Index*, const float*,
                      const float*, const Index*, const float*, const Index*, const float*, float*,
                      const Index*, std::size_t, std::size_t);
    const Tensor matrix = random_tensor<float>(Dims{kExtent, kExtent});
    const auto product = [&](const cpu::Provider& provider, Tensor& c) {
        auto* const gemm = provider.routine<Gemm>("gemm", DType::F32);
        const float *const a = matrix.data_as<float>(), one = 1, zero = 0;
        const cpu::Provider::Call call(provider);
        gemm("N", "N", &kExtent, &kExtent, &kExtent, &one, a, &kExtent, a, &kExtent, &zero,
             static_cast<float*>(c.write().data()), &kExtent, 1, 1);
    };
    Tensor expected = Tensor::zeros(DType::F32, Dims{kExtent, kExtent});
    product(usual, expected);
    std::atomic<int> same{0};
    std::vector<std::thread> callers;
    for (int t = 0; t < kCallers; ++t)
        callers.emplace_back([&, t] {
            Tensor c = Tensor::zeros(DType::F32, Dims{kExtent, kExtent});
            for (int i = 0; i < kProducts; ++i) {
                product(*providers[static_cast<std::size_t>(t % 2)], c);
                same += std::memcmp(c.data(), expected.data(), sizeof(float) * kExtent * kExtent) == 0;
            }
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(same.load(), kCallers * kProducts);
}

TEST(Provider, ServesManyCallerThreads) {
    const auto backend = test::backend_or_null(1, CpuKind::Blas);
    if (!backend) GTEST_SKIP() << test::kNoBlas;
    const Tensor a = random_tensor<float>(Dims{512, 512});
    const DotGeneralConfig config{{1}, {0}, {}, {}};
    const Tensor expected = backend->dot_general_read(a, a, config);
    std::atomic<int> same{0};
    std::vector<std::thread> callers;
    constexpr int kCallers = 300;
    for (int t = 0; t < kCallers; ++t)
        callers.emplace_back([&] {
            const Tensor c = backend->dot_general_read(a, a, config);
            same += std::memcmp(c.data(), expected.data(), sizeof(float) * 512 * 512) == 0;
        });
    for (std::thread& caller : callers) caller.join();
    EXPECT_EQ(same.load(), kCallers);
}

}}  // namespace tenferro::testing
