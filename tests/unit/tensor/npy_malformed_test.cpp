// Every way a .npy file can be wrong is refused with the file's name and a word that says what is wrong.
#include <gtest/gtest.h>

#include <sstream>

#include "tenferro/base/error.hpp"
#include "tenferro/tensor/npy.hpp"
#include "tensor/npy_header.hpp"
#include "unit/cli/temporary_folder.hpp"

namespace tenferro { namespace {

constexpr const char* kGoodDict = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";

/// A version 1.0 file.
std::string file(const std::string& dict, std::size_t data_bytes) {
    std::string bytes("\x93NUMPY\x01");
    bytes += {'\0', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
    return bytes + dict + std::string(data_bytes, '\0');
}

/// The message of reading `bytes`, or "accepted"; the same for a file and for a pipe, whose size is unknown.
std::string refusal(const std::string& bytes) {
    const auto read = [&](std::optional<std::uint64_t> size) -> std::string {
        std::istringstream in(bytes);
        try {
            (void)read_npy(in, size, "bad.npy");
            return "accepted";
        } catch (const Error& error) {
            return error.what();
        }
    };
    const std::string of_file = read(bytes.size());
    EXPECT_EQ(read(std::nullopt).substr(0, 20), of_file.substr(0, 20));
    return of_file;
}

struct MalformedCase {
    std::string dict;
    std::string expected;  ///< part of the message
};

TEST(NpyMalformed, HeadersAreRefusedByName) {
    const std::string rest = ", 'fortran_order': False, 'shape': (2,), }";
    const std::string before = "{'descr': '<f8', 'fortran_order': False, 'shape': ";
    const MalformedCase cases[] = {
        {"", "not a dict"},
        {"[('a', '<f8')]", "not a dict"},
        {"{", "no closing quote|not a string"},
        {"{}", "missing"},
        {"{'descr': '<f8', 'shape': (2,)}", "missing"},
        {"{'descr': '<f8', 'descr': '<f8'" + rest, "twice"},
        {"{'descr': '<f8', 'extra': 1" + rest, "unknown key 'extra'"},
        {"{'descr': '<f2'" + rest, "dtype '<f2' is not supported"},
        {"{'descr': '|O'" + rest, "dtype '|O' is not supported"},
        {"{'descr': '=f8'" + rest, "dtype '=f8' is not supported"},
        {"{'descr': 'f8'" + rest, "dtype 'f8' is not supported"},
        {"{'descr': ''" + rest, "dtype '' is not supported"},
        {"{'descr': [('a', '<f8')]" + rest, "descr is not a string"},
        {"{'descr': '<f8', 'fortran_order': 0, 'shape': (2,), }", "neither True nor False"},
        {"{'descr': '<f8' 'fortran_order': True, 'shape': (2,), }", "expected '}'"},
        {"{'descr' '<f8'}", "expected ':'"},
        {"{'descr': '<f8", "no closing quote"},
        {before + "(2), }", "not a tuple"},
        {before + "2, }", "expected '('"},
        {before + "(2, 3, }", "not an integer"},
        {before + "(2 3), }", "not a tuple|expected"},
        {before + "(2.0,), }", "not a tuple|expected"},
        {before + "(-2,), }", "negative: -2"},
        {before + "(,), }", "not an integer"},
        {before + "(2,,), }", "not an integer"},
        {before + "(2,), } x", "something follows"},
        {before + "(18446744073709551616,), }", "axis 0 does not fit into 64 bits"},
        {before + "(4294967296, 4294967296), }", "overflow"},
        {before + "(4611686018427387904,), }", "overflow"},
        {before + "(4, 2), }", "truncated: shape [4, 2] of f64 needs 64 bytes but the file holds 16"},
        {before + "(), }", "trailing bytes: shape [] of f64 needs 8 bytes but the file holds 16"},
        {before + "(0,), }", "trailing bytes"},
    };
    for (const MalformedCase& c : cases) {
        const std::string text = refusal(file(c.dict, 16));
        EXPECT_TRUE(text.starts_with("bad.npy: ")) << c.dict << " -> " << text;
        bool found = false;
        std::istringstream choices(c.expected);
        for (std::string choice; std::getline(choices, choice, '|');)
            found = found || text.find(choice) != std::string::npos;
        EXPECT_TRUE(found) << c.dict << " -> " << text;
        EXPECT_EQ(text.find('\n'), std::string::npos);
    }
}

TEST(NpyMalformed, EveryPrefixOfAGoodFileIsRefused) {
    const std::string good = file(kGoodDict, 16);
    ASSERT_EQ(refusal(good), "accepted");
    for (std::size_t length = 0; length < good.size(); ++length)
        EXPECT_TRUE(refusal(good.substr(0, length)).starts_with("bad.npy: ")) << length;
    EXPECT_NE(refusal(good + "x").find("trailing bytes"), std::string::npos);
}

TEST(NpyMalformed, MagicVersionAndLength) {
    std::string bytes = file(kGoodDict, 16);
    EXPECT_NE(refusal("PK\x03\x04" + bytes).find("not a .npy file"), std::string::npos);
    bytes[6] = 4;
    EXPECT_NE(refusal(bytes).find("version 4.0"), std::string::npos);
    bytes[6] = 1;
    bytes[7] = 1;
    EXPECT_NE(refusal(bytes).find("version 1.1"), std::string::npos);
    const std::string huge = std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12) + std::string(100, ' ');
    EXPECT_NE(refusal(huge).find("header of 4294967295 bytes"), std::string::npos);
}

TEST(NpyMalformed, ShapesThatDoNotFitIntoAHeader) {
    EXPECT_THROW((void)npy_header_text(DType::F64, Dims(40000, 1), "big.npy"), Error);
    EXPECT_NO_THROW((void)npy_header_text(DType::F64, Dims(20000, 1), "big.npy"));
}

TEST(NpyMalformed, FilesThatCannotBeReadOrWritten) {
    const test::TemporaryFolder folder;
    const auto error_of = [](auto action) -> std::string {
        try {
            action();
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    const std::string absent = (folder.path() / "absent.npy").string();
    EXPECT_EQ(error_of([&] { (void)load_npy(absent); }), absent + ": no such file");
    EXPECT_EQ(error_of([&] { (void)load_npy(folder.path()); }), folder.path().string() + ": is a folder");
    const std::string nowhere = (folder.path() / "none" / "x.npy").string();
    EXPECT_NE(error_of([&] {
                  save_npy(nowhere, Tensor::zeros(DType::F64, Dims{2}));
              }).find(nowhere + ": cannot be written"),
              std::string::npos);
    EXPECT_NE(
        error_of([&] { save_npy(folder.path(), Tensor::zeros(DType::F64, Dims{2})); }).find("directory"),
        std::string::npos);
    EXPECT_TRUE(folder.file_names().empty()) << "a failed write left something behind";
}

TEST(NpyMalformed, AFullDeviceIsAnErrorAndStaysADevice) {
    if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    EXPECT_THROW(save_npy("/dev/full", Tensor::zeros(DType::F64, Dims{100})), Error);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

}}  // namespace tenferro
