// Instance files: the fields, the choice of axis order, and every malformed field by name.
#include "cli/instance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli { namespace {

constexpr const char* kChain = R"({
    "name": "chain", "format_string": "ij,jk->ik", "shapes": [[2, 3], [3, 4]],
    "format_string_colmajor": "ji,kj->ki", "shapes_colmajor": [[3, 2], [4, 3]],
    "dtype": "complex64", "ignored": {"deep": [1, null]},
    "paths": {"opt_size": {"path": [[0, 1]], "log2_size": 3.0}, "opt_flops": {"path": [[1, 0]]}}})";

TEST(Instance, ReadsTheColumnMajorFieldsByDefault) {
    const Instance instance = parse_instance(kChain, "chain.json");
    EXPECT_EQ(instance.name, "chain");
    EXPECT_EQ(instance.order, AxisOrder::ColumnMajor);
    EXPECT_EQ(instance.subscripts, "ji,kj->ki");
    EXPECT_EQ(instance.shapes, (std::vector<Dims>{{3, 2}, {4, 3}}));
    EXPECT_EQ(instance.dtype, DType::C32);
    EXPECT_EQ(instance.paths, (std::map<std::string, Path>{{"opt_flops", {{1, 0}}}, {"opt_size", {{0, 1}}}}));
}

TEST(Instance, ReadsTheRowMajorFieldsOnRequestOrWhenAlone) {
    const Instance asked = parse_instance(kChain, "chain.json", AxisOrder::RowMajor);
    EXPECT_EQ(asked.subscripts, "ij,jk->ik");
    EXPECT_EQ(asked.shapes, (std::vector<Dims>{{2, 3}, {3, 4}}));
    const Instance alone = parse_instance(R"({"format_string": "i,->i", "shapes": [[2], []]})", "alone.json");
    EXPECT_EQ(alone.order, AxisOrder::RowMajor);
    EXPECT_EQ(alone.name, "alone.json");
    EXPECT_EQ(alone.dtype, DType::F64);
    EXPECT_EQ(alone.shapes, (std::vector<Dims>{{2}, {}}));
    EXPECT_TRUE(alone.paths.empty());
}

std::string message(const std::string& json, std::optional<AxisOrder> order = std::nullopt) {
    try {
        (void)parse_instance(json, "bad.json", order);
        return "accepted";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(Instance, MalformedFilesAreRefusedByField) {
    const std::string good = R"({"format_string": "i->i", "shapes": [[2]])";
    ASSERT_EQ(message(good + "}"), "accepted");
    const std::pair<std::string, std::string> cases[] = {
        {"", "not JSON"},
        {"{\"a\": \xff}", "not JSON at byte 7"},
        {"[1]", "the document: expected an object, got array"},
        {good, "not JSON at byte"},
        {"{}", "'format_string' is missing"},
        {R"({"format_string": 1, "shapes": [[2]]})", "format_string: expected a string, got number"},
        {R"({"format_string": "i->i"})", "'shapes' is missing"},
        {R"({"format_string": "i->i", "shapes": 3})", "shapes: expected an array, got number"},
        {R"({"format_string": "i->i", "shapes": [3]})", "shapes[0]: expected an array, got number"},
        {R"({"format_string": "i->i", "shapes": [[2], [3, -1]]})",
         "shapes[1][1]: -1 is not from 0 to 9223372036854775807"},
        {R"({"format_string": "i->i", "shapes": [[2.5]]})", "shapes[0][0]: expected an integer, got number"},
        {R"({"format_string": "i->i", "shapes": [["2"]]})", "shapes[0][0]: expected an integer, got string"},
        {R"({"format_string": "i->i", "shapes": [[18446744073709551615]]})",
         "shapes[0][0]: 18446744073709551615 is not a 64-bit integer"},
        {R"({"format_string": "i->i", "shapes": [[1e30]]})", "shapes[0][0]: expected an integer, got number"},
        {R"({"format_string": "ij->i", "shapes": [[4294967296, 4294967296]]})",
         "shapes[0]: the number of elements of shape [4294967296, 4294967296] overflows"},
        {R"({"format_string": "i->i", "shapes": [[99999999999999999999]]})",
         "shapes[0][0]: 99999999999999999999 is not a 64-bit integer"},
        {R"({"format_string": "i->i", "shapes": [[true]]})",
         "shapes[0][0]: expected an integer, got boolean"},
        {R"({"format_string": "i->i", "shapes": [[2]], "x": 1e400})", "the number 1e400 is out of range"},
        {good + R"(, "shapes": [[3]]})", "the key 'shapes' occurs twice"},
        {good + R"(, "name": []})", "name: expected a string, got array"},
        {good + R"(, "dtype": "float16"})", "dtype: 'float16' is none of f32"},
        {good + R"(, "paths": []})", "paths: expected an object, got array"},
        {good + R"(, "paths": {"opt_size": [[0]]}})", "paths.opt_size: expected an object, got array"},
        {good + R"(, "paths": {"opt_size": {}}})", "paths.opt_size: 'path' is missing"},
        {good + R"(, "paths": {"opt_size": {"path": [[0], 1]}}})",
         "paths.opt_size.path[1]: expected an array, got number"},
        {good + R"(, "paths": {"opt_size": {"path": [[-1]]}}})",
         "paths.opt_size.path[0][0]: -1 is not from 0 to 2147483647"},
        {good + R"(, "paths": {"opt_size": {"path": [[4294967296]]}}})",
         "paths.opt_size.path[0][0]: 4294967296 is not from 0 to 2147483647"},
    };
    for (const auto& [json, expected] : cases) {
        const std::string text = message(json);
        EXPECT_TRUE(text.starts_with("bad.json: ")) << json << " -> " << text;
        EXPECT_NE(text.find(expected), std::string::npos) << json << " -> " << text;
        EXPECT_EQ(text.find('\n'), std::string::npos);
    }
    EXPECT_NE(message(good + "}", AxisOrder::ColumnMajor).find("'format_string_colmajor' is missing"),
              std::string::npos);
}

TEST(Instance, DeepNestingIsNoProblem) {
    const auto nested = [](int deep) { return std::string(deep, '[') + std::string(deep, ']'); };
    EXPECT_NE(message(nested(512)).find("expected an object"), std::string::npos);
    EXPECT_NE(message(nested(200000)).find("nested more than 512 deep"), std::string::npos);
}

TEST(Instance, ManyKeysAndOneTwice) {
    std::string many = R"({"format_string": "i->i", "shapes": [[2]])";
    for (int i = 0; i < 100000; ++i) many += text(",\"", i, "\": 0");
    EXPECT_EQ(message(many + "}"), "accepted");
    EXPECT_NE(message(many + R"(, "7": 1})").find("the key '7' occurs twice"), std::string::npos);
}

TEST(Instance, ShapesOnTheCommandLine) {
    EXPECT_EQ(parse_shapes("2x3,3x4"), (std::vector<Dims>{{2, 3}, {3, 4}}));
    EXPECT_EQ(parse_shapes("0,,1x1x1"), (std::vector<Dims>{{0}, {}, {1, 1, 1}}));
    EXPECT_EQ(parse_shapes(""), (std::vector<Dims>{Dims{}}));
    for (const char* bad : {"2x", "x2", "a", "2 x3", "2x-3", "2y3", "99999999999999999999", "2,3x"})
        EXPECT_THROW((void)parse_shapes(bad), Error) << bad;
}

TEST(Instance, ReadsThePublicInstances) {
    const std::filesystem::path folder = std::filesystem::path(TENFERRO_SHARED_DATA) / "einsum";
    if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        const Instance column = load_instance(entry.path()),
                       row = load_instance(entry.path(), AxisOrder::RowMajor);
        ASSERT_EQ(column.order, AxisOrder::ColumnMajor) << entry.path();
        ASSERT_EQ(column.shapes.size(), row.shapes.size());
        for (std::size_t k = 0; k < row.shapes.size(); ++k) {
            Dims reversed(row.shapes[k]);
            std::reverse(reversed.begin(), reversed.end());
            EXPECT_EQ(column.shapes[k].size(), reversed.size()) << entry.path();
        }
        EXPECT_EQ(column.paths.at("opt_flops").size() + 1, column.shapes.size()) << entry.path();
    }
}

}}  // namespace tenferro::cli
