// Parsing by the events of a library's parser, and writing.
#include "tenferro/base/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <nlohmann/json.hpp>

#include "tenferro/base/error.hpp"
#include "tenferro/base/json_place.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/base/utf8.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

constexpr std::string_view kJson = "Json";

/// The shortest text that reads back as `value`, and as no integer.
std::string shortest_text(double value) {
    const double size = std::abs(value);
    const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
    char digits[32];
    char* const end = std::to_chars(digits, digits + sizeof(digits), value,
                                    plain ? std::chars_format::fixed : std::chars_format::scientific)
                          .ptr;
    std::string text(digits, end);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

using Invalid = nlohmann::json::error_handler_t;

void check_utf8(const JsonPlace& place, const std::string& part, std::string_view what) {
    for (std::size_t i = 0; i < part.size();) {
        const auto point = utf8::decode(part, i);
        if (!point) place.fail(text(what, " is not UTF-8"));
        i += point->bytes;
    }
}

/// InvalidArgument where a text of the value is not UTF-8, which names the first.
void check_texts(const JsonPlace& place, const Json& value) {
    if (const auto* const string = value.as<std::string>()) check_utf8(place, *string, "a text");
    if (const auto* const list = value.as<Json::List>())
        for (std::size_t i = 0; i < list->size(); ++i) check_texts(place.at(i), (*list)[i]);
    if (const auto* const members = value.as<Json::Members>())
        for (const auto& [key, member] : *members) {
            check_utf8(place, key, "a key");
            check_texts(place.at(key), member);
        }
}

}  // namespace

Json::Json() noexcept = default;
Json::Json(double value) try {
    if (std::isfinite(value)) value_ = OtherNumber{shortest_text(value)};
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kJson);
}
Json::Json(std::string_view value) try : value_(std::string(value)) {
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kJson, value.size());
}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&& other) noexcept {
    Json kept(std::move(other));  // which may be part of this
    value_.swap(kept.value_);
    return *this;
}
Json::~Json() = default;

std::string Json::digits_of(std::uint64_t value) { return text(value); }

Json Json::list() {
    Json json;
    json.value_.emplace<List>();
    return json;
}

Json Json::object() {
    Json json;
    json.value_.emplace<Members>();
    return json;
}

void Json::add(Json value) try {
    if (as<List>() == nullptr)
        throw Error(ErrorKind::InvalidArgument, kJson,
                    text("a value is added to an array, not to ", type_name()));
    std::get<List>(value_).push_back(std::move(value));
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kJson);
}

Json& Json::add(std::string_view key, Json value) try {
    if (as<Members>() == nullptr)
        throw Error(ErrorKind::InvalidArgument, kJson,
                    text("'", key, "' is added to an object, not to ", type_name()));
    Members& members = std::get<Members>(value_);
    members.push_back({std::string(key), std::move(value)});
    return members.back().value;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(kJson);
}

const Json* Json::find(std::string_view key) const noexcept {
    if (const Members* const members = as<Members>())
        for (const Member& member : *members)
            if (member.key == key) return &member.value;
    return nullptr;
}

std::string_view Json::type_name() const noexcept {
    constexpr std::string_view kNames[] = {"null",   "boolean", "number", "number",
                                           "string", "array",   "object"};
    return kNames[value_.index()];
}

/// Puts values together as a parser reports them.
class Json::Builder {
public:
    explicit Builder(std::string_view op) : op_(op) {}

    [[nodiscard]] Json take() noexcept { return std::move(root_); }

    bool null() { return put({}); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(std::int64_t value) { return put(value); }
    bool number_unsigned(std::uint64_t value) { return put(value); }
    bool number_float(double, const std::string& digits) {
        Json number;
        number.value_ = OtherNumber{digits};
        // The parser has put the point of the process's locale in place of '.'.
        for (char& digit : std::get<OtherNumber>(number.value_).digits)
            if (std::string_view("+-0123456789eE").find(digit) == std::string_view::npos) digit = '.';
        return put(std::move(number));
    }
    bool string(std::string& value) { return put(value); }
    bool binary(std::vector<std::uint8_t>&) { return false; }
    bool key(std::string& value) {
        key_ = value;
        return true;
    }
    bool start_object(std::size_t) { return begin(Json::object()); }
    bool start_array(std::size_t) { return begin(Json::list()); }
    bool end_object() {
        std::vector<std::string_view> keys;
        for (const Member& member : *open_.back()->as<Members>()) keys.push_back(member.key);
        std::sort(keys.begin(), keys.end());
        if (const auto twice = std::adjacent_find(keys.begin(), keys.end()); twice != keys.end())
            fail(text("the key '", shown(*twice), "' occurs twice"));
        return end_array();
    }
    bool end_array() {
        open_.pop_back();
        return true;
    }
    bool parse_error(std::size_t, const std::string& token, const nlohmann::detail::exception& error) {
        if (const auto* const place = dynamic_cast<const nlohmann::detail::parse_error*>(&error))
            fail(text("the text is not JSON at byte ", place->byte));
        fail(text("the number ", shown(token), " is out of range"));
    }

private:
    static constexpr std::size_t kDeepest = 512;  // values are destroyed on the call stack
    static constexpr std::size_t kShown = 60;     // characters of what a message quotes

    static std::string shown(std::string_view part) {
        return text(part.substr(0, kShown), part.size() > kShown ? "..." : "");
    }
    [[noreturn]] void fail(std::string_view message) const {
        throw Error(ErrorKind::InvalidArgument, op_, message);
    }
    Json& place(Json&& value) {
        if (open_.empty()) return root_ = std::move(value);
        Json& outer = *open_.back();
        if (outer.as<Members>() != nullptr) return outer.add(key_, std::move(value));
        outer.add(std::move(value));
        return std::get<List>(outer.value_).back();
    }
    bool put(Json&& value) {
        place(std::move(value));
        return true;
    }
    bool begin(Json&& value) {
        if (open_.size() == kDeepest) fail(text("the text is nested more than ", kDeepest, " deep"));
        open_.push_back(&place(std::move(value)));
        return true;
    }

    std::string_view op_;
    Json root_;
    std::vector<Json*> open_;  // each is the last of the one before, which does not grow meanwhile
    std::string key_;
};

Json Json::parse(std::string_view text, std::string_view op) try {
    Builder builder(op);
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op);
}

void Json::append_to(std::string& text, Style style, std::size_t indent) const {
    const bool lines = style == Style::Indented;
    const auto append_all = [&](const auto& values, char open, char close, const auto& append) {
        constexpr std::size_t kStep = 2;
        text += open;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i != 0) text += ',';
            if (lines) text.append("\n").append(indent + kStep, ' ');
            append(values[i], indent + kStep);
        }
        if (lines && !values.empty()) text.append("\n").append(indent, ' ');
        text += close;
    };
    const auto append_string = [&](const std::string& value) {
        text += nlohmann::json(value).dump(-1, ' ', lines, lines ? Invalid::replace : Invalid::strict);
    };
    if (const bool* const value = as<bool>())
        text += *value ? "true" : "false";
    else if (const std::int64_t* const number = as<std::int64_t>())
        text += std::to_string(*number);
    else if (const std::string* const string = as<std::string>())
        append_string(*string);
    else if (const List* const values = as<List>())
        append_all(*values, '[', ']',
                   [&](const Json& element, std::size_t inner) { element.append_to(text, style, inner); });
    else if (const Members* const members = as<Members>())
        append_all(*members, '{', '}', [&](const Member& member, std::size_t inner) {
            append_string(member.key);
            text += lines ? ": " : ":";
            member.value.append_to(text, style, inner);
        });
    else if (const OtherNumber* const other = as<OtherNumber>())
        text += other->digits;
    else
        text += "null";
}

std::string Json::dump(std::string_view op, Style style) const try {
    std::string text;
    try {
        append_to(text, style, 0);
    } catch (const nlohmann::json::type_error&) {
        check_texts(JsonPlace(*this, op), *this);
    }
    return text;
} catch (const std::bad_alloc&) {
    throw_out_of_memory(op);
}

}}  // namespace tenferro::TENFERRO_ABI
