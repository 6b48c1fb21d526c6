// Extents as JSON. Both directions bound the nesting, which is that of the call stack, and writing bounds the
// length too: an extent may share parts that would be written down many times.
#include "runtime/json/extents.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/tensor_core/sym_dim_parts.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

constexpr std::size_t kDeepest = 256;
constexpr std::size_t kLongest = 10000;

struct OperatorRow {
    DimOperator op;
    std::string_view name;
    SymDim (*apply)(const SymDim&, const SymDim&);
};
constexpr OperatorRow kOperators[] = {
    {DimOperator::Sum, "+", [](const SymDim& a, const SymDim& b) { return a + b; }},
    {DimOperator::Product, "*", [](const SymDim& a, const SymDim& b) { return a * b; }},
    {DimOperator::ExactDiv, "exact_div", [](const SymDim& a, const SymDim& b) { return exact_div(a, b); }},
    {DimOperator::Min, "min", [](const SymDim& a, const SymDim& b) { return min(a, b); }},
    {DimOperator::Max, "max", [](const SymDim& a, const SymDim& b) { return max(a, b); }},
};

Json write(const SymDim& dim, std::size_t depth, std::size_t& length) {
    if (dim.constant()) return *dim.constant();
    if (depth == kDeepest || ++length > kLongest)
        throw Error(ErrorKind::InvalidArgument, kJsonOp, "an extent is too large to be written down");
    const DimParts parts = parts_of(dim);
    Json list = Json::list();
    if (parts.symbol) {
        list.add(std::string_view("n"));
        list.add(static_cast<std::int64_t>(parts.symbol->input));
        list.add(parts.symbol->axis);
        return list;
    }
    for (const OperatorRow& row : kOperators)
        if (row.op == parts.op) list.add(row.name);
    for (const SymDim& operand : parts.operands) list.add(write(operand, depth + 1, length));
    return list;
}

SymDim read(const JsonPlace& place, const std::vector<std::size_t>& ranks, std::size_t depth) {
    if (place.is_number()) return place.integer();
    if (depth == kDeepest) place.fail(text("the extent is nested more than ", kDeepest, " deep"));
    const std::size_t size = place.size();
    if (size == 0) place.fail("an extent has no operator");
    const std::string& name = place.at(0).string();
    if (name == "n") {
        if (size != 3) place.fail(text("a symbol has 2 numbers, got ", size - 1));
        const std::uint32_t input = place.at(1).index(ranks.size(), "input");
        return SymDim::input(input, place.at(2).index(ranks[input], "axis"));
    }
    for (const OperatorRow& row : kOperators) {
        if (row.name != name) continue;
        if (row.op == DimOperator::ExactDiv ? size != 3 : size < 2)
            place.fail(text(size - 1, " operands of ", name));
        SymDim result = read(place.at(1), ranks, depth + 1);
        for (std::size_t i = 2; i < size; ++i)
            result = row.apply(result, read(place.at(i), ranks, depth + 1));
        return result;
    }
    place.at(0).fail(text("there is no operator '", name, "'"));
}

SymShape read_all(const JsonPlace& place, const std::vector<std::size_t>& ranks) {
    SymShape shape;
    for (std::size_t i = 0; i < place.size(); ++i) shape.push_back(read(place.at(i), ranks, 0));
    return shape;
}

TensorMeta read_described(const JsonPlace& place, const std::vector<std::size_t>& ranks) {
    place.check_keys({"dtype", "shape"});
    const DType dtype = read_dtype(place.at("dtype"));
    const JsonPlace shape = place.at("shape");
    TensorMeta meta{dtype, read_all(shape, ranks)};
    for (std::size_t axis = 0; axis < meta.rank(); ++axis)
        if (meta.shape[axis].constant().value_or(0) < 0)
            shape.at(axis).fail(text("the extent ", meta.shape[axis].text(), " is negative"));
    return meta;
}

std::vector<std::size_t> ranks_of(const InputMetas& inputs) {
    std::vector<std::size_t> ranks;
    for (const TensorMeta& input : inputs) ranks.push_back(input.rank());
    return ranks;
}

}  // namespace

Json write_extent(const SymDim& dim) {
    std::size_t length = 0;
    return write(dim, 0, length);
}

Json write_shape(const SymShape& shape) {
    Json list = Json::list();
    for (const SymDim& dim : shape) list.add(write_extent(dim));
    return list;
}

Json write_meta(const TensorMeta& meta) {
    return Json::object().with("dtype", info(meta.dtype).name).with("shape", write_shape(meta.shape));
}

DType read_dtype(const JsonPlace& place) {
    const std::string& name = place.string();
    for (const DTypeInfo& row : kDTypes)
        if (row.name == name) return row.dtype;
    place.fail(text("there is no dtype '", name, "'"));
}

SymDim read_extent(const JsonPlace& place, const InputMetas& inputs) {
    return read(place, ranks_of(inputs), 0);
}
SymShape read_shape(const JsonPlace& place, const InputMetas& inputs) {
    return read_all(place, ranks_of(inputs));
}
TensorMeta read_meta(const JsonPlace& place, const InputMetas& inputs) {
    return read_described(place, ranks_of(inputs));
}

InputMetas read_inputs(const JsonPlace& place) {
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < place.size(); ++i) {
        const JsonPlace input = place.at(i);
        input.check_keys({"dtype", "shape"});
        ranks.push_back(input.at("shape").size());
    }
    InputMetas inputs;
    for (std::size_t i = 0; i < ranks.size(); ++i) inputs.push_back(read_described(place.at(i), ranks));
    return inputs;
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
