// A strict reader of the dict literal, one token at a time, and the writer of our own headers.
#include "tensor/npy_header.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <optional>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kPadding = 64;

/// NumPy's type codes without the byte order, in the order of kDTypes.
constexpr std::array<std::string_view, kDTypes.size()> kTypeCodes{"f4", "f8", "c8", "c16", "i4", "i8", "b1"};

[[noreturn]] void fail_npy(std::string_view name, std::string_view message) {
    throw Error(ErrorKind::InvalidArgument, name, message);
}

/// Reads the tokens of a Python literal from left to right.
class LiteralReader {
public:
    LiteralReader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

    void expect(char wanted, std::string_view where) {
        if (!accept(wanted)) error(text("expected '", std::string(1, wanted), "' ", where));
    }
    bool accept(char wanted) {
        skip_space();
        if (at_ == text_.size() || text_[at_] != wanted) return false;
        ++at_;
        return true;
    }
    std::string_view string(std::string_view what) {
        skip_space();
        const char quote = at_ < text_.size() ? text_[at_] : '\0';
        if (quote != '\'' && quote != '"') error(text(what, " is not a string"));
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == std::string_view::npos) error(text(what, " has no closing quote"));
        const std::string_view value = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return value;
    }
    bool boolean(std::string_view what) {
        skip_space();
        for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}})
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return value;
            }
        error(text(what, " is neither True nor False"));
    }
    Index extent(std::string_view what) {
        skip_space();
        Index value = 0;
        const auto [end, status] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (status == std::errc::result_out_of_range) error(text(what, " does not fit into 64 bits"));
        if (status != std::errc{}) error(text(what, " is not an integer"));
        if (value < 0) error(text(what, " is negative: ", value));
        at_ = static_cast<std::size_t>(end - text_.data());
        return value;
    }
    void expect_end() {
        skip_space();
        if (at_ != text_.size()) error("something follows the dict");
    }
    [[noreturn]] void error(std::string_view message) const {
        fail_npy(name_, text("header, byte ", at_, ": ", message));
    }

private:
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }
    std::string_view text_, name_;
    std::size_t at_ = 0;
};

/// "<f8" and its like.
void read_descr(LiteralReader& reader, NpyHeader& header) {
    const std::string_view descr = reader.string("descr");
    const std::string_view code = descr.empty() ? descr : descr.substr(1);
    for (std::size_t i = 0; i < kTypeCodes.size(); ++i) {
        const bool single_byte = kDTypes[i].bytes == 1;
        if (code != kTypeCodes[i] || (single_byte ? descr[0] != '|' : descr[0] != '<' && descr[0] != '>'))
            continue;
        header.dtype = kDTypes[i].dtype;
        header.swapped = !single_byte && (descr[0] == '<') != (std::endian::native == std::endian::little);
        return;
    }
    reader.error(
        text("dtype '", descr, "' is not supported; <f4 <f8 <c8 <c16 <i4 <i8 |b1 are, in either byte order"));
}

/// "()", "(3,)", "(3, 4)" or "(3, 4,)".
Dims read_shape(LiteralReader& reader) {
    Dims shape;
    reader.expect('(', "before the shape");
    while (!reader.accept(')')) {
        shape.push_back(reader.extent(text("extent of axis ", shape.size())));
        if (reader.accept(',')) continue;
        if (shape.size() == 1) reader.error("shape is not a tuple");
        reader.expect(')', "after the shape");
        break;
    }
    return shape;
}

void read_dict(LiteralReader& reader, NpyHeader& header) {
    std::optional<bool> descr, order, shape;
    const auto claim = [&](std::optional<bool>& seen, std::string_view key) {
        if (seen) reader.error(text("key '", key, "' is given twice"));
        seen = true;
    };
    reader.expect('{', "at the start: not a dict");
    while (!reader.accept('}')) {
        const std::string_view key = reader.string("key");
        reader.expect(':', "after a key");
        if (key == "descr") {
            claim(descr, key);
            read_descr(reader, header);
        } else if (key == "fortran_order") {
            claim(order, key);
            header.fortran_order = reader.boolean("fortran_order");
        } else if (key == "shape") {
            claim(shape, key);
            header.shape = read_shape(reader);
        } else {
            reader.error(text("unknown key '", key, "'"));
        }
        if (reader.accept(',')) continue;
        reader.expect('}', "at the end of the dict");
        break;
    }
    reader.expect_end();
    if (!descr || !order || !shape) reader.error("one of the keys descr, fortran_order, shape is missing");
}

/// Little-endian unsigned integer of `count` bytes.
std::size_t read_length(std::string_view bytes, std::size_t count) {
    std::size_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value |= std::size_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return value;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view prefix, std::string_view name) {
    if (!prefix.starts_with(kMagic))
        fail_npy(name, "is not a .npy file: it does not begin with the bytes \\x93NUMPY");
    if (prefix.size() < 8)
        fail_npy(name, text("is truncated: ", prefix.size(), " bytes hold no version number"));
    const int major = static_cast<unsigned char>(prefix[6]), minor = static_cast<unsigned char>(prefix[7]);
    if (major < 1 || major > 3 || minor != 0)
        fail_npy(name, text("has .npy version ", major, ".", minor, "; versions 1.0, 2.0 and 3.0 are read"));
    const std::size_t width = major == 1 ? 2 : 4, start = 8 + width;
    if (prefix.size() < start)
        fail_npy(name, text("is truncated: ", prefix.size(), " bytes hold no header length"));
    const std::size_t length = read_length(prefix.substr(8), width);
    if (length > kMaxNpyHeaderText)
        fail_npy(name, text("has a header of ", length, " bytes; at most ", kMaxNpyHeaderText, " are read"));
    if (prefix.size() - start < length)
        fail_npy(name, text("is truncated: the header has ", length, " bytes but only ",
                            prefix.size() - start, " follow"));

    NpyHeader header;
    LiteralReader reader(prefix.substr(start, length), name);
    read_dict(reader, header);
    header.data_offset = start + length;
    const auto bytes =
        checked_mul(element_count(header.shape, name), static_cast<Index>(info(header.dtype).bytes));
    if (!bytes) fail_npy(name, text("the size in bytes of shape ", list_text(header.shape), " overflows"));
    header.data_bytes = static_cast<std::size_t>(*bytes);
    return header;
}

std::string npy_header_text(DType dtype, std::span<const Index> shape, std::string_view name) {
    const char order = info(dtype).bytes == 1 ? '|' : '<';
    std::string dict = text("{'descr': '", std::string(1, order), kTypeCodes[static_cast<std::size_t>(dtype)],
                            "', 'fortran_order': True, 'shape': (");
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
        dict += text(axis == 0 ? "" : " ", shape[axis], axis + 1 < shape.size() || axis == 0 ? "," : "");
    dict += "), }";
    const std::size_t start = 10, total = (start + dict.size() + 1 + kPadding - 1) / kPadding * kPadding;
    dict.append(total - start - dict.size() - 1, ' ').push_back('\n');
    if (dict.size() > 0xffff)
        fail_npy(name, text("a shape of rank ", shape.size(), " does not fit into a .npy header"));
    std::string header(kMagic);
    header += {'\x01', '\0', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
    return header + dict;
}

}}  // namespace tenferro::TENFERRO_ABI
