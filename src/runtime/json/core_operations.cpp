// Core operations as JSON. Everything follows from what each struct says of itself: its name, and its fields,
// which are written in order and read back as the arguments of the struct's constructor.
#include "runtime/json/operations.hpp"
#include "tenferro/ops/operations.hpp"
#include "tenferro/tensor/fusion_plan.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

using namespace tenferro::tensor_ops;

Json write_field(const Dims& value) {
    Json list = Json::list();
    for (const Index i : value) list.add(i);
    return list;
}
Json write_field(const SymShape& value) { return write_shape(value); }
Json write_field(const DotGeneralConfig& value) {
    return Json::object()
        .with("lhs_contract", write_field(value.lhs_contract))
        .with("rhs_contract", write_field(value.rhs_contract))
        .with("lhs_batch", write_field(value.lhs_batch))
        .with("rhs_batch", write_field(value.rhs_batch));
}
Json write_field(const ScatterConfig& value) {
    return Json::object()
        .with("update_window_dims", write_field(value.update_window_dims))
        .with("inserted_window_dims", write_field(value.inserted_window_dims))
        .with("scatter_dims_to_operand_dims", write_field(value.scatter_dims_to_operand_dims))
        .with("index_vector_dim", value.index_vector_dim);
}
/// As 16 hexadecimal digits each: many readers of JSON round large numbers.
Json write_field(const std::array<std::uint64_t, 2>& value) {
    Json list = Json::list();
    for (const std::uint64_t word : value) {
        std::string digits;
        for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15];
        list.add(std::string_view(digits));
    }
    return list;
}
/// With the bytes of the elements, in column-major order, as pairs of hexadecimal digits.
Json write_field(const ConstantArray& value) {
    std::string digits;
    for (const std::byte byte : value.bytes())
        for (const int shift : {4, 0}) digits += "0123456789abcdef"[std::to_integer<int>(byte) >> shift & 15];
    return Json::object()
        .with("dtype", info(value.view().dtype()).name)
        .with("shape", write_field(value.view().shape()))
        .with("bytes", std::string_view(digits));
}
Json write_field(OpId value) { return info(value).name; }
Json write_field(DType value) { return info(value).name; }
Json write_field(Index value) { return value; }
Json write_field(bool value) { return value; }

/// What a field is read from.
struct FieldSource {
    const JsonPlace& place;
    const InputMetas& inputs;
    bool (*takes)(OpId);
};

void read_field(const FieldSource& source, Index& value) { value = source.place.integer(); }
void read_field(const FieldSource& source, bool& value) { value = source.place.boolean(); }
void read_field(const FieldSource& source, DType& value) { value = read_dtype(source.place); }
void read_field(const FieldSource& source, SymShape& value) {
    value = read_shape(source.place, source.inputs);
}
void read_field(const FieldSource& source, Dims& value) {
    for (std::size_t i = 0; i < source.place.size(); ++i) value.push_back(source.place.at(i).integer());
}
template <class T>
void read_member(const FieldSource& source, std::string_view key, T& value) {
    const JsonPlace place = source.place.at(key);
    const FieldSource member{place, source.inputs, source.takes};
    read_field(member, value);
}
void read_field(const FieldSource& source, DotGeneralConfig& value) {
    source.place.check_keys({"lhs_contract", "rhs_contract", "lhs_batch", "rhs_batch"});
    read_member(source, "lhs_contract", value.lhs_contract);
    read_member(source, "rhs_contract", value.rhs_contract);
    read_member(source, "lhs_batch", value.lhs_batch);
    read_member(source, "rhs_batch", value.rhs_batch);
}
void read_field(const FieldSource& source, ScatterConfig& value) {
    source.place.check_keys(
        {"update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "index_vector_dim"});
    read_member(source, "update_window_dims", value.update_window_dims);
    read_member(source, "inserted_window_dims", value.inserted_window_dims);
    read_member(source, "scatter_dims_to_operand_dims", value.scatter_dims_to_operand_dims);
    read_member(source, "index_vector_dim", value.index_vector_dim);
}
void read_field(const FieldSource& source, std::array<std::uint64_t, 2>& value) {
    if (source.place.size() != value.size())
        source.place.fail(text("expected 2 words, got ", source.place.size()));
    for (std::size_t i = 0; i < value.size(); ++i) {
        const JsonPlace word = source.place.at(i);
        const std::string& digits = word.string();
        if (digits.size() != 16 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
            word.fail("expected 16 hexadecimal digits");
        value[i] = std::stoull(digits, nullptr, 16);
    }
}
void read_field(const FieldSource& source, ConstantArray& value) {
    source.place.check_keys({"dtype", "shape", "bytes"});
    DType dtype{};
    Dims shape;
    read_member(source, "dtype", dtype);
    read_member(source, "shape", shape);
    const JsonPlace place = source.place.at("bytes");
    const std::string& digits = place.string();
    const std::size_t bytes = byte_count(shape, info(dtype).bytes, "array_constant");
    if (digits.size() / 2 != bytes || digits.size() % 2 != 0)
        place.fail(text(digits.size(), " digits, but shape ", list_text(shape), " of ", info(dtype).name,
                        " has ", bytes, " bytes of two"));
    if (digits.find_first_not_of("0123456789abcdef") != std::string::npos)
        place.fail("expected hexadecimal digits");
    std::vector<std::uint8_t> memory(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        memory[i] = static_cast<std::uint8_t>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
    if (dtype == DType::Bool && std::any_of(memory.begin(), memory.end(), [](auto b) { return b > 1; }))
        place.fail("a bool is 00 or 01");
    value = ConstantArray(TensorRead::compact(dtype, memory.data(), shape));
}
void read_field(const FieldSource& source, OpId& value) {
    const std::string& name = source.place.string();
    for (const OpInfo& row : kOps)
        if (row.name == name && source.takes(row.id)) {
            value = row.id;
            return;
        }
    source.place.fail(text("'", name, "' is not an operation of this kind"));
}

/// The bytes behind a dtype's are zero, and those of a Bool 0 or 1.
bool is_valid(const Constant& constant) {
    const std::size_t bytes = info(constant.dtype).bytes;
    const auto above = [](std::uint64_t word, std::size_t used) {
        return used >= 8 ? 0 : word >> (8 * used);
    };
    const bool padded =
        above(constant.bits[0], bytes) == 0 && above(constant.bits[1], bytes < 8 ? 0 : bytes - 8) == 0;
    return padded && (constant.dtype != DType::Bool || constant.bits[0] <= 1);
}

template <class Struct>
StdTensorOp read_struct(const JsonPlace& node, const InputMetas& inputs) {
    const JsonPlace fields = node.at("fields");
    return std::apply(
        [&]<class... T>(const Field<Struct, T>&... field) {
            fields.check_keys({field.name...});
            std::tuple<T...> values;
            [[maybe_unused]] const FieldSource source{fields, inputs, Struct::takes};
            std::apply([&](T&... value) { (read_member(source, field.name, value), ...); }, values);
            Struct made = std::apply([](T&... value) { return Struct(std::move(value)...); }, values);
            if constexpr (std::is_same_v<Struct, Constant>)
                if (!is_valid(made)) fields.fail(text("the words are no ", info(made.dtype).name));
            return StdTensorOp(std::move(made));
        },
        Struct::kFields);
}

}  // namespace

bool is_core_operation(std::string_view name) {
    return CoreOperations::any([&]<class Struct>() { return Struct::kName == name; });
}

Json write_core_operation(const StdTensorOp& op) {
    Json node;
    CoreOperations::any([&]<class Struct>() {
        const Struct* const operation = op.as<Struct>();
        if (operation == nullptr) return false;
        Json fields = Json::object();
        std::apply(
            [&](const auto&... field) {
                (fields.add(field.name, write_field((*operation).*field.member)), ...);
            },
            Struct::kFields);
        node = Json::object().with("op", Struct::kName).with("fields", std::move(fields));
        return true;
    });
    return node;
}

StdTensorOp read_core_operation(const JsonPlace& node, const InputMetas& inputs) {
    const std::string& name = node.at("op").string();
    std::optional<StdTensorOp> op;
    CoreOperations::any([&]<class Struct>() {
        if (Struct::kName != name) return false;
        op = read_struct<Struct>(node, inputs);
        return true;
    });
    if (!op) node.at("op").fail(text("there is no operation '", name, "'"));
    return *op;
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
