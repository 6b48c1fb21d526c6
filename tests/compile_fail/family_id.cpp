// The family of an extension is checked where its class is compiled.
#include "tenferro/ops/extension_base.hpp"

using namespace tenferro;

struct Nothing final : ExtensionBase<Nothing> {
#if defined(FORBIDDEN)
    static constexpr std::string_view kFamilyId = "my-library.nothing";
#else
    static constexpr std::string_view kFamilyId = "my-library.nothing.v1";
#endif
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    static constexpr std::tuple<> kFields{};
    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override { return {in[0]}; }
    std::vector<Tensor> run(BackendSession&, std::span<const TensorRead>) const override { return {}; }
};

std::string_view use(const Nothing& op) { return op.family_id(); }
