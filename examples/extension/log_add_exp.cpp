// The operation, its factory and its derivative.
#include "log_add_exp.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <tenferro/base/error.hpp>

namespace log_add_exp {
namespace {

using namespace tenferro;

class LogAddExp final : public ExtensionOp {
public:
    static constexpr std::string_view kFamilyId = "tenferro-example.log_add_exp.v1";
    const double base;

    explicit LogAddExp(double the_base) : base(the_base) {}

    // The operation as a value.
    std::string_view family_id() const noexcept override { return kFamilyId; }
    void payload_hash(Hasher& hasher) const override { hasher.add(std::bit_cast<std::uint64_t>(base)); }
    bool payload_eq(const ExtensionOp& other) const override {
        const auto* that = downcast<LogAddExp>(other);
        return that != nullptr &&
               std::bit_cast<std::uint64_t>(base) == std::bit_cast<std::uint64_t>(that->base);
    }
    std::shared_ptr<const ExtensionOp> clone() const override { return std::make_shared<LogAddExp>(base); }
    const void* as_any() const noexcept override { return this; }

    // Its arity and shape rule.
    std::size_t n_inputs() const noexcept override { return 2; }
    std::size_t n_outputs() const noexcept override { return 1; }
    std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                              std::span<const SymShape> shapes) const override {
        if (dtypes[0] != DType::F64 || dtypes[1] != DType::F64)
            throw Error(ErrorKind::DTypeMismatch, "log_add_exp", "both operands must be f64");
        if (shapes[0] != shapes[1])
            throw Error(ErrorKind::ShapeMismatch, "log_add_exp",
                        "lhs has shape " + shape_text(shapes[0]) + " but rhs has " + shape_text(shapes[1]));
        return {{DType::F64, shapes[0]}};
    }

    // How it runs.
    std::vector<Tensor> eager_execute(std::span<const TensorRead> inputs) const override {
        TensorBackend& backend = *current_backend();
        if (backend.placement() != kMainMemory)
            throw Error(ErrorKind::BackendFailure, "log_add_exp", "there is a kernel for main memory only");
        const Tensor a = backend.to_contiguous_read(inputs[0]), b = backend.to_contiguous_read(inputs[1]);
        Tensor out = backend.empty(DType::F64, a.shape());
        const double* const x = a.data_as<double>();
        const double* const y = b.data_as<double>();
        double* const result = out.write().data_as<double>();
        for (Index i = 0; i < out.size(); ++i)
            result[i] =
                std::max(x[i], y[i]) + std::log1p(std::pow(base, -std::abs(x[i] - y[i]))) / std::log(base);
        std::vector<Tensor> outputs;
        outputs.push_back(std::move(out));
        return outputs;
    }
};

class Factory final : public ExtensionFactory {
    std::string_view family_id() const noexcept override { return LogAddExp::kFamilyId; }
    std::uint32_t version() const noexcept override { return 1; }
    std::string encode(const ExtensionOp& op) const override {
        char digits[32];
        return {digits, std::to_chars(digits, digits + sizeof digits, downcast<LogAddExp>(op)->base).ptr};
    }
    std::shared_ptr<const ExtensionOp> decode(std::string_view payload) const override {
        double base = 0;
        const auto [end, failure] = std::from_chars(payload.data(), payload.data() + payload.size(), base);
        if (failure != std::errc() || end != payload.data() + payload.size())
            throw Error(ErrorKind::InvalidArgument, "log_add_exp", "the payload is not a number");
        return operation(base);
    }
};

class Rule final : public ExtensionAdRule {
    std::string_view family_id() const noexcept override { return LogAddExp::kFamilyId; }

    // y = log(base^a + base^b), so dy = base^(a - y) da + base^(b - y) db. An absent tangent is zero.
    OptionalValues linearize(const ExtensionOp& op, FragmentBuilder& builder,
                             std::span<const GlobalValKey> primal_in,
                             std::span<const GlobalValKey> primal_out,
                             std::span<const std::optional<LocalValId>> tangent_in,
                             ShapeGuardContext&) const override {
        const Expr y(builder, primal_out[0], false);
        std::optional<Expr> dy;
        for (std::size_t i = 0; i < 2; ++i) {
            if (!tangent_in[i]) continue;
            const Expr x(builder, primal_in[i], false), dx(builder, *tangent_in[i], true);
            const Expr share = exp((x - y) * std::log(downcast<LogAddExp>(op)->base)) * dx;
            dy = dy ? *dy + share : share;
        }
        return {dy->local()};
    }

    // Only core operations were emitted: the operation itself never is part of a linear map.
    OptionalValues transpose_rule(const ExtensionOp&, FragmentBuilder&,
                                  std::span<const std::optional<LocalValId>>, std::span<const ValRef>,
                                  const OpMode&, ShapeGuardContext&) const override {
        throw Error(ErrorKind::AdRuleUnsupported, "log_add_exp", "it is not linear");
    }
};

}  // namespace

void register_operations() {
    register_extension(std::make_shared<Factory>());
    register_extension_rule(std::make_shared<Rule>());
}

std::shared_ptr<const ExtensionOp> operation(double base) {
    if (!(base > 1) || std::isinf(base))
        throw Error(ErrorKind::InvalidArgument, "log_add_exp", "the base must be above 1");
    return std::make_shared<LogAddExp>(base);
}

}  // namespace log_add_exp
