// That gradcheck finds what is wrong: each kind of wrong rule fails, and says how.
#include <gtest/gtest.h>

#include "ad/values.hpp"
#include "support/expect_error.hpp"
#include "tenferro/api/extension.hpp"
#include "tenferro/ops/extension_base.hpp"

namespace tenferro::ad { namespace {

/// Of what a rule may be wrong.
enum Lie : Index { kNone, kFactor, kTranspose, kSingle };

/// factor * x in F64 and F32, with rules that lie as told.
struct Scaled final : ExtensionBase<Scaled> {
    static constexpr std::string_view kFamilyId = "test-ad.scaled.v1";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    double factor;
    Index lie;
    static constexpr std::tuple kFields{tensor_ops::Field{"factor", &Scaled::factor},
                                        tensor_ops::Field{"lie", &Scaled::lie}};

    Scaled(double f, Index l) : factor(f), lie(l) {}
    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override { return {in[0]}; }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        const double by = lie == kSingle && in[0].dtype() == DType::F32 ? 2 * factor : factor;
        std::vector<Tensor> outputs;
        outputs.push_back(session.to_contiguous_read(in[0]));
        visit_dtype(in[0].dtype(), [&]<class T> {
            if constexpr (std::is_floating_point_v<T>)
                for (Index i = 0; i < in[0].size(); ++i)
                    outputs[0].write().data_as<T>()[i] *= static_cast<T>(by);
        });
        return outputs;
    }
    OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        const Scaled linear(lie == kFactor ? 1.5 * factor : factor, lie);
        return {extension::apply(linear.clone(), {&*args.dx[0], 1})[0]};
    }
    OptionalExprs cotangents(const ExtensionCotangentArgs& args) const {
        return {*args.ct[0] * (lie == kTranspose ? 2 * factor : factor)};
    }
};

std::string report(Lie lie, bool symbolic = true) {
    if (!lookup_extension_factory(Scaled::kFamilyId)) register_extension<Scaled>();
    const auto scaled = [](const TracedTensor& x, Lie l) {
        return extension::apply(std::make_shared<Scaled>(3, l), {&x, 1})[0];
    };
    const auto function = [&](Operands x) { return std::vector{sin(scaled(x[0], lie))}; };
    return gradcheck::check({.operands = {{.shape = {3}}}, .function = function, .symbolic = symbolic}, cpu())
        .text();
}

TEST(Gradcheck, WrongRulesAreFound) {
    EXPECT_EQ(report(kNone), "");
    EXPECT_NE(report(kFactor).find(
                  "f64, active operands 0, seed 1: the jvp is not what differences say of result 0: "
                  "element 0 is "),
              std::string::npos)
        << report(kFactor);
    EXPECT_NE(report(kTranspose).find("the vjp is not the transpose of the jvp: <ct, jvp dx> is "),
              std::string::npos);
    EXPECT_NE(report(kTranspose).find("the vjp transposed is not the jvp of result 0"), std::string::npos);
    EXPECT_NE(report(kSingle).find("in single precision, output 0"), std::string::npos);
    EXPECT_EQ(report(kSingle).find("differences"), std::string::npos);
    EXPECT_NE(report(kNone, false).find("it can be traced with unknown extents"), std::string::npos);
}

/// x * x, with a right tangent that is made of a value said to be constant.
struct Square final : ExtensionBase<Square> {
    static constexpr std::string_view kFamilyId = "test-ad.square.v1";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    bool constant;  ///< x itself, without a tangent
    static constexpr std::tuple kFields{tensor_ops::Field{"constant", &Square::constant}};

    explicit Square(bool is_constant) : constant(is_constant) {}
    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override { return {in[0]}; }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        std::vector<Tensor> outputs;
        outputs.push_back(constant ? session.to_contiguous_read(in[0]) : session.mul_read(in[0], in[0]));
        return outputs;
    }
    OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        if (constant) return {std::nullopt};
        const Expr x = extension::apply(std::make_shared<Square>(true), {&args.x[0], 1})[0];
        return {x * *args.dx[0] * 2.0};
    }
};

TEST(Gradcheck, WrongSecondDerivativesAreFound) {
    if (!lookup_extension_factory(Square::kFamilyId)) register_extension<Square>();
    const auto function = [](Operands x) { return extension::apply(std::make_shared<Square>(false), x); };
    const std::string text =
        gradcheck::check({.operands = {{.shape = {3}}}, .function = function}, cpu()).text();
    EXPECT_NE(text.find("the hvp is not what differences of the gradient say of active operand 0"),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("the jvp is not"), std::string::npos) << text;
}

TEST(Gradcheck, NeedsSomethingToDifferentiate) {
    const auto indices_only = [](Operands x) { return std::vector{x[0]}; };
    EXPECT_ERROR(
        (void)gradcheck::check({.operands = {indices({2}, {0, 1})}, .function = indices_only}, cpu()),
        InvalidArgument, "gradcheck: no operand has derivatives");
    const auto inactive = [](Operands x) { return std::vector{less(x[0], x[0])}; };
    EXPECT_ERROR((void)gradcheck::check({.operands = {{.shape = {2}}}, .function = inactive}, cpu()),
                 InvalidArgument, "gradcheck: the function has no result with derivatives");
}

}}  // namespace tenferro::ad
