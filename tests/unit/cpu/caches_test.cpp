// The caches as the system tells them, on simulated machines: a desktop, a virtual machine that is told the
// third cache of its host, one that tells nothing, and nonsense; and the size from which on results are
// streamed.
#include "cpu/caches.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <vector>

#include "cpu/kernels/movement/streaming.hpp"
#include "support/expect_error.hpp"
#include "support/machines.hpp"
#include "tenferro/cpu/cpu_backend.hpp"

namespace tenferro::cpu { namespace {

constexpr Index kMiB = 1 << 20;

/// A folder in the form of /sys/devices/system/cpu/cpu0/cache.
class SimulatedMachine {
public:
    SimulatedMachine()
        : folder_(std::filesystem::path(::testing::TempDir()) /
                  ("caches" + std::to_string(std::random_device{}()))) {}
    ~SimulatedMachine() { std::filesystem::remove_all(folder_); }

    void add(const char* level, const char* type, const char* size, const char* shared) {
        const auto index = folder_ / ("index" + std::to_string(count_++));
        std::filesystem::create_directories(index);
        std::ofstream(index / "level") << level << '\n';
        std::ofstream(index / "type") << type << '\n';
        std::ofstream(index / "size") << size << '\n';
        std::ofstream(index / "shared_cpu_list") << shared << '\n';
    }
    [[nodiscard]] Caches read() const { return read_caches(folder_.c_str()); }

private:
    const std::filesystem::path folder_;
    int count_ = 0;
};

TEST(CachesTest, ADesktopHasASecondCacheAndAShareOfTheThird) {
    SimulatedMachine machine;
    machine.add("1", "Data", "32K", "0,8");
    machine.add("1", "Instruction", "32K", "0,8");
    machine.add("2", "Unified", "1024K", "0,8");
    machine.add("3", "Unified", "32768K", "0-15");
    const Caches caches = machine.read();
    EXPECT_EQ(caches.second, kMiB);
    EXPECT_EQ(caches.third, 32 * kMiB);
    EXPECT_EQ(caches.third_shares, 16);
    EXPECT_EQ(stream_bytes_for(caches), 3 * kMiB);
    EXPECT_EQ(far_bytes_for(caches), 16 * kMiB);
}

TEST(CachesTest, AVirtualMachineDoesNotOwnTheCacheOfItsHost) {
    SimulatedMachine machine;
    machine.add("1", "Data", "48K", "0");
    machine.add("2", "Unified", "2048K", "0");
    machine.add("3", "Unified", "266240K", "0-1");
    EXPECT_EQ(machine.read().third_shares, 2);
    EXPECT_EQ(stream_bytes_for(machine.read()), 4 * kMiB);
    EXPECT_EQ(far_bytes_for(machine.read()), kMiB / 2);
}

TEST(CachesTest, AnUnknownMachineIsAnOrdinaryOne) {
    EXPECT_EQ(far_bytes_for({}), 16 * kMiB);
    EXPECT_EQ(stream_bytes_for(SimulatedMachine().read()), 4 * kMiB);
    EXPECT_EQ(stream_bytes_for({}), 4 * kMiB);
    EXPECT_EQ(stream_bytes_for({.third = 512 * kMiB}), 4 * kMiB);
}

TEST(CachesTest, NonsenseIsUnknown) {
    SimulatedMachine machine;
    machine.add("2", "Unified", "-5K", "0");
    machine.add("3", "Unified", "99999999999999999999M", "7-3,x");
    machine.add("", "", "", "");
    const Caches caches = machine.read();
    EXPECT_EQ(caches.second, 0);
    EXPECT_EQ(caches.third, 0);
    EXPECT_EQ(caches.third_shares, 0);
}

TEST(CachesTest, SizesAreBoundedOnEveryMachine) {
    std::mt19937_64 random(3);
    const auto drawn = [&] { return static_cast<Index>(random() >> (24 + random() % 40)); };
    for (int i = 0; i < 10000; ++i) {
        const Caches caches{drawn(), drawn(), drawn() % 300};
        const Index bytes = stream_bytes_for(caches);
        ASSERT_GE(bytes, kMiB);
        ASSERT_LE(bytes, 32 * kMiB);
        ASSERT_GE(far_bytes_for(caches), kMiB / 2);
        ASSERT_LE(far_bytes_for(caches), 16 * kMiB);
    }
}

TEST(CachesTest, TheEnvironmentDecidesForNewContexts) {
    ::setenv("TENFERRO_STREAM_BYTES", "12345", 1);
    EXPECT_EQ(CpuContext(1).stream_bytes(), 12345);
    EXPECT_EQ(CpuBackend::with_threads(1)->stream_bytes(), 12345);
    for (const char* bad : {"", "0", "-1", "4MiB", "1e6", "99999999999999999999"}) {
        ::setenv("TENFERRO_STREAM_BYTES", bad, 1);
        EXPECT_ERROR(CpuContext(1), InvalidArgument, "TENFERRO_STREAM_BYTES is '");
    }
    ::unsetenv("TENFERRO_STREAM_BYTES");
    EXPECT_EQ(CpuContext(1).stream_bytes(), stream_bytes_for(read_caches()));
    EXPECT_EQ(far_bytes(), far_bytes_for(read_caches()));
}

TEST(CachesTest, TheUserDecidesForABackend) {
    const auto backend = CpuBackend::with_threads(1);
    backend->set_stream_bytes(testing::kHugeCaches);
    EXPECT_EQ(backend->stream_bytes(), testing::kHugeCaches);
    EXPECT_ERROR(backend->set_stream_bytes(0), InvalidArgument, "stream bytes are 0 but must be at least 1");
}

/// Written bytes count half, of what is read all; each thread has a share of the caches. Repeated elements
/// count once.
TEST(CachesTest, OperandsCountWhereResultsAreStreamed) {
    constexpr Index kSize = 1 << 16;
    std::vector<double> memory(kSize);
    const auto view = [&](Index stride) {
        return TensorRead(DType::F64, memory.data(), Dims{kSize}, Dims{stride});
    };
    EXPECT_EQ(bytes_of(view(0)), 8 * kSize);
    EXPECT_EQ(distinct_bytes(view(1)), 8 * kSize);
    EXPECT_EQ(distinct_bytes(view(0)), 8);
    CpuContext one(1), two(2);
    one.set_stream_bytes(kMiB);
    two.set_stream_bytes(kMiB);
    EXPECT_FALSE(worth_streaming(2 * kMiB - 2, 0, one));
    EXPECT_TRUE(worth_streaming(2 * kMiB, 0, one));
    EXPECT_FALSE(worth_streaming(kMiB, kMiB / 2 - 1, one));
    EXPECT_TRUE(worth_streaming(kMiB, kMiB / 2, one));
    EXPECT_FALSE(worth_streaming(kMiB, kMiB / 2, two));
    EXPECT_TRUE(worth_streaming(kMiB, 3 * kMiB / 2, two));
    two.set_stream_bytes(testing::kHugeCaches);
    EXPECT_FALSE(worth_streaming(kMiB, kMiB, two));
}

}}  // namespace tenferro::cpu
