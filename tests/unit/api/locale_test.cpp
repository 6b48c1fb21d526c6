// What the library reads and writes does not follow the process's locales: in one with a decimal comma and
// grouped digits, for C by localedef and for C++ by a facet, every text is that of the locale "C".
#include <gtest/gtest.h>
#include <tenferro.h>

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include "tenferro/base/error.hpp"
#include "tenferro/base/json.hpp"
#include "tenferro/ops/number.hpp"
#include "tenferro/tensor/npy.hpp"
#include "tenferro/tensor/print.hpp"
#include "testing/value.hpp"
#include "unit/cli/temporary_folder.hpp"

namespace tenferro { namespace {

class Comma : public std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

/// While it lives, the locales are ones with commas; says whether those of C are.
class CommaLocales {
public:
    CommaLocales() {
        const std::string source = folder_.write(
            "comma",
            "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\n"
            "grouping 3;3\nEND LC_NUMERIC\n");
        const std::string folder = folder_.path().string();
        const std::string make =
            "localedef -c -i " + source + " -f ANSI_X3.4-1968 " + folder + "/xx >" + folder + "/log 2>&1";
        (void)!std::system(make.c_str());
        ::setenv("LOCPATH", folder.c_str(), 1);
        is_set_ = std::setlocale(LC_NUMERIC, "xx") != nullptr && std::localeconv()->decimal_point[0] == ',';
        std::locale::global(std::locale(std::locale::classic(), new Comma));
        if (is_set_) std::setlocale(LC_NUMERIC, "xx");
    }
    ~CommaLocales() {
        std::locale::global(before_);
        std::setlocale(LC_NUMERIC, "C");
        ::unsetenv("LOCPATH");
    }
    CommaLocales(const CommaLocales&) = delete;
    CommaLocales& operator=(const CommaLocales&) = delete;

    [[nodiscard]] bool is_set() const { return is_set_; }

private:
    const test::TemporaryFolder folder_;
    const std::locale before_;
    bool is_set_ = false;
};

std::string message(const auto& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

std::string last_message() {
    std::vector<std::uint8_t> text(1000);
    std::size_t length = 0;
    tfe_last_error_message(text.data(), text.size(), &length);
    return reinterpret_cast<const char*>(text.data());
}

std::vector<std::string> texts() {
    std::vector<std::string> made;
    made.push_back(
        Json::parse(R"({"a":[1234567,1.5,-2.5e-300,0.1E+5,12345678901234567890]})", "j").dump("j"));
    made.push_back(
        Json::list_of(std::vector<double>{1.5, 1234567.25, 1e300}).dump("j", Json::Style::Indented));
    made.push_back(message([] { (void)Json::parse("[1,5]x", "j"); }));
    const Tensor tensor = Tensor::from_data<double>(std::vector<double>{1234567.5, 0.25}, Dims{2});
    made.push_back(to_string(tensor.read()));
    std::ostringstream printed, written;
    printed << tensor.read();
    made.push_back(printed.str());
    write_npy(written, Tensor::zeros(DType::F64, Dims{12345, 1}), "n");
    made.push_back(written.str().substr(0, 128));
    made.push_back(message([] { (void)Number(1234567.5).constant(DType::I64); }));
    made.push_back(message([] { (void)Number(std::complex<double>(1.5, -0.25)).constant(DType::F64); }));
    tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
    options.deadline = -1234.5;
    const std::size_t shape[1] = {2}, *shapes[1] = {shape}, ranks[1] = {1};
    EXPECT_EQ(tfe_einsum_plan_create("i->", shapes, ranks, 1, &options, nullptr), nullptr);
    made.push_back(last_message());
    const gradcheck::Value actual{DType::F64, Dims{1}, {{1234.5, 0}}},
        expected{DType::F64, Dims{1}, {{1.5, 0}}};
    made.push_back(gradcheck::difference_text(actual, expected, 0.125));
    return made;
}

TEST(Locales, ChangeNoText) {
    const std::vector<std::string> plain = texts();
    const CommaLocales comma;
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f", 1.5);
    EXPECT_EQ(std::string(digits), comma.is_set() ? "1,5" : "1.5");
    std::ostringstream grouped;
    grouped << 1234567;
    ASSERT_EQ(grouped.str(), "1.234.567");
    EXPECT_EQ(texts(), plain);
    if (!comma.is_set()) GTEST_SKIP() << "localedef makes no locale here: the facet of C++ alone was tried";
}

}}  // namespace tenferro
