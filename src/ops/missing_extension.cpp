// The placeholder of extensions that are not here.
#include "tenferro/ops/missing_extension.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

void MissingExtension::hash_payload(Hasher& hasher) const {
    hasher.add(family_id);
    hasher.add(payload);
}

bool MissingExtension::payload_equals(const Operation& other) const {
    const auto& that = static_cast<const MissingExtension&>(other);
    return family_id == that.family_id && payload == that.payload && inputs == that.inputs &&
           outputs == that.outputs;
}

std::string MissingExtension::payload_text() const { return text(family_id, ", missing"); }

std::shared_ptr<const Operation> MissingExtension::substituted(FunctionRef<SymDim(DimSymbol)> value) const {
    auto changed = std::make_shared<MissingExtension>(*this);
    for (TensorMeta& meta : changed->outputs)
        for (SymDim& dim : meta.shape) dim = dim.substitute(value);
    return changed;
}

std::vector<TensorMeta> MissingExtension::infer(std::span<const TensorMeta>) const { return outputs; }

void MissingExtension::execute(BackendSession&, std::span<const TensorRead>, std::span<Tensor>) const {
    fail();
}

OptionalValues MissingExtension::linearize(FragmentBuilder&, std::span<const GlobalValKey>,
                                           std::span<const GlobalValKey>,
                                           std::span<const std::optional<LocalValId>>,
                                           ShapeGuardContext&) const {
    fail();
}

OptionalValues MissingExtension::transpose_rule(FragmentBuilder&, std::span<const std::optional<LocalValId>>,
                                                std::span<const ValRef>, const OpMode&,
                                                ShapeGuardContext&) const {
    fail();
}

void MissingExtension::fail() const {
    throw Error(ErrorKind::Unsupported, name(), text(family_id, ": not registered"));
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
