// Reading and writing .npy files: every dtype, both orders, all versions, drawn shapes.
#include "tenferro/tensor/npy.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <random>
#include <sstream>

#include "tenferro/tensor/typed_tensor.hpp"
#include "unit/cli/temporary_folder.hpp"

namespace tenferro { namespace {

Tensor read(const std::string& bytes) {
    std::istringstream in(bytes);
    return read_npy(in, bytes.size(), "x.npy");
}

std::string written(const Tensor& tensor) {
    std::ostringstream out;
    write_npy(out, tensor, "x.npy");
    return out.str();
}

/// A file with the given version, dict and data.
std::string file(int major, const std::string& dict, const std::string& data) {
    std::string bytes("\x93NUMPY");
    bytes += {static_cast<char>(major), '\0'};
    for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += static_cast<char>(dict.size() >> (8 * i) & 0xff);
    return bytes + dict + data;
}

template <class T>
std::string memory(std::initializer_list<T> values) {
    return {reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T)};
}

/// Values that differ between elements, in every byte where the dtype allows it.
Tensor drawn_tensor(DType dtype, const Dims& shape, std::mt19937& random) {
    const auto count = static_cast<std::size_t>(element_count(shape, "test"));
    std::string bytes(count * info(dtype).bytes, '\0');
    for (char& b : bytes) b = static_cast<char>(dtype == DType::Bool ? random() % 2 : random());
    return Tensor::from_bytes(dtype, bytes.data(), count, shape);
}

TEST(Npy, RoundTripsEveryDtypeWithDrawnShapes) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    for (const DTypeInfo& row : kDTypes)
        for (int trial = 0; trial < 40; ++trial) {
            Dims shape(random() % 7);
            for (Index& extent : shape) extent = random() % 5;
            const Tensor tensor = drawn_tensor(row.dtype, shape, random);
            const Tensor back = read(written(tensor));
            ASSERT_EQ(back.dtype(), row.dtype);
            ASSERT_EQ(back.shape(), shape);
            ASSERT_TRUE(back.is_compact());
            const std::size_t bytes = static_cast<std::size_t>(tensor.size()) * row.bytes;
            ASSERT_TRUE(bytes == 0 || std::memcmp(back.data(), tensor.data(), bytes) == 0);
        }
}

TEST(Npy, HeaderIsPaddedTo64Bytes) {
    for (std::size_t rank = 0; rank < 40; ++rank) {
        const std::string bytes = written(Tensor::zeros(DType::F64, Dims(rank, 1)));
        ASSERT_EQ((bytes.size() - sizeof(double)) % 64, 0U) << "rank " << rank;
        ASSERT_EQ(bytes[bytes.size() - sizeof(double) - 1], '\n');
        ASSERT_EQ(read(bytes).rank(), rank);
    }
}

TEST(Npy, ShapesAreWrittenAsPythonTuples) {
    const auto dict = [](const Dims& shape) { return written(Tensor::zeros(DType::F32, shape)).substr(10); };
    EXPECT_TRUE(dict({}).starts_with("{'descr': '<f4', 'fortran_order': True, 'shape': (), }"));
    EXPECT_TRUE(dict({3}).starts_with("{'descr': '<f4', 'fortran_order': True, 'shape': (3,), }"));
    EXPECT_TRUE(dict({3, 0, 2}).starts_with("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 0, 2), }"));
}

TEST(Npy, COrderKeepsNumPysAxisOrder) {
    const std::string dict = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }";
    const TypedTensor<std::int32_t, 2> tensor(
        read(file(1, dict, memory<std::int32_t>({0, 1, 2, 10, 11, 12}))));
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_EQ(tensor(i, j), 10 * i + j);
}

TEST(Npy, AStridedTensorIsWrittenInItsOwnAxisOrder) {
    const std::string dict = "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3), }";
    const Tensor row_major = read(file(1, dict, memory<std::int64_t>({0, 1, 2, 10, 11, 12})));
    const TypedTensor<std::int64_t, 2> back(read(written(row_major)));
    EXPECT_TRUE(back.erased().is_compact());
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_EQ(back(i, j), 10 * i + j);
}

TEST(Npy, ReadsVersions2And3) {
    const std::string dict = "{'descr': '<f8', 'fortran_order': True, 'shape': (2,)}\n";
    for (const int major : {1, 2, 3}) {
        const Tensor tensor = read(file(major, dict, memory<double>({1.5, -2.5})));
        EXPECT_EQ(tensor.data_as<double>()[0], 1.5);
        EXPECT_EQ(tensor.data_as<double>()[1], -2.5);
    }
}

TEST(Npy, AcceptsTheSpellingsOfPythonLiterals) {
    for (const char* dict : {"{'descr':'<f8','fortran_order':True,'shape':(1,)}",
                             "{\"shape\": (1, ), \"fortran_order\": False, \"descr\": \"<f8\"}",
                             "  { 'shape' : ( 1 , ) , 'descr' : '<f8' , 'fortran_order' : True , }  \n"})
        EXPECT_EQ(read(file(1, dict, memory<double>({7}))).data_as<double>()[0], 7) << dict;
}

/// Reverses every group of `width` bytes.
std::string swapped(std::string data, std::size_t width) {
    for (std::size_t at = 0; at < data.size(); at += width)
        std::reverse(data.begin() + at, data.begin() + at + width);
    return data;
}

TEST(Npy, SwapsBigEndianNumbers) {
    const std::string rest = "', 'fortran_order': True, 'shape': (2,), }";
    const Tensor reals = read(file(1, "{'descr': '>f8" + rest, swapped(memory<double>({1.25, -3e100}), 8)));
    EXPECT_EQ(reals.data_as<double>()[1], -3e100);
    const Tensor integers =
        read(file(1, "{'descr': '>i4" + rest, swapped(memory<std::int32_t>({-7, 65537}), 4)));
    EXPECT_EQ(integers.data_as<std::int32_t>()[0], -7);
    const Tensor numbers = read(file(1, "{'descr': '>c8" + rest, swapped(memory<float>({1, 2, 3, 4}), 4)));
    EXPECT_EQ(numbers.data_as<std::complex<float>>()[1], std::complex<float>(3, 4));
}

TEST(Npy, AnyNonZeroByteIsTrue) {
    const Tensor tensor = read(
        file(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", std::string("\x02\0\xff", 3)));
    const auto* bytes = static_cast<const unsigned char*>(tensor.data());
    EXPECT_EQ((std::vector<int>{bytes[0], bytes[1], bytes[2]}), (std::vector<int>{1, 0, 1}));
}

TEST(Npy, AFileThatIsReplacedKeepsItsPermissions) {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "x.npy";
    const auto permissions = [&] { return std::filesystem::status(path).permissions(); };
    const std::filesystem::perms own =
        std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
    const mode_t mask = ::umask(0027);
    save_npy(path, Tensor::zeros(DType::F64, {2}));
    ::umask(mask);
    EXPECT_EQ(permissions(), own | std::filesystem::perms::group_read);
    std::filesystem::permissions(path, own);
    save_npy(path, Tensor::zeros(DType::F64, {3}));
    EXPECT_EQ(permissions(), own);
    EXPECT_EQ(folder.file_names(), (std::vector<std::string>{"x.npy"}));
}

TEST(Npy, ZeroExtentsNeedNoData) {
    const Tensor tensor = read(
        file(1, "{'descr': '<c16', 'fortran_order': False, 'shape': (4, 0, 4611686018427387904), }", ""));
    EXPECT_EQ(tensor.size(), 0);
    EXPECT_EQ(tensor.shape(), (Dims{4, 0, 4611686018427387904}));
}

TEST(Npy, SavedFilesAppearWholeAndAlone) {
    const test::TemporaryFolder folder;
    std::mt19937 random(1);
    const Tensor tensor = drawn_tensor(DType::C32, Dims{3, 4}, random);
    save_npy(folder.path() / "a.npy", tensor);
    save_npy(folder.path() / "a.npy", tensor);  // replaces
    EXPECT_EQ(load_npy(folder.path() / "a.npy").shape(), (Dims{3, 4}));
    EXPECT_EQ(folder.file_names(), std::vector<std::string>{"a.npy"});
}

}}  // namespace tenferro
