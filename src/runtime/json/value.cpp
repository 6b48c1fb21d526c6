// Parsing by the events of a library's parser, and writing.
#include "runtime/json/value.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

Json::Json() noexcept = default;
Json::Json(bool value) noexcept : value_(value) {}
Json::Json(std::int64_t value) noexcept : value_(value) {}
Json::Json(std::string_view value) : value_(std::string(value)) {}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

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

void Json::add(Json value) { std::get<List>(value_).push_back(std::move(value)); }

Json& Json::add(std::string_view key, Json value) {
    Members& members = std::get<Members>(value_);
    members.push_back({std::string(key), std::move(value)});
    return members.back().value;
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
    [[nodiscard]] Json take() noexcept { return std::move(root_); }

    bool null() { return put({}); }
    bool boolean(bool value) { return put(value); }
    bool number_integer(std::int64_t value) { return put(value); }
    bool number_unsigned(std::uint64_t value) {
        if (value <= std::numeric_limits<std::int64_t>::max()) return put(static_cast<std::int64_t>(value));
        return number_float(0, std::to_string(value));
    }
    bool number_float(double, const std::string& digits) {
        Json number;
        number.value_ = OtherNumber{digits};
        return put(std::move(number));
    }
    bool string(std::string& value) { return put(std::string_view(value)); }
    bool binary(std::vector<std::uint8_t>&) { return false; }
    bool key(std::string& value) {
        if (open_.back()->find(value) != nullptr)
            throw Error(ErrorKind::InvalidArgument, kJsonOp, text("the key '", value, "' occurs twice"));
        key_ = value;
        return true;
    }
    bool start_object(std::size_t) { return begin(Json::object()); }
    bool start_array(std::size_t) { return begin(Json::list()); }
    bool end_object() { return end(); }
    bool end_array() { return end(); }
    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
        const auto* const place = dynamic_cast<const nlohmann::detail::parse_error*>(&error);
        throw Error(ErrorKind::InvalidArgument, kJsonOp,
                    place == nullptr ? "the text is not JSON"  // a number that nothing holds
                                     : text("the text is not JSON at byte ", place->byte));
    }

private:
    static constexpr std::size_t kDeepest = 512;  // values are destroyed on the call stack

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
        if (open_.size() == kDeepest)
            throw Error(ErrorKind::InvalidArgument, kJsonOp,
                        text("the text is nested more than ", kDeepest, " deep"));
        open_.push_back(&place(std::move(value)));
        return true;
    }
    bool end() {
        open_.pop_back();
        return true;
    }

    Json root_;
    std::vector<Json*> open_;  // each is the last of the one before, which does not grow meanwhile
    std::string key_;
};

Json Json::parse(std::string_view text) {
    Builder builder;
    nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

void Json::append_to(std::string& text) const {
    const auto append_all = [&](const auto& values, char open, char close, const auto& append) {
        text += open;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i != 0) text += ',';
            append(values[i]);
        }
        text += close;
    };
    const auto append_string = [&](const std::string& value) { text += nlohmann::json(value).dump(); };
    if (const bool* const value = as<bool>())
        text += *value ? "true" : "false";
    else if (const std::int64_t* const number = as<std::int64_t>())
        text += std::to_string(*number);
    else if (const std::string* const string = as<std::string>())
        append_string(*string);
    else if (const List* const values = as<List>())
        append_all(*values, '[', ']', [&](const Json& element) { element.append_to(text); });
    else if (const Members* const members = as<Members>())
        append_all(*members, '{', '}', [&](const Member& member) {
            append_string(member.key);
            text += ':';
            member.value.append_to(text);
        });
    else if (const OtherNumber* const other = as<OtherNumber>())
        text += other->digits;
    else
        text += "null";
}

std::string Json::dump() const try {
    std::string text;
    append_to(text);
    return text;
} catch (const nlohmann::json::type_error&) {
    throw Error(ErrorKind::InvalidArgument, kJsonOp, "the payload of an extension is not UTF-8");
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
