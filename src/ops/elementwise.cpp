// Elementwise operations: shape rule, execution, and the transposes of those that are linear. The derivative
// of each is in its row of op_table.hpp.
#include "tenferro/tensor/elementwise.hpp"

#include <algorithm>

#include "ops/consume.hpp"
#include "ops/derivatives.hpp"
#include "ops/infer.hpp"
#include "tenferro/ops/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

TensorMeta Elementwise::infer_one(std::span<const TensorMeta> in) const {
    if (op == OpId::Select) return SymbolicRules::select(in[0], in[1], in[2]);
    if (op == OpId::Clamp) return SymbolicRules::clamp(in[0], in[1], in[2]);
    return in.size() == 1 ? SymbolicRules::unary(op, in[0]) : SymbolicRules::binary(op, in[0], in[1]);
}

Tensor Elementwise::run(BackendSession& session, std::span<const TensorRead> in) const {
    if (op == OpId::Select) return session.select_read(in[0], in[1], in[2]);
    if (op == OpId::Clamp) return session.clamp_read(in[0], in[1], in[2]);
    return in.size() == 1 ? session.elementwise_read(op, in[0]) : session.elementwise_read(op, in[0], in[1]);
}

void Elementwise::execute_consuming(BackendSession& session, std::span<const TensorRead> in,
                                    std::span<Tensor* const> dying, std::span<Tensor> out) const {
    if (std::all_of(dying.begin(), dying.end(), [](const Tensor* tensor) { return tensor == nullptr; }))
        return execute(session, in, out);
    if (in.size() == 1) {
        out[0] = session.elementwise(op, std::move(*dying[0]));
        return;
    }
    Consumable a(in[0], dying[0]), b(in[1], dying[1]);
    if (in.size() == 2) {
        out[0] = session.elementwise(op, a.tensor(), b.tensor());
        return;
    }
    Consumable c(in[2], dying[2]);
    out[0] = op == OpId::Select ? session.select(a.tensor(), b.tensor(), c.tensor())
                                : session.clamp(a.tensor(), b.tensor(), c.tensor());
}

std::optional<OpId> Elementwise::fusion_step(std::span<const DType> inputs) const {
    return is_fusible(op, inputs[op == OpId::Select ? 1 : 0]) ? std::optional(op) : std::nullopt;
}

std::optional<std::size_t> Elementwise::same_as(std::span<const Constant* const> operands) const noexcept {
    // A complex product with 1 is something else where an element is infinite.
    if (op == OpId::Mul)
        for (std::size_t i = 0; i < 2; ++i)
            if (operands[i] != nullptr && operands[i]->is_one()) return 1 - i;
    return std::nullopt;
}

std::optional<Expr> Elementwise::tangent(const TangentArgs& args) const { return derivative(op)(args); }

std::vector<std::optional<Expr>> Elementwise::cotangents(const CotangentArgs& args) const {
    const Expr& ct = args.ct;
    const auto when_linear = [&](std::size_t input, auto&& cotangent) {
        return args.is_linear(input) ? std::optional<Expr>(cotangent()) : std::nullopt;
    };
    switch (op) {
        case OpId::Neg: return {-ct};
        case OpId::Conj: return {conj(ct)};
        case OpId::Real: return {cast(ct, args.inputs[0].dtype())};
        case OpId::Imag: return {complex(full_like(ct, 0), ct)};
        case OpId::Complex:
            return {when_linear(0, [&] { return real(ct); }), when_linear(1, [&] { return imag(ct); })};
        case OpId::Add: return {when_linear(0, [&] { return ct; }), when_linear(1, [&] { return ct; })};
        case OpId::Sub: return {when_linear(0, [&] { return ct; }), when_linear(1, [&] { return -ct; })};
        case OpId::Mul:
            return {when_linear(0, [&] { return ct * conjugate(args.inputs[1]); }),
                    when_linear(1, [&] { return ct * conjugate(args.inputs[0]); })};
        case OpId::Div:
            if (args.is_linear(1)) throw_not_linear();
            return {ct / conjugate(args.inputs[1]), std::nullopt};
        case OpId::Select:
            return {std::nullopt,
                    when_linear(1, [&] { return select(args.inputs[0], ct, full_like(ct, 0)); }),
                    when_linear(2, [&] { return select(args.inputs[0], full_like(ct, 0), ct); })};
        default: throw_not_linear();
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops
