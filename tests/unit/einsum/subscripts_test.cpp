// The grammar of einsum strings in both dialects: what is legal, what it means, and what every refusal says.
#include "tenferro/einsum/subscripts.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <string>
#include <tuple>

#include "support/expect_error.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro::tensor_network { namespace {

using namespace std::string_literals;
using Inputs = std::vector<std::vector<Label>>;
using Groups = std::vector<std::vector<int>>;
using Labels = std::vector<Label>;

/// What parsing `text` complains about; empty when it is legal.
std::string refusal(std::string_view text, Dialect dialect = Dialect::Strict) {
    try {
        (void)Subscripts::parse(text, dialect);
        return "";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument) << error.what();
        return error.what();
    }
}

std::string interleaved_refusal(const std::vector<std::vector<int>>& inputs,
                                const std::optional<std::vector<int>>& output) {
    try {
        (void)Subscripts::interleaved(inputs, output);
        return "";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::InvalidArgument) << error.what();
        return error.what();
    }
}

TEST(Subscripts, ReadsOperandsAndOutput) {
    const auto s = Subscripts::parse("iij,j0Z->0i");
    EXPECT_EQ(s.inputs(), (Inputs{{U'i', U'i', U'j'}, {U'j', U'0', U'Z'}}));
    EXPECT_EQ(s.output(), (Labels{U'0', U'i'}));
    EXPECT_TRUE(s.groups().empty());
    EXPECT_EQ(s.dialect(), Dialect::Strict);
}

TEST(Subscripts, EmptyTermsAreScalars) {
    EXPECT_EQ(Subscripts::parse("->").inputs(), (Inputs{{}}));
    EXPECT_EQ(Subscripts::parse(",i->i").inputs(), (Inputs{{}, {U'i'}}));
    EXPECT_EQ(Subscripts::parse(",,->").inputs(), (Inputs{{}, {}, {}}));
}

TEST(Subscripts, LabelsMayRepeatInTheOutput) {
    EXPECT_EQ(Subscripts::parse("i->ii").output(), (Labels{U'i', U'i'}));
}

TEST(Subscripts, WhiteSpaceBetweenTokensIsIgnored) {
    EXPECT_EQ(Subscripts::parse(" i\t...\nj , ( j\vk ,\f... )\r->  i ... k "),
              Subscripts::parse("i...j,(jk,...)->i...k"));
}

TEST(Subscripts, LabelsStartAtC0BeyondAscii) {
    EXPECT_EQ(Subscripts::parse("\u00C0\u03B2\uFFFD\U0010FFFF->\u03B2").inputs(),
              (Inputs{{0xC0, 0x3B2, 0xFFFD, 0x10FFFF}}));
    EXPECT_EQ(refusal("\u00BF->"), "einsum: U+00BF is not a label at byte 0 of \"\\xc2\\xbf->\"");
    EXPECT_EQ(refusal("i\u0080->"), "einsum: U+0080 is not a label at byte 1 of \"i\\xc2\\x80->\"");
}

TEST(Subscripts, ReadsGroupsInnermostFirst) {
    EXPECT_EQ(Subscripts::parse("ij,(jk,kl)->il").groups(), (Groups{{1, 2}}));
    EXPECT_EQ(Subscripts::parse("((a,b),c,(d,(e,f)))->").groups(),
              (Groups{{0, 1}, {4, 5}, {3, 7}, {6, 2, 8}}));
    EXPECT_EQ(Subscripts::parse("(i)->i").groups(), (Groups{{0}}));
    EXPECT_EQ(Subscripts::parse("((i,j))->").groups(), (Groups{{0, 1}, {2}}));
    EXPECT_EQ(Subscripts::parse("(,)->").groups(), (Groups{{0, 1}}));
    EXPECT_EQ(Subscripts::parse("(i,j),k", Dialect::NumPy).groups(), (Groups{{0, 1}}));
}

TEST(Subscripts, RefusesMalformedText) {
    const std::vector<std::tuple<std::string, std::string, std::size_t>> cases{
        {"", "expected '->'", 0},
        {"ij,jk", "expected '->'", 5},
        {"i-", "expected '->'", 1},
        {"i- >i", "expected '->'", 1},
        {"i>i", "'>' is not a label", 1},
        {"i%->", "'%' is not a label", 1},
        {"i->i->i", "expected the end of the output", 4},
        {"i->i,i", "expected the end of the output", 4},
        {"i->(i)", "expected the end of the output", 3},
        {"i->i)", "expected the end of the output", 4},
        {"i->j", "output label j is in no operand", 3},
        {"i->\u03B2", "output label \u03B2 is in no operand", 3},
        {"...->......", "second '...' in one term", 8},
        {"...i...->...", "second '...' in one term", 4},
        {"... ...->...", "second '...' in one term", 4},
        {"....->...", "'.' that is not part of '...'", 3},
        {"i..->", "'.' that is not part of '...'", 1},
        {".. .->", "'.' that is not part of '...'", 0},
        {"()->", "empty parentheses", 1},
        {"i,( ),j->", "empty parentheses", 4},
        {"(()),i->", "empty parentheses", 2},
        {"(i->i", "'(' without ')'", 0},
        {"((i),j->i", "'(' without ')'", 0},
        {"i,(j", "'(' without ')'", 2},
        {"i)->i", "')' without '('", 1},
        {"(i))->i", "')' without '('", 3},
        {"i(j)->", "'(' that does not start an operand", 1},
        {"(i)(j)->", "'(' that does not start an operand", 3},
        {"(i)j->", "expected ',' or '->' after ')'", 3},
        {"((i)j)->", "expected ',' or ')'", 4},
        {"[0]->[0]", "'[' is not a label", 0},
    };
    for (const auto& [input, what, position] : cases)
        EXPECT_EQ(refusal(input),
                  "einsum: " + what + " at byte " + std::to_string(position) + " of \"" + input + "\"");
}

TEST(Subscripts, RefusesEveryOtherAsciiCharacter) {
    for (int c = 0; c < 0x80; ++c) {
        const bool label = std::isalnum(c) != 0, space = c == ' ' || (c >= '\t' && c <= '\r'),
                   structure = c == ',';
        const std::string input = "i"s + static_cast<char>(c) + "j->";
        EXPECT_EQ(refusal(input).empty(), label || space || structure) << "character " << c;
    }
    EXPECT_EQ(refusal("i\0j->"s), "einsum: U+0000 is not a label at byte 1 of \"i\\x00j->\"");
    EXPECT_EQ(refusal("i\x7F->"), "einsum: U+007F is not a label at byte 1 of \"i\\x7f->\"");
}

TEST(Subscripts, RefusesInvalidUtf8) {
    const std::vector<std::string> cases{"\x80",
                                         "\xBF",
                                         "\xC0\x80",
                                         "\xC1\xBF",
                                         "\xC3",
                                         "\xC3(",
                                         "\xE0\x80\x80",
                                         "\xE0\x9F\xBF",
                                         "\xE2\x82",
                                         "\xED\xA0\x80",
                                         "\xED\xBF\xBF",
                                         "\xF0\x80\x80\x80",
                                         "\xF0\x8F\xBF\xBF",
                                         "\xF0\x9F\x98",
                                         "\xF4\x90\x80\x80",
                                         "\xF5\x80\x80\x80",
                                         "\xFE",
                                         "\xFF"};
    for (const auto& bytes : cases)
        for (const auto& input : {bytes + "->", "ij," + bytes, "i->" + bytes})
            EXPECT_NE(
                refusal(input).find("einsum: invalid UTF-8 at byte " + std::to_string(input.find(bytes))),
                std::string::npos)
                << refusal(input);
    EXPECT_EQ(refusal("i\xFFj->"), "einsum: invalid UTF-8 at byte 1 of \"i\\xffj->\"");
}

TEST(Subscripts, MessagesQuoteLongTextInPart) {
    std::string input;
    for (int i = 0; i < 1000; ++i) input += "\u03B2";
    const std::string bad = input + "%" + input;
    const std::string message = refusal(bad);
    EXPECT_LT(message.size(), 130u);
    EXPECT_NE(message.find("'%' is not a label at byte 2000 of \"…\u03B2\u03B2"), std::string::npos)
        << message;
    EXPECT_EQ(message.substr(message.size() - 6), "\u03B2…\"") << message;
    EXPECT_EQ(message.find("\\x"), std::string::npos) << "a character was cut: " << message;
}

TEST(Subscripts, OnlyNumPyHasImplicitOutputs) {
    const auto output = [](std::string_view text) {
        return Subscripts::parse(text, Dialect::NumPy).output();
    };
    EXPECT_EQ(output("ij,jk"), (Labels{U'i', U'k'}));
    EXPECT_EQ(output("ba"), (Labels{U'a', U'b'}));
    EXPECT_EQ(output("\u03B2aA0"), (Labels{U'0', U'A', U'a', 0x3B2}));
    EXPECT_EQ(output("ii"), Labels{});
    EXPECT_EQ(output(""), Labels{});
    EXPECT_EQ(output("b...a,...b"), (Labels{kEllipsis, U'a'}));
    EXPECT_EQ(output("(j,i)"), (Labels{U'i', U'j'}));
    EXPECT_EQ(output("ij->j"), Labels{U'j'});
    EXPECT_FALSE(refusal("ij,jk").empty());
}

TEST(Subscripts, InterleavedIntegersBecomeLabels) {
    const auto label = [](int index) {
        return Subscripts::interleaved(std::vector<std::vector<int>>{{index}}, {}).inputs()[0][0];
    };
    EXPECT_EQ(label(0), U'a');
    EXPECT_EQ(label(25), U'z');
    EXPECT_EQ(label(26), U'A');
    EXPECT_EQ(label(51), U'Z');
    EXPECT_EQ(label(52), 0xC0u);
    EXPECT_EQ(label(0xD7FF - 140), 0xD7FFu);
    EXPECT_EQ(label(0xD800 - 140), 0xE000u);
    EXPECT_EQ(label(0x10FFFF - 0x800 - 140), 0x10FFFFu);
    const std::string beyond = std::to_string(0x10FFFF - 0x800 - 140 + 1);
    EXPECT_EQ(interleaved_refusal({{}, {0, std::stoi(beyond)}}, {}),
              "einsum: operand 1 has " + beyond + " as label 1, which is too large");
}

TEST(Subscripts, InterleavedOutputs) {
    const std::vector<std::vector<int>> inputs{{26, kInterleavedEllipsis, 1}, {1, 52, 0}};
    EXPECT_EQ(Subscripts::interleaved(inputs, {}).output(), (Labels{kEllipsis, U'a', U'A', 0xC0}));
    EXPECT_EQ(Subscripts::interleaved(inputs, {}).dialect(), Dialect::NumPy);
    EXPECT_EQ(Subscripts::interleaved(inputs, std::vector<int>{52, kInterleavedEllipsis, 52}).to_string(),
              "A...b,bÀa->À...À");
    EXPECT_EQ(Subscripts::interleaved(inputs, std::vector<int>{}).output(), Labels{});
}

TEST(Subscripts, InterleavedRefusals) {
    EXPECT_EQ(interleaved_refusal({}, {}), "einsum: at least one operand is needed");
    EXPECT_EQ(interleaved_refusal({{0, -2}}, {}), "einsum: operand 0 has -2 as label 1, which is negative");
    EXPECT_EQ(interleaved_refusal({{-1, 0, -1}}, {}), "einsum: operand 0 has more than one ellipsis");
    EXPECT_EQ(interleaved_refusal({{-1}}, std::vector<int>{-1, -1}),
              "einsum: the output has more than one ellipsis");
    EXPECT_EQ(interleaved_refusal({{0}}, std::vector<int>{0, 7}), "einsum: output label 7 is in no operand");
}

TEST(Subscripts, AnyIntegersAreLabels) {
    const std::vector<std::int32_t> first{-5, 7, -5}, second{7, 1 << 30}, output{1 << 30, -5, -5},
        unknown{7, 8};
    const std::vector<std::span<const std::int32_t>> inputs{first, second, {}};
    const Subscripts read = Subscripts::from_labels(inputs, output);
    EXPECT_EQ(read, Subscripts::parse("aba,bc,->caa"));
    EXPECT_EQ(read.dialect(), Dialect::Strict);
    EXPECT_ERROR((void)Subscripts::from_labels(inputs, unknown), InvalidArgument,
                 "output label 8 is in no operand");
    EXPECT_ERROR((void)Subscripts::from_labels({}, output), InvalidArgument, "at least one operand");
    std::vector<std::int32_t> many(1'200'000);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<std::int32_t>(i);
    const std::span<const std::int32_t> operand(many);
    EXPECT_ERROR((void)Subscripts::from_labels({&operand, 1}, {}), InvalidArgument,
                 "there are more than 111");
}

TEST(Subscripts, AnEllipsisOfTheOutputAloneStandsForNoAxes) {
    for (const Dialect dialect : {Dialect::Strict, Dialect::NumPy})
        EXPECT_EQ(Subscripts::parse("ij->...ij", dialect).to_string(), "ij->...ij");
    EXPECT_EQ(Subscripts::interleaved(std::vector<std::vector<int>>{{0}}, std::vector<int>{-1, 0}),
              Subscripts::parse("[0]->[...,0]", Dialect::NumPy));
}

TEST(Subscripts, NumPyReadsTheInterleavedFormAsText) {
    const auto parse = [](std::string_view text) { return Subscripts::parse(text, Dialect::NumPy); };
    EXPECT_EQ(parse(" [0,1] , [1 , 26]->[ 0,26]"), parse("ab,bA->aA"));
    EXPECT_EQ(parse("([...,0],[]),[0]->[...]"), parse("(...a,),a->..."));
    EXPECT_EQ(parse("[26,0]").output(), (Labels{U'a', U'A'}));
    const std::vector<std::tuple<std::string, std::string, std::size_t>> cases{
        {"[0],i", "expected '[', as the interleaved form has it around every term", 4},
        {"[0,", "expected a non-negative integer or '...'", 3},
        {"[-1]", "expected a non-negative integer or '...'", 1},
        {"[-0]", "expected a non-negative integer or '...'", 1},
        {"[0,]", "expected a non-negative integer or '...'", 3},
        {"[0 1]", "expected ',' or ']'", 3},
        {"[0", "expected ',' or ']'", 2},
        {"[..., 0, ...]", "second '...' in one term", 9},
        {"[1114111]", "integer too large for a label", 1},
        {"[99999999999999999999]", "integer too large for a label", 1},
        {"[0]->[1]", "output label 1 is in no operand", 6},
        {"[0]->[0]]", "expected the end of the output", 8},
        {"[0]->", "expected '[', as the interleaved form has it around every term", 5},
        {"()[]", "expected '[', as the interleaved form has it around every term", 1},
        {"([]),[0]", "empty parentheses", 3},
    };
    for (const auto& [input, what, position] : cases)
        EXPECT_EQ(refusal(input, Dialect::NumPy),
                  "einsum: " + what + " at byte " + std::to_string(position) + " of \"" + input + "\"");
}

TEST(Subscripts, DialectIsPartOfEquality) {
    EXPECT_NE(Subscripts::parse("i->i"), Subscripts::parse("i->i", Dialect::NumPy));
    EXPECT_NE(Subscripts::parse("(i)->i"), Subscripts::parse("i->i"));
}

/// A random legal string: nested groups, ellipses, labels of one to four bytes.
std::string random_subscripts(std::mt19937& random) {
    const std::vector<std::string> alphabet{"a", "Z", "7", "\u00C0", "\u03B2", "\u4E2D", "\U0001F600"};
    const auto below = [&](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    std::string out, used;
    std::size_t open = 0;
    for (std::size_t operands = 1 + below(8); operands > 0; --operands) {
        for (; below(3) == 0; ++open) out += '(';
        out += alphabet[below(alphabet.size())];
        used += out.substr(out.find_last_of("(,") + 1);
        if (below(4) == 0) out += "...";
        for (; open > 0 && (operands == 1 || below(2) == 0); --open) out += ')';
        if (operands > 1) out += ',';
    }
    return out + "->" + (below(2) == 0 ? used : "") + (out.find("...") != std::string::npos ? "..." : "");
}

TEST(Subscripts, ToStringIsTheInverseOfParse) {
    const auto seed = std::random_device{}();
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 500; ++round) {
        const std::string input = random_subscripts(random);
        for (const Dialect dialect : {Dialect::Strict, Dialect::NumPy})
            EXPECT_EQ(Subscripts::parse(input, dialect).to_string(), input);
    }
}

TEST(Subscripts, DepthIsBoundedByMemoryOnly) {
    const std::string opening(1'000'000, '('), closing(1'000'000, ')');
    EXPECT_NE(refusal(opening).find("'(' without ')' at byte 999999"), std::string::npos);
    const auto s = Subscripts::parse(opening + "i" + closing + "->i");
    EXPECT_EQ(s.groups().size(), 1'000'000u);
    EXPECT_EQ(s.to_string(), opening + "i" + closing + "->i");
}

TEST(Subscripts, ManyOperands) {
    std::string input = "(a0";
    for (int i = 1; i < 100'000; ++i) {
        input += i % 1000 == 0 ? "),(" : ",";
        input += label_text(static_cast<Label>(0x3000 + i % 7000));
    }
    input += ")->0a";
    const auto s = Subscripts::parse(input);
    EXPECT_EQ(s.inputs().size(), 100'000u);
    EXPECT_EQ(s.groups().size(), 100u);
    EXPECT_EQ(s.to_string(), input);
}

TEST(Subscripts, LabelText) {
    EXPECT_EQ(label_text(U'a'), "a");
    EXPECT_EQ(label_text(0xC0), "\u00C0");
    EXPECT_EQ(label_text(0x7FF), "\u07FF");
    EXPECT_EQ(label_text(0x800), "\u0800");
    EXPECT_EQ(label_text(0xFFFF), "\uFFFF");
    EXPECT_EQ(label_text(0x10000), "\U00010000");
    EXPECT_EQ(label_text(0x10FFFF), "\U0010FFFF");
    EXPECT_EQ(label_text(kEllipsis), "...");
}

}}  // namespace tenferro::tensor_network
