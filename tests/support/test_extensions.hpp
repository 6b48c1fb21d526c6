// Extension families for tests: one with everything an extension can have (PairOp), one that is its own
// derivative (TwiceOp), one that fails as its payload says (FaultyOp), and families whose derivative rules
// are missing or wrong.
#pragma once

#include <functional>
#include <mutex>
#include <new>
#include <stdexcept>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/extension_op.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro::test {

/// What every family here has in common; Derived has kFamilyId, a payload member and their ==.
template <class Derived, std::size_t Inputs, std::size_t Outputs>
class FamilyOp : public ExtensionOp {
public:
    [[nodiscard]] std::string_view family_id() const noexcept override { return Derived::kFamilyId; }
    void payload_hash(Hasher& hasher) const override {
        hasher.add(static_cast<std::uint64_t>(self().payload));
    }
    [[nodiscard]] bool payload_eq(const ExtensionOp& other) const override {
        const auto* that = downcast<Derived>(other);
        return that != nullptr && that->payload == self().payload;
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> clone() const override {
        return std::make_shared<Derived>(self());
    }
    [[nodiscard]] const void* as_any() const noexcept override { return static_cast<const Derived*>(this); }
    [[nodiscard]] std::size_t n_inputs() const noexcept override { return Inputs; }
    [[nodiscard]] std::size_t n_outputs() const noexcept override { return Outputs; }

private:
    [[nodiscard]] const Derived& self() const noexcept { return static_cast<const Derived&>(*this); }
};

/// Of vectors a and b of F64: payload * a bᵀ, and a followed by b.
class PairOp final : public FamilyOp<PairOp, 2, 2> {
public:
    static constexpr std::string_view kFamilyId = "test-ext.pair.v2";
    int payload;
    /// Called by eager_execute of every PairOp.
    static inline std::function<void()> on_execute;

    explicit PairOp(int scale = 1) : payload(scale) {}
    [[nodiscard]] std::string payload_text() const override { return text("scale=", payload); }
    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                                            std::span<const SymShape> shapes) const override {
        if (dtypes[0] != DType::F64 || dtypes[1] != DType::F64)
            throw Error(ErrorKind::DTypeMismatch, "pair", "the operands must be f64");
        if (shapes[0].size() != 1 || shapes[1].size() != 1)
            throw Error(ErrorKind::RankMismatch, "pair",
                        text("operands have ranks ", shapes[0].size(), " and ", shapes[1].size()));
        const SymDim &m = shapes[0][0], &n = shapes[1][0];
        return {{DType::F64, {m, n}}, {DType::F64, {m + n}}};
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> in) const override {
        if (on_execute) on_execute();
        return current_backend()->with_backend_session([&](BackendSession& session) {
            Tensor product = session.dot_general_read(in[0], in[1], {});
            for (Index i = 0; i < product.size(); ++i) product.write().data_as<double>()[i] *= payload;
            std::vector<Tensor> outputs;
            outputs.push_back(std::move(product));
            outputs.push_back(session.concatenate_read(in, 0));
            return outputs;
        });
    }
};

class PairRule final : public ExtensionAdRule {
public:
    /// Which tangents the last linearize got.
    static inline std::vector<bool> active;

    [[nodiscard]] std::string_view family_id() const noexcept override { return PairOp::kFamilyId; }
    [[nodiscard]] OptionalValues linearize(const ExtensionOp& op, FragmentBuilder& builder,
                                           std::span<const GlobalValKey> x, std::span<const GlobalValKey>,
                                           std::span<const std::optional<LocalValId>> dx,
                                           ShapeGuardContext& context) const override {
        active = {dx[0].has_value(), dx[1].has_value()};
        const Expr a(builder, x[0], false), b(builder, x[1], false);
        const Expr zero = a.apply(tensor_ops::constant(DType::F64, 0), {});
        const SymDim m = context.shape_of(x[0])[0], n = context.shape_of(x[1])[0];
        std::optional<Expr> product, joined;
        if (dx[0]) {
            const Expr da(builder, *dx[0], true);
            product = outer(da, b) * downcast<PairOp>(op)->payload;
            joined = pad(da, zero, SymShape{0}, SymShape{n}, Dims{0});
        }
        if (dx[1]) {
            const Expr db(builder, *dx[1], true);
            const Expr more = outer(a, db) * downcast<PairOp>(op)->payload;
            const Expr behind = pad(db, zero, SymShape{m}, SymShape{0}, Dims{0});
            product = product ? *product + more : more;
            joined = joined ? *joined + behind : behind;
        }
        return {product->local(), joined->local()};
    }
    [[nodiscard]] OptionalValues transpose_rule(const ExtensionOp& op, FragmentBuilder&,
                                                std::span<const std::optional<LocalValId>>,
                                                std::span<const ValRef>, const OpMode&,
                                                ShapeGuardContext&) const override {
        throw Error(ErrorKind::AdRuleUnsupported, "pair",
                    text(op.family_id(), " never is a link of a linear flow"));
    }

private:
    static Expr outer(const Expr& a, const Expr& b) {
        return a.apply(tensor_ops::DotGeneral({}, Dims{0, 1}), {a, b});
    }
};

/// A factory that encodes the payload as a number.
template <class Op>
class Factory : public ExtensionFactory {
public:
    [[nodiscard]] std::string_view family_id() const noexcept override { return Op::kFamilyId; }
    [[nodiscard]] std::uint32_t version() const noexcept override {
        return FamilyId::parse(Op::kFamilyId).major;
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> instantiate_default() const override {
        return std::make_shared<Op>();
    }
    [[nodiscard]] std::string encode(const ExtensionOp& op) const override {
        return std::to_string(static_cast<int>(downcast<Op>(op)->payload));
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> decode(std::string_view payload) const override {
        if (payload.empty() || payload.find_first_not_of("0123456789") != std::string_view::npos ||
            payload.size() > 6)
            throw Error(ErrorKind::InvalidArgument, "decode",
                        text("payload '", payload, "' is not a small number"));
        auto op = std::make_shared<Op>();
        op->payload = static_cast<decltype(op->payload)>(std::stoi(std::string(payload)));
        return op;
    }
};

/// 2 a, with itself as derivative and transpose.
class TwiceOp final : public FamilyOp<TwiceOp, 1, 1> {
public:
    static constexpr std::string_view kFamilyId = "test-ext.twice.v1";
    int payload = 0;

    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                                            std::span<const SymShape> shapes) const override {
        return {{dtypes[0], shapes[0]}};
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> in) const override {
        std::vector<Tensor> outputs;
        outputs.push_back(current_backend()->add_read(in[0], in[0]));
        return outputs;
    }
};

class TwiceRule final : public ExtensionAdRule {
public:
    [[nodiscard]] std::string_view family_id() const noexcept override { return TwiceOp::kFamilyId; }
    [[nodiscard]] OptionalValues linearize(const ExtensionOp& op, FragmentBuilder& builder,
                                           std::span<const GlobalValKey>, std::span<const GlobalValKey>,
                                           std::span<const std::optional<LocalValId>> dx,
                                           ShapeGuardContext&) const override {
        return again(op, builder, *dx[0]);
    }
    [[nodiscard]] OptionalValues transpose_rule(const ExtensionOp& op, FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> ct,
                                                std::span<const ValRef>, const OpMode&,
                                                ShapeGuardContext&) const override {
        return again(op, builder, *ct[0]);
    }

private:
    static OptionalValues again(const ExtensionOp& op, FragmentBuilder& builder, LocalValId value) {
        return {Expr(builder, value, true)
                    .apply(tensor_ops::Extension(op.clone()), {Expr(builder, value, true)})
                    .local()};
    }
};

enum class Fault {
    None,
    TypedError,
    StandardError,
    OutOfMemory,
    MissingCapability,
    WrongCount,
    WrongShape,
    WrongDType,
    WrongPlace,
    InferTypedError,
    InferStandardError,
    InferWrongCount,
};

/// One input, two outputs like it; fails as its payload says.
class FaultyOp final : public FamilyOp<FaultyOp, 1, 2> {
public:
    static constexpr std::string_view kFamilyId = "test-ext.faulty.v1";
    Fault payload;
    static inline int executions = 0;
    /// What WrongPlace returns.
    static inline std::function<Tensor(const Tensor&)> elsewhere;

    explicit FaultyOp(Fault fault = Fault::None) : payload(fault) {}
    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                                            std::span<const SymShape> shapes) const override {
        if (payload == Fault::InferTypedError)
            throw Error(ErrorKind::RankMismatch, "faulty", "this rank is not for me");
        if (payload == Fault::InferStandardError) throw std::length_error("too long for me");
        std::vector<TensorMeta> outputs(payload == Fault::InferWrongCount ? 3 : 2, {dtypes[0], shapes[0]});
        return outputs;
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> in) const override {
        ++executions;
        switch (payload) {
            case Fault::TypedError: throw Error(ErrorKind::Singular, "faulty", "the matrix is singular");
            case Fault::StandardError: throw std::runtime_error("the library failed");
            case Fault::OutOfMemory: throw std::bad_alloc();
            case Fault::MissingCapability:
                throw Error(ErrorKind::BackendFailure, "faulty",
                            text(kFamilyId, " needs capability cutensor"));
            default: break;
        }
        std::vector<Tensor> outputs;
        const Dims more(in[0].rank(), 7);
        for (int i = 0; i < (payload == Fault::WrongCount ? 1 : 2); ++i)
            outputs.push_back(Tensor::zeros(payload == Fault::WrongDType ? DType::F32 : in[0].dtype(),
                                            payload == Fault::WrongShape ? more : in[0].shape()));
        if (payload == Fault::WrongPlace) outputs[1] = elsewhere(outputs[1]);
        return outputs;
    }
};

/// The identity in the family that `Tag` names.
template <class Tag>
class PlainOp final : public FamilyOp<PlainOp<Tag>, 1, 1> {
public:
    static constexpr std::string_view kFamilyId = Tag::kFamilyId;
    int payload;

    explicit PlainOp(int number = 0) : payload(number) {}
    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                                            std::span<const SymShape> shapes) const override {
        return {{dtypes[0], shapes[0]}};
    }
    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> in) const override {
        std::vector<Tensor> outputs;
        outputs.push_back(current_backend()->to_contiguous_read(in[0]));
        return outputs;
    }
};
struct Unregistered {
    static constexpr std::string_view kFamilyId = "test-ext.unregistered.v1";
};
struct WithoutRule {
    static constexpr std::string_view kFamilyId = "test-ext.without-rule.v1";
};
struct ShortRule {
    static constexpr std::string_view kFamilyId = "test-ext.short_rule.v1";
};
struct Emitting {
    static constexpr std::string_view kFamilyId = "test-ext.emitting.v1";
};

/// A rule of functions: what the payload asks of the families above.
class FunctionRule final : public ExtensionAdRule {
public:
    using Emit =
        std::function<OptionalValues(const ExtensionOp&, FragmentBuilder&, LocalValId, ShapeGuardContext&)>;

    FunctionRule(std::string_view id, Emit tangents, Emit cotangents)
        : id_(id), tangents_(std::move(tangents)), cotangents_(std::move(cotangents)) {}
    [[nodiscard]] std::string_view family_id() const noexcept override { return id_; }
    [[nodiscard]] OptionalValues linearize(const ExtensionOp& op, FragmentBuilder& builder,
                                           std::span<const GlobalValKey>, std::span<const GlobalValKey>,
                                           std::span<const std::optional<LocalValId>> dx,
                                           ShapeGuardContext& context) const override {
        return tangents_(op, builder, *dx[0], context);
    }
    [[nodiscard]] OptionalValues transpose_rule(const ExtensionOp& op, FragmentBuilder& builder,
                                                std::span<const std::optional<LocalValId>> ct,
                                                std::span<const ValRef>, const OpMode&,
                                                ShapeGuardContext& context) const override {
        return cotangents_(op, builder, *ct[0], context);
    }

private:
    std::string_view id_;
    Emit tangents_, cotangents_;
};

/// `op` on `value`, as a link of the linear flow.
inline LocalValId emit(FragmentBuilder& builder, LocalValId value, std::shared_ptr<const ExtensionOp> op) {
    const Expr in(builder, value, true);
    return in.apply(tensor_ops::Extension(std::move(op)), {in}).local();
}

/// Registers everything above but `Unregistered`, once.
inline void register_test_extensions() {
    static std::once_flag once;
    std::call_once(once, [] {
        register_extension(std::make_shared<Factory<PairOp>>());
        register_extension_rule(std::make_shared<PairRule>());
        register_extension(std::make_shared<Factory<TwiceOp>>());
        register_extension_rule(std::make_shared<TwiceRule>());
        register_extension(std::make_shared<Factory<FaultyOp>>());
        register_extension(std::make_shared<Factory<PlainOp<WithoutRule>>>());
        register_extension(std::make_shared<Factory<PlainOp<ShortRule>>>());
        register_extension(std::make_shared<Factory<PlainOp<Emitting>>>());
        // Payload 0: linearize gives too few; 1: it emits itself, and transpose gives too many; 2 and 3: it
        // throws; 4: its tangent is zero; 5: its tangent assumes that the operand is square.
        register_extension_rule(std::make_shared<FunctionRule>(
            ShortRule::kFamilyId,
            [](const ExtensionOp& op, FragmentBuilder& builder, LocalValId value,
               ShapeGuardContext& context) -> OptionalValues {
                switch (downcast<PlainOp<ShortRule>>(op)->payload) {
                    case 0: return {};
                    case 2: throw Error(ErrorKind::Unsupported, "rule", "not at a pole");
                    case 3: throw std::domain_error("not at a branch point");
                    case 4: return {std::nullopt};
                    case 5: {
                        const SymShape& shape = context.shape_of(value);
                        return {context.guard_equal(shape[0], shape[1]) ? std::optional(value)
                                                                        : std::nullopt};
                    }
                    default: return {emit(builder, value, op.clone())};
                }
            },
            [](const ExtensionOp&, FragmentBuilder&, LocalValId value, ShapeGuardContext&) -> OptionalValues {
                return {value, value};
            }));
        // Its tangent is an extension that has no rule.
        register_extension_rule(std::make_shared<FunctionRule>(
            Emitting::kFamilyId,
            [](const ExtensionOp&, FragmentBuilder& builder, LocalValId value,
               ShapeGuardContext&) -> OptionalValues {
                return {emit(builder, value, std::make_shared<PlainOp<WithoutRule>>())};
            },
            [](const ExtensionOp&, FragmentBuilder&, LocalValId value, ShapeGuardContext&) -> OptionalValues {
                return {value};
            }));
    });
}

}  // namespace tenferro::test
