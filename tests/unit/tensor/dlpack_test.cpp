// DLPack in C++: the struct layout as published, drawn tensors of every dtype in and out, and who calls the
// deleter when. The cases one by one are in tests/capi/dlpack.c.
#include "tenferro/tensor/dlpack.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "support/dlpack_lender.hpp"
#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "tenferro/base/fault.hpp"
#include "tensor/dlpack_abi.hpp"

// The layout that dlpack.h 1.0 to 1.3 has on every LP64 platform.
static_assert(sizeof(DLPackVersion) == 8 && sizeof(DLDevice) == 8 && sizeof(DLDataType) == 4);
static_assert(offsetof(DLDataType, code) == 0 && offsetof(DLDataType, bits) == 1 &&
              offsetof(DLDataType, lanes) == 2);
static_assert(sizeof(DLTensor) == 48 && alignof(DLTensor) == 8);
static_assert(offsetof(DLTensor, data) == 0 && offsetof(DLTensor, device) == 8 &&
              offsetof(DLTensor, ndim) == 16);
static_assert(offsetof(DLTensor, dtype) == 20 && offsetof(DLTensor, shape) == 24 &&
              offsetof(DLTensor, strides) == 32);
static_assert(offsetof(DLTensor, byte_offset) == 40);
static_assert(sizeof(DLManagedTensorVersioned) == 80 && alignof(DLManagedTensorVersioned) == 8);
static_assert(offsetof(DLManagedTensorVersioned, version) == 0 &&
              offsetof(DLManagedTensorVersioned, manager_ctx) == 8);
static_assert(offsetof(DLManagedTensorVersioned, deleter) == 16 &&
              offsetof(DLManagedTensorVersioned, flags) == 24);
static_assert(offsetof(DLManagedTensorVersioned, dl_tensor) == 32);

namespace tenferro::test { namespace {

template <class T>
class DlpackOf : public testing::Test {};
using Elements =
    testing::Types<float, double, std::complex<float>, std::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(DlpackOf, Elements);

TYPED_TEST(DlpackOf, DrawnStridesComeInAndGoOut) {
    using T = TypeParam;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        Draw draw(seed);
        const StridedSample<T> sample(draw, draw.shape(static_cast<std::size_t>(draw.integer(0, 5)), 0, 4));
        const TensorRead& view = sample.view();
        Lender lender(view);
        lender.managed.flags = seed % 2;
        Tensor tensor = from_dlpack(&lender.managed);
        EXPECT_EQ(lender.deleted, 0);
        ASSERT_EQ(tensor.dtype(), storage_dtype<T>);
        ASSERT_EQ(tensor.shape(), view.shape());
        EXPECT_TRUE(view.size() == 0 || tensor.data() == view.data());
        for_each_index(view.shape(),
                       [&](const Dims& i) { EXPECT_EQ(element<T>(tensor, i), element<T>(view, i)); });
        EXPECT_FALSE(tensor.reusable());

        DLManagedTensorVersioned* out = to_dlpack(std::move(tensor));
        EXPECT_EQ(out->flags, seed % 2);
        EXPECT_EQ(out->dl_tensor.dtype.bits, lender.managed.dl_tensor.dtype.bits);
        Tensor again = from_dlpack(out);
        EXPECT_EQ(lender.deleted, 0);
        for_each_index(view.shape(),
                       [&](const Dims& i) { EXPECT_EQ(element<T>(again, i), element<T>(view, i)); });
        { const Tensor dead = std::move(again); }
        EXPECT_EQ(lender.deleted, 1);
    }
}

TYPED_TEST(DlpackOf, MisalignedMemoryIsCopied) {
    using T = TypeParam;
    const std::vector<T> values{T(1), T(2), T(3), T(4), T(5), T(6)};
    std::vector<char> bytes(sizeof(T) * 6 + 16);
    char* misaligned = bytes.data() + 2;
    std::memcpy(misaligned, values.data(), sizeof(T) * 6);
    Lender lender(storage_dtype<T>, misaligned, {2, 3}, {3, 1});  // rows 1 2 3 and 4 5 6
    {
        const Tensor tensor = from_dlpack(&lender.managed);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data()) % alignof(T), 0u);
        EXPECT_TRUE(tensor.is_compact());
        const T expected[] = {T(1), T(4), T(2), T(5), T(3), T(6)};
        for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(tensor.data_as<T>()[i], expected[i]);
        EXPECT_EQ(lender.deleted, 0);
    }
    EXPECT_EQ(lender.deleted, 1);
}

// Whatever a lender takes for true is 1 here, in a copy: the lender cannot write another byte later.
TEST(Dlpack, BoolsComeInAsZeroAndOne) {
    unsigned char values[6] = {1, 0, 255, 2, 0, 128};
    Lender lender(DType::Bool, values, {2, 3}, {3, 1});
    {
        const Tensor tensor = from_dlpack(&lender.managed);
        values[0] = 77;
        const unsigned char expected[6] = {1, 1, 0, 0, 1, 1};
        ASSERT_TRUE(tensor.is_compact() && tensor.data() != values);
        EXPECT_EQ(std::memcmp(tensor.data(), expected, sizeof expected), 0);
        EXPECT_EQ(lender.deleted, 0);
    }
    EXPECT_EQ(lender.deleted, 1);
}

constexpr int kManyTrips = 300000;

TEST(Dlpack, AnExportThatComesBackIsTheTensorItWas) {
    const std::vector<double> values{1, 2, 3, 4, 5, 6};
    Tensor tensor = Tensor::from_data<double>(values, Dims{2, 3});
    const void* const memory = tensor.data();
    for (int trip = 0; trip < kManyTrips; ++trip) tensor = from_dlpack(to_dlpack(std::move(tensor)));
    EXPECT_EQ(tensor.data(), memory);
    EXPECT_TRUE(tensor.buffer().unique() && tensor.buffer().writable() && tensor.is_compact());

    OwnedDlpack lent = share_dlpack(tensor);
    const Tensor shared = from_dlpack(lent.release());
    EXPECT_EQ(shared.data(), memory);
    EXPECT_FALSE(tensor.buffer().unique()) << "neither may be written while both live";

    DLManagedTensorVersioned* reshaped = to_dlpack(shared.share());
    reshaped->dl_tensor.ndim = 1;  // a consumer that has changed its view gets what it asks for
    const Tensor column = from_dlpack(reshaped);
    EXPECT_EQ(column.shape(), Dims{2});
    EXPECT_EQ(column.data(), memory);
}

TEST(Dlpack, AnExportMarkedAsReadOnlyStaysSo) {
    Tensor tensor = Tensor::from_data<double>({1, 2}, Dims{2});
    const void* const memory = tensor.data();
    for (int trip = 0; trip < 3; ++trip) {
        DLManagedTensorVersioned* const managed = to_dlpack(std::move(tensor));
        EXPECT_EQ(managed->flags, trip == 0 ? 0U : 1U);
        managed->flags |= 1;
        tensor = from_dlpack(managed);
        EXPECT_EQ(tensor.data(), memory);
        EXPECT_FALSE(tensor.buffer().writable());
    }
}

/// A library that wraps what it is lent, and lets go of it when its own struct ends.
struct Wrapper {
    OwnedDlpack inner;
    DLManagedTensorVersioned managed;

    static DLManagedTensorVersioned* around(DLManagedTensorVersioned* inner, int* ended) {
        auto* const wrapper = new Wrapper{OwnedDlpack(inner), *inner, ended};
        wrapper->managed.manager_ctx = wrapper;
        wrapper->managed.deleter = [](DLManagedTensorVersioned* self) {
            auto* const dead = static_cast<Wrapper*>(self->manager_ctx);
            ++*dead->ended;
            delete dead;
        };
        return &wrapper->managed;
    }
    int* ended;
};

TEST(Dlpack, LongChainsOfOwnersEndWithoutRecursion) {
    int ended = 0;
    {
        Tensor tensor = Tensor::zeros(DType::F64, Dims{2, 3});
        for (int trip = 0; trip < kManyTrips; ++trip)
            tensor = from_dlpack(Wrapper::around(to_dlpack(std::move(tensor)), &ended));
        EXPECT_EQ(ended, 0);
        EXPECT_EQ(tensor.shape(), (Dims{2, 3}));
    }
    EXPECT_EQ(ended, kManyTrips);
}

TEST(Dlpack, DeviceTableCoversTheMemorySpaces) {
    const double value = 1;
    for (const DlpackDevice& row : kDlpackDevices) {
        Lender lender(DType::F64, &value, {1}, {1});
        lender.managed.dl_tensor.device = {row.type, 1};
        EXPECT_ERROR(static_cast<void>(from_dlpack(&lender.managed)), UnsupportedDevice,
                     std::string("memory is on ") + std::string(row.name) + ":1 but only cpu:0 is supported");
        EXPECT_EQ(lender.deleted, 1);
    }
    EXPECT_EQ(dlpack_device(MemorySpace::MainMemory).type, 1);
    EXPECT_EQ(dlpack_device(MemorySpace::GpuMemory).type, 2);
    EXPECT_EQ(dlpack_device(MemorySpace::PinnedMemory).type, 3);
    EXPECT_EQ(dlpack_device(MemorySpace::ManagedMemory).type, 13);
}

// The element count or the reach does not fit into 64 bits.
TEST(Dlpack, OverflowIsRefused) {
    constexpr Index kMin = std::numeric_limits<Index>::min(), kMax = std::numeric_limits<Index>::max();
    const double value = 1;
    struct Case {
        Dims shape, strides;
    };
    const Case cases[] = {{{kMax, kMax}, {1, 1}},
                          {{kMax, 3}, {0, 0}},
                          {{2}, {kMax}},
                          {{2}, {kMin}},
                          {{kMax}, {kMin}},
                          {{kMax / 8, 2}, {1, -4}},
                          {{2, 2, 2}, {kMax / 16, kMax / 16, kMax / 16}},
                          {{2}, {kMax / 8}},
                          {{2}, {-kMax / 8}}};
    for (const Case& c : cases) {
        Lender lender(DType::F64, &value, c.shape, c.strides);
        EXPECT_ERROR(static_cast<void>(from_dlpack(&lender.managed)), InvalidArgument, "from_dlpack: ");
        EXPECT_EQ(lender.deleted, 1);
    }
    for (const std::uint64_t offset : {std::uint64_t{3}, std::uint64_t{1} << 63})  // also without elements
        for (const Index extent : {0, 1}) {
            Lender lender(DType::F64, &value, {extent}, {1});
            lender.managed.dl_tensor.byte_offset = offset;
            EXPECT_ERROR(static_cast<void>(from_dlpack(&lender.managed)), InvalidArgument, "byte_offset is ");
        }
    Lender lender(DType::F64, &value, {kMax, 0}, {kMax, kMax});  // empty: nothing is reached
    { EXPECT_EQ(from_dlpack(&lender.managed).size(), 0); }
    EXPECT_EQ(lender.deleted, 1);
}

TEST(Dlpack, DeleterThatThrowsIsContained) {
    const double value = 1;
    Lender lender(DType::F64, &value, {1}, {1});
    lender.throws = true;
    { EXPECT_EQ(from_dlpack(&lender.managed).size(), 1); }
    EXPECT_EQ(lender.deleted, 1);
    lender.managed.version.major = 2;
    EXPECT_ERROR(static_cast<void>(from_dlpack(&lender.managed)), Unsupported, "version is 2.3");
    EXPECT_EQ(lender.deleted, 2);
    lender.managed.deleter = nullptr;
    EXPECT_ERROR(static_cast<void>(from_dlpack(&lender.managed)), Unsupported, "version is 2.3");
    EXPECT_ERROR(static_cast<void>(from_dlpack(nullptr)), InvalidArgument, "managed is NULL");
}

TEST(Dlpack, SharedMemoryIsExportedReadOnly) {
    const double values[2] = {1, 2};
    Tensor tensor = Tensor::from_data<double>(values, Dims{2});
    const void* memory = tensor.data();
    OwnedDlpack first = share_dlpack(tensor), second = share_dlpack(tensor);
    EXPECT_EQ(first->flags, 1u);
    EXPECT_EQ(first->dl_tensor.data, memory);
    EXPECT_EQ(second->dl_tensor.data, memory);
    OwnedDlpack third(to_dlpack(std::move(tensor)));
    EXPECT_EQ(third->flags, 1u) << "two other exports hold this memory";
    first.reset();
    second = OwnedDlpack(claim_dlpack(std::move(second)));
    EXPECT_EQ(second->flags, 1u);
    third.reset();
    second = OwnedDlpack(claim_dlpack(std::move(second)));
    EXPECT_EQ(second->flags, 0u) << "nobody else holds it";
    EXPECT_EQ(static_cast<double*>(second->dl_tensor.data)[1], 2);
}

#if defined(TENFERRO_FAULTS)
TEST(Dlpack, RunningOutOfMemoryKeepsTheBooks) {
    const double value = 7;
    alignas(8) const char memory[16] = {};
    for (const int shift : {0, 1}) {  // as it is, and misaligned
        int failures = 0;
        for (long countdown = 1;; ++countdown) {
            Lender lender(DType::F64, memory + shift, {1}, {1});
            fault::arm(countdown, fault::Kind::OutOfMemory, false);
            try {
                const Tensor tensor = from_dlpack(&lender.managed);
            } catch (const Error& error) {
                failures += error.kind() == ErrorKind::OutOfMemory ? 1 : 0;
            }
            EXPECT_EQ(lender.deleted, 1);
            if (!fault::disarm()) break;
        }
        EXPECT_EQ(failures, 1 + shift);
    }
    Tensor tensor = Tensor::from_data<double>(std::span<const double>(&value, 1), Dims{});
    fault::arm(1, fault::Kind::OutOfMemory, false);
    EXPECT_ERROR(static_cast<void>(to_dlpack(std::move(tensor))), OutOfMemory, "to_dlpack");
    EXPECT_TRUE(fault::disarm());
    EXPECT_EQ(*tensor.data_as<double>(), 7);  // kept
}
#endif

}}  // namespace tenferro::test
