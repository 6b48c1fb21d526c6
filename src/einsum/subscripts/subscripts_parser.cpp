// A one-pass parser for
//     subscripts = operands "->" term          (NumPy: "->" term may be missing)
//     operands   = operand { "," operand }
//     operand    = term | "(" operands ")"     ("()" and "([])" are refused)
//     term       = { label | "..." }           (NumPy, interleaved: "[" [ item { "," item } ] "]", item =
//     integer | "...")
// with ASCII white space between any two tokens. Open parentheses are kept on an explicit stack, so that
// their depth is bounded by memory and not by the call stack.
#include "einsum/subscripts/subscripts_parser.hpp"

#include <charconv>
#include <limits>
#include <unordered_set>
#include <utility>

#include "einsum/subscripts/labels.hpp"
#include "einsum/subscripts/quote.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/base/utf8.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string code_point_name(char32_t code_point) {
    if (code_point > 0x20 && code_point < 0x7F) return {'\'', static_cast<char>(code_point), '\''};
    std::string name = "U+";
    for (int shift = code_point > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4)
        name += "0123456789ABCDEF"[code_point >> shift & 15];
    return name;
}

class Parser {
public:
    Parser(std::string_view text, Dialect dialect)
        : text_(text),
          dialect_(dialect),
          interleaved_(dialect == Dialect::NumPy && text.find('[') != std::string_view::npos) {}

    ParsedSubscripts run() {
        parse_operands();
        number_groups();
        if (at_end() && dialect_ == Dialect::NumPy)
            result_.output =
                implicit_output(result_.inputs, interleaved_ ? LabelOrder::Index : LabelOrder::CodePoint);
        else
            parse_output();
        return std::move(result_);
    }

private:
    struct OpenGroup {
        std::size_t position;  // of its '('
        std::vector<int> members;
    };

    void parse_operands() {
        do {
            bool opened = false;
            for (; take('('); opened = true) open_.push_back(OpenGroup{position_ - 1, {}});
            std::vector<Label> labels = parse_term();
            if (opened && labels.empty() && peek() == ')') fail("empty parentheses");
            known_.insert(labels.begin(), labels.end());
            add_member(static_cast<int>(result_.inputs.size()));
            result_.inputs.push_back(std::move(labels));
            while (take(')')) close_group();
        } while (take(','));
        if (peek() == '(') fail("'(' that does not start an operand");
        if (!open_.empty()) {
            if (!at_end() && peek() != '-') fail("expected ',' or ')'");
            position_ = open_.back().position;
            fail("'(' without ')'");
        }
    }

    void parse_output() {
        skip_space();
        if (text_.substr(position_, 2) != "->")
            fail(after_group_ ? "expected ',' or '->' after ')'" : "expected '->'");
        position_ += 2;
        in_output_ = true;
        result_.output = parse_term();
        if (!at_end()) fail("expected the end of the output");
    }

    std::vector<Label> parse_term() {
        after_group_ = false;
        return interleaved_ ? parse_bracketed_term() : parse_letters();
    }

    std::vector<Label> parse_letters() {
        std::vector<Label> labels;
        bool has_ellipsis = false;
        for (char c = peek(); !at_end() && c != ',' && c != '(' && c != ')' && c != '-'; c = peek())
            labels.push_back(c == '.' ? parse_ellipsis(has_ellipsis) : parse_label());
        return labels;
    }

    std::vector<Label> parse_bracketed_term() {
        std::vector<Label> labels;
        if (!take('[')) fail("expected '[', as the interleaved form has it around every term");
        if (take(']')) return labels;
        bool has_ellipsis = false;
        do {
            labels.push_back(peek() == '.' ? parse_ellipsis(has_ellipsis) : parse_index());
        } while (take(','));
        if (!take(']')) fail("expected ',' or ']'");
        return labels;
    }

    Label parse_ellipsis(bool& seen) {
        if (text_.substr(position_, 3) != "...") fail("'.' that is not part of '...'");
        if (seen) fail("second '...' in one term");
        seen = true;
        position_ += 3;
        return kEllipsis;
    }

    Label parse_label() {
        const auto decoded = utf8::decode(text_, position_);
        if (!decoded) fail("invalid UTF-8");
        if (!is_label(decoded->value)) fail(code_point_name(decoded->value) + " is not a label");
        if (in_output_ && known_.count(decoded->value) == 0)
            fail(text("output label ", label_text(decoded->value), " is in no operand"));
        position_ += decoded->bytes;
        return decoded->value;
    }

    Label parse_index() {
        if (const char c = peek(); c < '0' || c > '9') fail("expected a non-negative integer or '...'");
        int index = 0;
        const auto [last, status] =
            std::from_chars(text_.data() + position_, text_.data() + text_.size(), index);
        const auto label = status == std::errc{} ? label_of_index(index) : std::nullopt;
        if (!label) fail("integer too large for a label");
        if (in_output_ && known_.count(*label) == 0) fail(text("output label ", index, " is in no operand"));
        position_ = static_cast<std::size_t>(last - text_.data());
        return *label;
    }

    void add_member(int member) {
        if (!open_.empty()) open_.back().members.push_back(member);
    }

    void close_group() {
        if (open_.empty()) {
            --position_;
            fail("')' without '('");
        }
        after_group_ = true;
        const int group = static_cast<int>(result_.groups.size());
        result_.groups.push_back(std::move(open_.back().members));
        open_.pop_back();
        add_member(~group);  // the number of operands, and with it the member's number, is not known yet
    }

    void number_groups() {
        const int operands = static_cast<int>(result_.inputs.size());
        for (auto& group : result_.groups)
            for (int& member : group)
                if (member < 0) member = operands + ~member;
    }

    void skip_space() {
        while (position_ < text_.size() && is_space(text_[position_])) ++position_;
    }
    bool at_end() {
        skip_space();
        return position_ == text_.size();
    }
    /// The next byte after white space; NUL at the end.
    char peek() { return at_end() ? '\0' : text_[position_]; }
    bool take(char wanted) {
        if (at_end() || text_[position_] != wanted) return false;
        ++position_;
        return true;
    }
    [[noreturn]] void fail(std::string_view what) const {
        throw Error(ErrorKind::InvalidArgument, "einsum",
                    text(what, " at byte ", position_, " of ", quote_around(text_, position_)));
    }

    std::string_view text_;
    Dialect dialect_;
    bool interleaved_;
    bool in_output_ = false;
    bool after_group_ = false;
    std::size_t position_ = 0;
    std::vector<OpenGroup> open_;
    std::unordered_set<Label> known_;  // of all operands, for the output
    ParsedSubscripts result_;
};

}  // namespace

ParsedSubscripts parse_subscripts(std::string_view text, Dialect dialect) {
    if (text.size() > std::numeric_limits<int>::max() / 2)  // operands and groups are numbered by int
        throw Error(ErrorKind::InvalidArgument, "einsum",
                    tenferro::text("subscripts of ", text.size(), " bytes are too long"));
    return Parser(text, dialect).run();
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
