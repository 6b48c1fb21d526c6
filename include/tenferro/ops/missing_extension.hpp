// MissingExtension: stands in a graph that was read for an extension whose family this process does not have,
// where the reader was asked to go on (docs/semantics.md). It has the metadata that was written down, and
// fails when it is needed.
#pragma once

#include "tenferro/ops/std_tensor_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

struct TENFERRO_API MissingExtension final : Operation {
    std::string family_id, payload;  ///< as read
    std::size_t inputs;
    std::vector<TensorMeta> outputs;

    MissingExtension(std::string id, std::string encoded, std::size_t input_count,
                     std::vector<TensorMeta> output_metas)
        : family_id(std::move(id)),
          payload(std::move(encoded)),
          inputs(input_count),
          outputs(std::move(output_metas)) {}

    [[nodiscard]] OpKind kind() const noexcept override { return kind_of<MissingExtension>(); }
    [[nodiscard]] std::string_view name() const noexcept override { return "extension"; }
    [[nodiscard]] std::size_t n_inputs() const noexcept override { return inputs; }
    [[nodiscard]] std::size_t n_outputs() const noexcept override { return outputs.size(); }
    void hash_payload(Hasher& hasher) const override;
    [[nodiscard]] bool payload_equals(const Operation& other) const override;
    [[nodiscard]] std::string payload_text() const override;
    [[nodiscard]] std::shared_ptr<const Operation> substituted(
        FunctionRef<SymDim(DimSymbol)> value) const override;
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;

    // Unsupported, also once the family is registered: the graph must be read again then.
    void execute(BackendSession& session, std::span<const TensorRead> in,
                 std::span<Tensor> out) const override;
    [[nodiscard]] OptionalValues linearize(FragmentBuilder& builder, std::span<const GlobalValKey> primal_in,
                                           std::span<const GlobalValKey> primal_out,
                                           std::span<const std::optional<LocalValId>> tangent_in,
                                           ShapeGuardContext& context) const override;
    [[nodiscard]] OptionalValues transpose_rule(FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> cotangent_out,
                                                std::span<const ValRef> in, const OpMode& mode,
                                                ShapeGuardContext& context) const override;

private:
    [[noreturn]] void fail() const;
};

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
