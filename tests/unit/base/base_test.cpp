// The error table against its frozen values, error objects, checked arithmetic, the small vector and hashes.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "support/expect_error.hpp"
#include "tenferro/base/checked.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/hash.hpp"
#include "tenferro/base/small_vector.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { namespace {

TEST(ErrorTable, StatusesAreThoseOfTheSeeds) {
    const struct {
        ErrorKind kind;
        Status status;
    } rows[] = {
        {ErrorKind::InvalidConfig, Status::InvalidArgument},
        {ErrorKind::ShapeMismatch, Status::ShapeMismatch},
        {ErrorKind::RankMismatch, Status::ShapeMismatch},
        {ErrorKind::DTypeMismatch, Status::InvalidArgument},
        {ErrorKind::AxisOutOfBounds, Status::InvalidArgument},
        {ErrorKind::DuplicateAxis, Status::InvalidArgument},
        {ErrorKind::AxisRoleConflict, Status::InvalidArgument},
        {ErrorKind::MissingValue, Status::InternalError},
        {ErrorKind::BackendFailure, Status::InternalError},
        {ErrorKind::InvalidArgument, Status::InvalidArgument},
        {ErrorKind::ModeNotSupported, Status::InvalidArgument},
        {ErrorKind::TangentShapeMismatch, Status::ShapeMismatch},
        {ErrorKind::NonScalarLoss, Status::InvalidArgument},
        {ErrorKind::HvpNotSupported, Status::InvalidArgument},
        {ErrorKind::MissingNode, Status::InternalError},
        {ErrorKind::Unsupported, Status::InvalidArgument},
        {ErrorKind::NoConvergence, Status::InternalError},
        {ErrorKind::OutOfMemory, Status::InternalError},
        {ErrorKind::UnsupportedDevice, Status::InvalidArgument},
    };
    for (const auto& row : rows) EXPECT_EQ(info(row.kind).status, row.status) << info(row.kind).name;
}

TEST(Error, SaysOperationAndMessage) {
    const Error error(ErrorKind::ShapeMismatch, "dot_general",
                      "lhs axis 1 has extent 3 but rhs axis 0 has extent 4");
    EXPECT_STREQ(error.what(), "dot_general: lhs axis 1 has extent 3 but rhs axis 0 has extent 4");
    EXPECT_EQ(error.op(), "dot_general");
    EXPECT_EQ(error.message(), "lhs axis 1 has extent 3 but rhs axis 0 has extent 4");
    const Error copy = error;
    EXPECT_STREQ(copy.what(), error.what());
}

TEST(Error, BacktraceOnlyOnRequest) {
    unsetenv("TENFERRO_BACKTRACE");
    EXPECT_TRUE(Error(ErrorKind::InvalidArgument, "op", "m").backtrace().empty());
    setenv("TENFERRO_BACKTRACE", "1", 1);
    EXPECT_FALSE(Error(ErrorKind::InvalidArgument, "op", "m").backtrace().empty());
    unsetenv("TENFERRO_BACKTRACE");
}

TEST(Checked, OverflowIsSeen) {
    const Index most = std::numeric_limits<Index>::max();
    EXPECT_EQ(checked_mul(3, 4), 12);
    EXPECT_FALSE(checked_mul(most, 2));
    EXPECT_FALSE(checked_mul(std::numeric_limits<Index>::min(), -1));
    EXPECT_EQ(checked_add(most, -1), most - 1);
    EXPECT_FALSE(checked_add(most, 1));
}

TEST(SmallVector, GrowsBeyondItsInlineStorageAndBack) {
    SmallVector<int, 4> v;
    for (int i = 0; i < 100; ++i) v.push_back(i);
    ASSERT_EQ(v.size(), 100u);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(v[static_cast<std::size_t>(i)], i);
    const SmallVector<int, 4> copy = v;
    EXPECT_EQ(copy, v);
    SmallVector<int, 4> moved = std::move(v);
    EXPECT_EQ(moved, copy);
    EXPECT_TRUE(v.empty());  // NOLINT(bugprone-use-after-move): moved-from vectors are empty by contract
    v.push_back(7);
    EXPECT_EQ(v.size(), 1u);
    moved = SmallVector<int, 4>{1, 2, 3};
    EXPECT_EQ(moved, (SmallVector<int, 4>{1, 2, 3}));
}

TEST(SmallVector, InsertAndErase) {
    SmallVector<int, 2> v{1, 3};
    v.insert(1, 2);
    v.insert(0, 0);
    v.insert(4, 4);
    EXPECT_EQ(v, (SmallVector<int, 2>{0, 1, 2, 3, 4}));
    v.erase(0);
    v.erase(3);
    EXPECT_EQ(v, (SmallVector<int, 2>{1, 2, 3}));
}

TEST(SmallVector, RefusesMoreThanItCounts) {
    SmallVector<char, 8> v{'a'};
    EXPECT_ERROR(v.resize(std::size_t{1} << 32), OutOfMemory, "a list: 4294967296 bytes cannot be allocated");
    EXPECT_EQ(v, (SmallVector<char, 8>{'a'}));
}

TEST(Hasher, EveryWordAndByteCounts) {
    std::set<std::uint64_t> values;
    for (const std::uint64_t before : {1, 2})
        for (const std::string_view name : {"", "a", "b", "ab", "ba", "a.b.v1", "a.b.v2"})
            for (const std::uint64_t after : {1, 2}) {
                Hasher hasher;
                hasher.add(before);
                hasher.add(name);
                hasher.add(after);
                values.insert(hasher.value());
            }
    EXPECT_EQ(values.size(), 28u);
}

TEST(Text, ListsAndNumbers) {
    EXPECT_EQ(text("axis ", 3, " of ", std::size_t{4}), "axis 3 of 4");
    EXPECT_EQ(list_text(SmallVector<Index, 8>{2, 3}), "[2, 3]");
    EXPECT_EQ(list_text(SmallVector<Index, 8>{}), "[]");
}

}}  // namespace tenferro
