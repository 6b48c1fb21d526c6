// Register-only multiply-adds for the peak; copies and sums of sets of several sizes for the bandwidth.
#include "bench/worker/machine.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "tenferro/tensor/buffer.hpp"
#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace tenferro::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Runs body(thread) on every thread at once and returns the seconds from the common start to the last end.
template <class Body>
double time_on_threads(int threads, const Body& body) {
    std::atomic<int> waiting{threads};
    Clock::time_point start;
    std::vector<std::thread> others;
    const auto run = [&](int thread) {
        if (--waiting == 0) start = Clock::now();
        while (waiting > 0) std::this_thread::yield();
        body(thread);
    };
    for (int t = 1; t < threads; ++t) others.emplace_back(run, t);
    run(0);
    for (std::thread& other : others) other.join();
    return seconds_since(start);
}

// Many short measurements: the best of them met no other work.
constexpr int kRounds = 15;
constexpr long kSteps = 1'000'000;

/// The widest vectors of the processor, and as many independent chains as fill every pipe (the pipes times
/// the latency) and leave the factor a register.
#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif
constexpr int kChains = 12;

/// Chains of multiply-adds in registers. The factor is opaque, so nothing is computed beforehand.
template <class T>
double multiply_add_flops(int threads) {
    typedef T Vector __attribute__((vector_size(kVectorBytes)));
    constexpr int kLanes = kVectorBytes / sizeof(T);
    const double seconds = time_on_threads(threads, [](int) {
        volatile T opaque = T(0.999);
        const Vector factor = Vector{} + opaque;
        Vector chain[kChains];
        for (int c = 0; c < kChains; ++c) chain[c] = factor * T(c);
        for (long step = 0; step < kSteps; ++step)
#pragma GCC unroll 12
            for (int c = 0; c < kChains; ++c) chain[c] = chain[c] * factor + factor;
        Vector sum{};
        for (const Vector& part : chain) sum += part;
        opaque = sum[0];
    });
    return 2.0 * kChains * kLanes * kSteps * threads / seconds;
}

double sum_of(const double* data, std::size_t count) {
    typedef double Vector __attribute__((vector_size(64)));
    const auto* vectors = reinterpret_cast<const Vector*>(data);
    Vector sums[8] = {};
    for (std::size_t i = 0; i + 8 <= count / 8; i += 8)
        for (std::size_t k = 0; k < 8; ++k) sums[k] += vectors[i + k];
    Vector sum{};
    for (const Vector& part : sums) sum += part;
    return sum[0];
}

/// Bytes read and written per second by the best of three ways to go through `bytes` bytes.
double bandwidth(std::size_t bytes, int threads) {
    const std::size_t share =
        bytes / 2 / static_cast<std::size_t>(threads) / 4096 * 4096;  // half is source, half target
    const Buffer source = allocate_buffer(bytes / 2), target = allocate_buffer(bytes / 2);
    std::memset(source.data(), 0, bytes / 2);
    std::memset(target.data(), 0, bytes / 2);
    const int repeats = static_cast<int>(std::clamp<std::size_t>((std::size_t{32} << 20) / bytes, 1, 100));
    double best = 0;
    for (int round = 0; round < kRounds; ++round)
        for (int way = 0; way < 3; ++way) {
            const double seconds = time_on_threads(threads, [&](int thread) {
                std::byte* from = source.data() + static_cast<std::size_t>(thread) * share;
                std::byte* to = target.data() + static_cast<std::size_t>(thread) * share;
                volatile double sink = 0;
                for (int i = 0; i < repeats; ++i) {
                    if (way == 0) copy_plain(to, from, share);
                    if (way == 1) copy_non_temporal(to, from, share);
                    if (way == 2) sink = sink + sum_of(reinterpret_cast<const double*>(from), share / 8);
                }
            });
            const double moved = static_cast<double>(share) * threads * repeats * (way == 2 ? 1 : 2);
            best = std::max(best, moved / seconds);
        }
    return best;
}

}  // namespace

void copy_plain(std::byte* to, const std::byte* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

void copy_non_temporal(std::byte* to, const std::byte* from, std::size_t bytes) {
    std::size_t done = 0;
#if defined(__AVX__)
    for (; done + 64 <= bytes; done += 64) {
        const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(from + done));
        const __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(from + done + 32));
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to + done), low);
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to + done + 32), high);
    }
    _mm_sfence();
#endif
    std::memcpy(to + done, from + done, bytes - done);
}

Json measure_machine(int threads) {
    Json table = Json::array();
    for (const std::size_t mib : {1, 8, 32, 256}) {
        const std::size_t bytes = mib << 20;
        table.push_back({bytes, bandwidth(bytes, threads)});
    }
    double f32 = 0, f64 = 0;
    for (int round = 0; round < kRounds; ++round) {
        f32 = std::max(f32, multiply_add_flops<float>(threads));
        f64 = std::max(f64, multiply_add_flops<double>(threads));
    }
    return {{"threads", threads}, {"flops", {{"f32", f32}, {"f64", f64}}}, {"bandwidth", table}};
}

}  // namespace tenferro::bench
