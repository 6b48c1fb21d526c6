// An operation is a tenferro.extension.Operation, which answers for shapes, elements and one derivative. Its
// tangent is what its jvp says, or is made of its vjp: that is linear in the cotangent, and its transpose is
// the derivative.
#include "python_operations.hpp"

#include <nanobind/stl/string.h>

#include <charconv>
#include <unordered_map>

#include "exchange.hpp"
#include "linearity.hpp"
#include "numbers.hpp"
#include "promotion.hpp"
#include "replay.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/extension_base.hpp"

namespace tenferro::python {

namespace {

/// What is registered under a family, for as long as the process lives.
struct Definition {
    std::string family;
    PyObject* operation;
    std::size_t outputs;
    bool is_forward;  ///< its derivative is a jvp
};

/// Calls f, which uses Python, with its lock. What Python raises is left there, with its traceback, and ends
/// the engine's work.
template <class F>
auto in_python(const Definition& definition, const F& f) {
    const nb::gil_scoped_acquire locked;
    try {
        return f(nb::handle(definition.operation));
    } catch (nb::python_error& error) {
        const std::string message = error.what();
        error.restore();
        throw Error(ErrorKind::BackendFailure, definition.family, message);
    }
}

nb::tuple tuple_of_values(const std::vector<Value>& values) {
    nb::list list;
    for (const Value& value : values) list.append(nb::cast(value));
    return nb::tuple(list);
}

SymShape shape_in(nb::handle extents) {
    const Dims numbers = integers_from(extents, "extension", "an extent");
    return {numbers.begin(), numbers.end()};
}

class PythonOperation final : public ExtensionOp {
public:
    PythonOperation(const Definition& definition, std::size_t inputs, std::string payload)
        : definition_(&definition), inputs_(inputs), payload_(std::move(payload)) {}

    [[nodiscard]] std::string_view family_id() const noexcept override { return definition_->family; }
    void payload_hash(Hasher& hasher) const override {
        hasher.add(static_cast<std::uint64_t>(inputs_));
        hasher.add(std::string_view(payload_));
    }
    [[nodiscard]] bool payload_eq(const ExtensionOp& other) const override {
        const auto& that = *static_cast<const PythonOperation*>(other.as_any());
        return inputs_ == that.inputs_ && payload_ == that.payload_;
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> clone() const override {
        return std::make_shared<PythonOperation>(*this);
    }
    [[nodiscard]] const void* as_any() const noexcept override { return this; }
    [[nodiscard]] std::string payload_text() const override { return payload_; }
    [[nodiscard]] std::size_t n_inputs() const noexcept override { return inputs_; }
    [[nodiscard]] std::size_t n_outputs() const noexcept override { return definition_->outputs; }
    [[nodiscard]] const std::string& payload() const noexcept { return payload_; }

    [[nodiscard]] std::vector<TensorMeta> infer_output_meta(std::span<const DType> dtypes,
                                                            std::span<const SymShape> shapes) const override {
        std::vector<Dims> known;
        for (const SymShape& shape : shapes) {
            Dims& extents = known.emplace_back();
            for (const SymDim& extent : shape) {
                if (!extent.constant())
                    throw Error(ErrorKind::Unsupported, definition_->family,
                                "needs extents that are known when the graph is traced");
                extents.push_back(*extent.constant());
            }
        }
        return in_python(*definition_, [&](nb::handle operation) {
            nb::list described;
            for (std::size_t i = 0; i < known.size(); ++i)
                described.append(nb::make_tuple(tuple_of(known[i]), dtype_object(dtypes[i])));
            std::vector<TensorMeta> metas;
            for (const nb::handle output : operation.attr("_infer")(described, payload_))
                metas.push_back({dtype_of(output[1]), shape_in(output[0])});
            return metas;
        });
    }

    [[nodiscard]] std::vector<Tensor> eager_execute(std::span<const TensorRead> inputs) const override {
        return in_python(*definition_, [&](nb::handle operation) {
            std::vector<Value> values;  // copies: Python may keep them
            for (const TensorRead& input : inputs) values.emplace_back(Tensor::copy_of(input));
            std::vector<Tensor> outputs;
            for (const nb::handle output : operation.attr("_compute")(tuple_of_values(values), payload_))
                outputs.push_back(as_value(output).tensor(definition_->family).share());
            return outputs;
        });
    }

    /// J dx.
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args, FragmentBuilder& builder) const {
        static thread_local int depth = 0;
        struct Level {
            Level() { ++depth; }
            ~Level() { --depth; }
        } level;
        constexpr int kDeepest = 8;
        if (depth > kDeepest)
            throw Error(ErrorKind::AdRuleUnsupported, definition_->family,
                        text("its ", derivative(), " needs its own derivative, ", kDeepest, " deep"));
        return in_python(*definition_, [&](nb::handle operation) -> OptionalExprs {
            const Traced x = traced_like(args.x), y = traced_like(args.y);
            const Moved moved =
                definition_->is_forward ? pushed(operation, args, x, y) : pulled(operation, args, x, y);
            OptionalExprs tangents(args.y.size());
            if (moved.tangents.empty()) return tangents;
            std::vector<TracedTensor> inputs = x;
            std::vector<Expr> at(args.x.begin(), args.x.end());
            inputs.insert(inputs.end(), y.begin(), y.end());
            at.insert(at.end(), args.y.begin(), args.y.end());
            for (std::size_t i = 0; i < moved.along.size(); ++i) {
                inputs.push_back(moved.along[i]);
                at.push_back(*args.dx[moved.operands[i]]);
            }
            std::vector<Expr> made =
                replayed(moved.tangents, inputs, at, at.front(), [&](const GlobalValKey& key) {
                    check_linear(key, moved);
                    return Expr(builder, ValRef(key), false);
                });
            for (std::size_t i = 0; i < made.size(); ++i)
                if (made[i].is_linear()) tangents[moved.results[i]] = std::move(made[i]);
            return tangents;
        });
    }

private:
    using Traced = std::vector<TracedTensor>;

    /// Tangents of some results along those of some operands, linear in these.
    struct Moved {
        Traced tangents;
        std::vector<std::size_t> results;
        Traced along;
        std::vector<std::size_t> operands;
        Traced linear_in;  ///< what the derivative was applied to, of which nothing is left if it is linear
        std::vector<std::size_t> linear_places;  ///< the results, or operands, that these are beside
    };

    [[nodiscard]] std::string_view derivative() const noexcept {
        return definition_->is_forward ? "jvp" : "vjp";
    }

    /// As the transpose of ct -> vjp(ct, y, x).
    [[nodiscard]] Moved pulled(nb::handle operation, const ExtensionTangentArgs& args, const Traced& x,
                               const Traced& y) const {
        Moved moved;
        moved.linear_in = traced_like(args.y);
        for (std::size_t i = 0; i < y.size(); ++i) moved.linear_places.push_back(i);
        const nb::object gradients =
            operation.attr("_pull")(handles(moved.linear_in), handles(y), handles(x), payload_);
        Traced found;
        std::vector<std::optional<TracedTensor>> along;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const nb::object gradient = gradients[i];
            if (!args.dx[i] || gradient.is_none()) continue;
            found.push_back(as_value(gradient).traced());
            check_like(found.back(), "gradient of operand", x[i], "operand", i);
            moved.operands.push_back(i);
            along.emplace_back(moved.along.emplace_back(like(x[i])));
        }
        if (found.empty()) return moved;
        check_homogeneous(found, moved);
        moved.tangents = tenferro::vjp(found, moved.linear_in, along);
        for (std::size_t i = 0; i < y.size(); ++i) moved.results.push_back(i);
        return moved;
    }

    /// As dx -> jvp(dx, y, x), of which only the part along the tangents that there are is taken.
    [[nodiscard]] Moved pushed(nb::handle operation, const ExtensionTangentArgs& args, const Traced& x,
                               const Traced& y) const {
        Moved moved;
        nb::list directions;
        Traced from;
        std::vector<std::optional<TracedTensor>> along;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const DTypeInfo& dtype = info(x[i].dtype());
            if (!dtype.is_float && !dtype.is_complex) {
                directions.append(nb::none());
                continue;
            }
            directions.append(nb::cast(Value(moved.linear_in.emplace_back(like(x[i])))));
            moved.linear_places.push_back(i);
            if (!args.dx[i]) continue;
            from.push_back(moved.linear_in.back());
            moved.operands.push_back(i);
            along.emplace_back(moved.along.emplace_back(like(x[i])));
        }
        const nb::object tangents =
            operation.attr("_push")(nb::tuple(directions), handles(y), handles(x), payload_);
        Traced found;
        for (std::size_t i = 0; i < y.size(); ++i) {
            const nb::object tangent = tangents[i];
            if (tangent.is_none()) continue;
            found.push_back(as_value(tangent).traced());
            check_like(found.back(), "tangent of result", y[i], "result", i);
            moved.results.push_back(i);
        }
        if (!found.empty()) check_homogeneous(found, moved);
        if (!found.empty() && !from.empty()) moved.tangents = tenferro::jvp(found, from, along);
        return moved;
    }

    static TracedTensor like(const TracedTensor& a) { return TracedTensor::input(a.dtype(), a.meta().shape); }

    static Traced traced_like(std::span<const Expr> values) {
        Traced traced;
        for (const Expr& value : values)
            traced.push_back(TracedTensor::input(value.dtype(), value.meta().shape));
        return traced;
    }
    static nb::tuple handles(const Traced& tensors) {
        std::vector<Value> values;
        for (const TracedTensor& tensor : tensors) values.emplace_back(tensor);
        return tuple_of_values(values);
    }
    void check_like(const TracedTensor& found, std::string_view what, const TracedTensor& of,
                    std::string_view name, std::size_t place) const {
        if (found.dtype() == of.dtype() && shape_of(found) == shape_of(of)) return;
        throw Error(
            ErrorKind::InvalidConfig, definition_->family,
            text("the ", what, " ", place, " is ", info(found.dtype()).name, " ", shape_text(shape_of(found)),
                 " but the ", name, " is ", info(of.dtype()).name, " ", shape_text(shape_of(of))));
    }
    void check_homogeneous(const Traced& found, const Moved& moved) const {
        if (has_free_part(found, moved.linear_in))
            throw Error(ErrorKind::InvalidConfig, definition_->family,
                        definition_->is_forward
                            ? "its jvp is not linear in the tangent: a part does not depend on it"
                            : "its vjp is not linear in the cotangent: a part does not depend on it");
    }
    void check_linear(const GlobalValKey& key, const Moved& moved) const {
        for (std::size_t i = 0; i < moved.linear_in.size(); ++i)
            if (moved.linear_in[i].key().node() == key.node())
                throw Error(ErrorKind::InvalidConfig, definition_->family,
                            text("its ", derivative(), " is not linear in the ",
                                 definition_->is_forward ? "tangent of operand " : "cotangent of result ",
                                 moved.linear_places[i]));
    }

    const Definition* definition_;
    std::size_t inputs_;
    std::string payload_;
};

class PythonFactory final : public ExtensionFactory {
public:
    explicit PythonFactory(const Definition& definition) : definition_(&definition) {}
    [[nodiscard]] std::string_view family_id() const noexcept override { return definition_->family; }
    [[nodiscard]] std::uint32_t version() const noexcept override {
        return FamilyId::parsed(definition_->family)->major;
    }
    [[nodiscard]] std::string encode(const ExtensionOp& op) const override {
        return text(op.n_inputs(), " ", static_cast<const PythonOperation*>(op.as_any())->payload());
    }
    [[nodiscard]] std::shared_ptr<const ExtensionOp> decode(std::string_view payload) const override {
        std::size_t inputs = 0;
        const char *begin = payload.data(), *end = begin + payload.size();
        const auto [rest, status] = std::from_chars(begin, end, inputs);
        if (status != std::errc() || rest == end || *rest != ' ')
            throw Error(ErrorKind::InvalidArgument, definition_->family, "the payload is malformed");
        return std::make_shared<PythonOperation>(*definition_, inputs, std::string(rest + 1, end));
    }

private:
    const Definition* definition_;
};

class PythonRule final : public ExtensionAdRule {
public:
    explicit PythonRule(const Definition& definition) : definition_(&definition) {}
    [[nodiscard]] std::string_view family_id() const noexcept override { return definition_->family; }
    [[nodiscard]] OptionalValues linearize(const ExtensionOp& op, FragmentBuilder& builder,
                                           std::span<const GlobalValKey> primal_in,
                                           std::span<const GlobalValKey> primal_out,
                                           std::span<const std::optional<LocalValId>> tangent_in,
                                           ShapeGuardContext& context) const override {
        const auto& operation = *static_cast<const PythonOperation*>(op.as_any());
        return tfe_detail::tangents_with(
            [&](const ExtensionTangentArgs& args) { return operation.tangents(args, builder); }, builder,
            primal_in, primal_out, tangent_in, context);
    }
    [[nodiscard]] OptionalValues transpose_rule(const ExtensionOp&, FragmentBuilder&,
                                                std::span<const std::optional<LocalValId>>,
                                                std::span<const ValRef>, const OpMode&,
                                                ShapeGuardContext&) const override {
        throw Error(ErrorKind::AdRuleUnsupported, definition_->family, "it is never applied to tangents");
    }

private:
    const Definition* definition_;
};

/// Of this process, by family; never emptied.
std::unordered_map<std::string, const Definition*>& definitions() {
    static auto& known = *new std::unordered_map<std::string, const Definition*>();
    return known;
}

void register_operation(nb::handle operation, const std::string& family, std::size_t outputs, bool has_vjp,
                        bool has_jvp) {
    auto definition = std::make_unique<Definition>(Definition{family, operation.ptr(), outputs, has_jvp});
    register_extension(std::make_shared<PythonFactory>(*definition));
    if (has_vjp || has_jvp) register_extension_rule(std::make_shared<PythonRule>(*definition));
    operation.inc_ref();
    definitions().emplace(family, definition.get());
    static_cast<void>(definition.release());
}

nb::list apply_operation(const std::string& family, nb::handle operands, const std::string& payload) {
    Arguments arguments;
    std::vector<Value> inputs;
    for (const nb::handle operand : operands) inputs.push_back(arguments.take(operand));
    if (inputs.empty()) throw Error(ErrorKind::InvalidArgument, family, "got no operands");
    const tensor_ops::Extension op(
        std::make_shared<PythonOperation>(*definitions().at(family), inputs.size(), payload));
    nb::list results;
    for (Value& output : inputs.front().apply_all(op, inputs))
        results.append(arguments.give(std::move(output)));
    return results;
}

}  // namespace

void bind_python_operations(nb::module_& module) {
    module.def("_register_operation", register_operation);
    module.def("_apply_operation", apply_operation);
}

}  // namespace tenferro::python
