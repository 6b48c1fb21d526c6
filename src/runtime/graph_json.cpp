// Documents: graphs node by node, with every number checked against the values that exist by then.
#include "tenferro/runtime/graph_json.hpp"

#include <new>

#include "runtime/json/operations.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/ops/extension_op.hpp"
#include "tenferro/ops/missing_extension.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

constexpr std::string_view kFormat = "tenferro-graph";
constexpr std::int64_t kVersion = 1;

using Node = op_graph::FlatNode<StdTensorOp>;

Json write_metas(std::span<const TensorMeta> metas) {
    Json list = Json::list();
    for (const TensorMeta& meta : metas) list.add(write_meta(meta));
    return list;
}

bool is_extension(const StdTensorOp& op) {
    return op.as<tensor_ops::Extension>() != nullptr || op.as<tensor_ops::MissingExtension>() != nullptr;
}

Json write_numbers(std::span<const std::uint32_t> numbers) {
    Json list = Json::list();
    for (const std::uint32_t number : numbers) list.add(static_cast<std::int64_t>(number));
    return list;
}

Json write_node(const Node& node, const std::vector<TensorMeta>& outputs) {
    Json json = is_extension(node.op) ? write_extension(node.op) : write_core_operation(node.op);
    json.add("inputs", write_numbers(node.inputs));
    if (node.mode.linear) {
        Json& active = json.add("active", Json::list());
        for (const auto input : node.mode.active) active.add(static_cast<std::int64_t>(input));
    }
    if (is_extension(node.op)) json.add("outputs", write_metas(outputs));
    return json;
}

OpMode read_mode(const JsonPlace& node, std::size_t inputs) {
    if (!node.has("active")) return OpMode::primal();
    const JsonPlace active = node.at("active");
    OpMode mode = OpMode::linear_in({});
    for (std::size_t i = 0; i < active.size(); ++i) {
        mode.active.push_back(active.at(i).index(inputs, "input"));
        if (i > 0 && mode.active[i] <= mode.active[i - 1]) active.fail("the inputs must ascend");
    }
    return mode;
}

/// Describes the outputs of `op`; what is wrong with it is wrong at `node`.
std::vector<TensorMeta> infer(const JsonPlace& node, const StdTensorOp& op,
                              const std::vector<TensorMeta>& inputs) {
    try {
        return op.infer(inputs);
    } catch (const Error& error) {
        throw Error(ErrorKind::InvalidArgument, kJsonOp, text(node.where(), ": ", error.what()), error);
    }
}

/// What a document says of an extension's outputs is what its shape rule says.
void check_declared(const JsonPlace& node, const std::vector<TensorMeta>& made, const InputMetas& inputs) {
    const JsonPlace outputs = node.at("outputs");
    const auto described = [](const TensorMeta& meta) {
        return text(info(meta.dtype).name, shape_text(meta.shape));
    };
    for (std::size_t i = 0; i < made.size(); ++i)
        if (const TensorMeta declared = read_meta(outputs.at(i), inputs); declared != made[i])
            outputs.at(i).fail(text("family_id=", node.at("family_id").string(), ": output ", i,
                                    " is said to be ", described(declared), " but its shape rule gives ",
                                    described(made[i])));
}

Node read_node(const JsonPlace& place, std::vector<TensorMeta>& values, const InputMetas& inputs,
               GraphReadOptions options) {
    const bool core = !place.has("family_id");
    if (core)
        place.check_keys({"op", "fields", "inputs"}, {"active"});
    else
        place.check_keys({"op", "family_id", "payload", "inputs", "outputs"}, {"active"});
    if (!core && place.at("op").string() != "extension")
        place.at("op").fail("only an extension has a family_id");
    const JsonPlace operands = place.at("inputs");
    std::vector<std::uint32_t> numbers;
    std::vector<TensorMeta> metas;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        numbers.push_back(operands.at(i).index(values.size(), "value"));
        metas.push_back(values[numbers.back()]);
    }
    StdTensorOp op = core ? read_core_operation(place, inputs)
                          : read_extension(place, inputs, options.skip_missing_extensions);
    OpMode mode = read_mode(place, numbers.size());
    const auto first = static_cast<std::uint32_t>(values.size());
    std::vector<TensorMeta> made = infer(place, op, metas);
    if (!core) check_declared(place, made, inputs);
    for (TensorMeta& meta : made) values.push_back(std::move(meta));
    return {std::move(op), std::move(numbers), std::move(mode), first};
}

/// Before the other keys, which another version may have others of.
void check_version(const JsonPlace& document) {
    if (!document.has("format") || document.at("format").string() != kFormat)
        document.fail(text("'format' is not '", kFormat, "'"));
    if (const std::int64_t version = document.at("version").integer(); version != kVersion)
        throw Error(ErrorKind::Unsupported, kJsonOp,
                    text("version mismatch, the document has v", version, ", this library has v", kVersion));
    document.check_keys({"format", "version", "inputs", "nodes", "outputs", "guards"});
}

}  // namespace

std::string graph_to_json(const GuardedGraph& guarded) try {
    const FlatGraph& graph = guarded.graph;
    for (const Node& node : graph.nodes) node.op.operation().require_available();
    Json nodes = Json::list(), guards = Json::list();
    std::vector<TensorMeta> values = graph.inputs;
    for (const Node& node : graph.nodes) {
        std::vector<TensorMeta> inputs;
        for (const std::uint32_t value : node.inputs) inputs.push_back(values.at(value));
        const std::vector<TensorMeta> outputs = node.op.infer(inputs);
        nodes.add(write_node(node, outputs));
        values.insert(values.end(), outputs.begin(), outputs.end());
    }
    for (const ShapeGuard& guard : guarded.guards) {
        Json sides = Json::list();
        sides.add(write_extent(guard.lhs));
        sides.add(write_extent(guard.rhs));
        guards.add(std::move(sides));
    }
    return Json::object()
        .with("format", kFormat)
        .with("version", kVersion)
        .with("inputs", write_metas(graph.inputs))
        .with("nodes", std::move(nodes))
        .with("outputs", write_numbers(graph.outputs))
        .with("guards", std::move(guards))
        .dump(kJsonOp);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("graph_to_json");
}

GuardedGraph graph_from_json(std::string_view json, GraphReadOptions options) try {
    const Json root = Json::parse(json, kJsonOp);
    const JsonPlace document(root, kJsonOp);
    check_version(document);
    GuardedGraph guarded;
    FlatGraph& graph = guarded.graph;
    graph.inputs = read_inputs(document.at("inputs"));
    std::vector<TensorMeta> values = graph.inputs;
    const JsonPlace nodes = document.at("nodes"), outputs = document.at("outputs"),
                    guards = document.at("guards");
    for (std::size_t i = 0; i < nodes.size(); ++i)
        graph.nodes.push_back(read_node(nodes.at(i), values, graph.inputs, options));
    for (std::size_t i = 0; i < outputs.size(); ++i)
        graph.outputs.push_back(outputs.at(i).index(values.size(), "value"));
    for (std::size_t i = 0; i < guards.size(); ++i) {
        const JsonPlace guard = guards.at(i);
        if (guard.size() != 2) guard.fail(text("a guard has 2 extents, got ", guard.size()));
        guarded.guards.push_back(
            {read_extent(guard.at(0), graph.inputs), read_extent(guard.at(1), graph.inputs)});
    }
    return guarded;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("graph_from_json");
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
