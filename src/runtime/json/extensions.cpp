// Extensions as JSON: the family id verbatim and the payload as the family's factory encodes it
// (docs/semantics.md, Extensions).
#include "ops/extension_library.hpp"
#include "runtime/json/operations.hpp"
#include "tenferro/ops/extension_op.hpp"
#include "tenferro/ops/missing_extension.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

namespace {

/// Calls `f`, something of a factory, whose errors get the family id.
template <class F>
auto of_factory(std::string_view family_id, F&& f) {
    try {
        return f();
    } catch (const Error& error) {
        throw Error(error.kind(), "extension", text("family_id=", family_id, ": ", error.what()), error);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw Error(ErrorKind::InvalidArgument, "extension",
                    text("family_id=", family_id, ": ", error.what()));
    } catch (...) {
        throw Error(ErrorKind::BackendFailure, "extension",
                    text("family_id=", family_id, ": it threw something that is no exception"));
    }
}

Json extension_json(std::string_view family_id, std::string_view payload) {
    return Json::object()
        .with("op", std::string_view("extension"))
        .with("family_id", family_id)
        .with("payload", payload);
}

}  // namespace

Json write_extension(const StdTensorOp& op) {
    if (const auto* missing = op.as<tensor_ops::MissingExtension>())
        return extension_json(missing->family_id, missing->payload);
    const ExtensionOp& extension = *op.as<tensor_ops::Extension>()->op;
    const auto factory = require_extension(extension.family_id());
    return extension_json(extension.family_id(),
                          of_factory(extension.family_id(), [&] { return factory->encode(extension); }));
}

StdTensorOp read_extension(const JsonPlace& node, const InputMetas& inputs, bool skip_missing) {
    const std::string& family_id = node.at("family_id").string();
    const std::string& payload = node.at("payload").string();
    const JsonPlace outputs = node.at("outputs");
    std::vector<TensorMeta> metas;
    for (std::size_t i = 0; i < outputs.size(); ++i) metas.push_back(read_meta(outputs.at(i), inputs));
    const FamilyId family = FamilyId::parse(family_id);  // before any look-up
    tfe_detail::register_families(family.crate);
    if (skip_missing && !lookup_extension_family(family.crate, family.op)) {
        if (metas.empty())
            outputs.fail(text("family_id=", family_id, ": an extension has at least one output"));
        return tensor_ops::MissingExtension(family_id, payload, node.at("inputs").size(), std::move(metas));
    }
    const auto factory = require_extension(family_id);
    tensor_ops::Extension op(of_factory(family_id, [&] {
        auto decoded = factory->decode(payload);
        if (!decoded)
            throw Error(ErrorKind::InvalidArgument, "decode", "there is no operation for the payload");
        if (decoded->family_id() != family_id)
            throw Error(ErrorKind::InvalidArgument, "decode",
                        text("the operation is of family ", decoded->family_id()));
        return decoded;
    }));
    const auto check_symbol = [&](DimSymbol symbol) {
        if (symbol.input >= inputs.size() || symbol.axis < 0 ||
            symbol.axis >= static_cast<Index>(inputs[symbol.input].rank()))
            node.at("payload").fail(text("family_id=", family_id, ": no input has the extent ",
                                         SymDim::input(symbol.input, symbol.axis).text()));
        return SymDim::input(symbol.input, symbol.axis);
    };
    static_cast<void>(op.op->substituted(check_symbol));
    if (op.n_outputs() != metas.size())
        outputs.fail(
            text("family_id=", family_id, ": expected ", op.n_outputs(), " outputs, got ", metas.size()));
    return op;
}

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
