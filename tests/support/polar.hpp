// Extensions with several outputs, as linear algebra has them: PolarOp, whose derivative reads the other
// output and that has a cheaper form with one output alone; ButterflyOp, which is linear and its own
// derivative.
#pragma once

#include <cmath>

#include "tenferro/ops/extension_base.hpp"
#include "tenferro/ops/functions.hpp"
#include "tenferro/ops/shape_rules.hpp"

namespace tenferro::test {

/// Elementwise f(x, y) in F64 where x and y lie, as the only output.
template <class F>
Tensor mapped(BackendSession& session, std::span<const TensorRead> in, F&& f) {
    const Tensor a = session.to_contiguous_read(in[0]), b = session.to_contiguous_read(in[1]);
    Tensor out = session.empty(DType::F64, a.shape());
    for (Index i = 0; i < a.size(); ++i)
        out.write().data_as<double>()[i] = f(a.data_as<double>()[i], b.data_as<double>()[i]);
    return out;
}

/// The radius of points (x, y) alone: what PolarOp becomes where nobody asks for angles.
struct RadiusOp final : ExtensionBase<RadiusOp> {
    static constexpr std::string_view kFamilyId = "test-ext.radius.v1";
    static constexpr std::size_t kInputs = 2, kOutputs = 1;
    static constexpr std::tuple<> kFields{};
    static inline int runs = 0;

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        return {{in[0].dtype, tensor_ops::common_shape(in[0], in[1], "radius")}};
    }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        ++runs;
        std::vector<Tensor> outputs;
        outputs.push_back(mapped(session, in, [](double x, double y) { return std::hypot(x, y); }));
        return outputs;
    }
};

/// Radius and angle, times `unit`, of points (x, y); of rank 1 or more.
struct PolarOp final : ExtensionBase<PolarOp> {
    static constexpr std::string_view kFamilyId = "test-ext.polar.v1";
    static constexpr std::size_t kInputs = 2, kOutputs = 2;
    double unit;
    bool counted;
    static constexpr std::tuple kFields{tensor_ops::Field{"unit", &PolarOp::unit},
                                        tensor_ops::Field{"counted", &PolarOp::counted}};
    static inline int runs = 0;
    static inline std::vector<bool> wanted;  ///< in the last rule

    explicit PolarOp(double the_unit = 1, bool is_counted = true) : unit(the_unit), counted(is_counted) {
        if (!(unit > 0)) throw Error(ErrorKind::InvalidArgument, "polar", "the unit must be positive");
    }

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        tensor_ops::check_dtypes(in[0], in[1], "polar");
        const TensorMeta both{in[0].dtype, tensor_ops::common_shape(in[0], in[1], "polar", "x", "y")};
        return {both, both};
    }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        runs += counted;
        std::vector<Tensor> outputs;
        outputs.push_back(mapped(session, in, [](double x, double y) { return std::hypot(x, y); }));
        outputs.push_back(mapped(session, in, [&](double x, double y) { return std::atan2(y, x) * unit; }));
        return outputs;
    }
    std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const override {
        return used[1] ? nullptr : std::make_shared<RadiusOp>();
    }
    // dr = cos t dx + sin t dy, r dt = cos t dy - sin t dx.
    OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        wanted = {args.wants(0), args.wants(1)};
        const Expr &r = args.y[0], t = args.y[1] / unit;
        std::optional<Expr> dr, dt;
        if (args.dx[0]) {
            dr = cos(t) * *args.dx[0];
            dt = -sin(t) * *args.dx[0] * unit / r;
        }
        if (args.dx[1]) {
            const Expr dr_y = sin(t) * *args.dx[1], dt_y = cos(t) * *args.dx[1] * unit / r;
            dr = dr ? *dr + dr_y : dr_y;
            dt = dt ? *dt + dt_y : dt_y;
        }
        if (!args.wants(1)) dt.reset();
        return {args.wants(0) ? dr : std::nullopt, dt};
    }
};

/// a + b and a - scale b.
struct ButterflyOp final : ExtensionBase<ButterflyOp> {
    static constexpr std::string_view kFamilyId = "test-ext.butterfly.v1";
    static constexpr std::size_t kInputs = 2, kOutputs = 2;
    double scale;
    static constexpr std::tuple kFields{tensor_ops::Field{"scale", &ButterflyOp::scale}};

    explicit ButterflyOp(double factor = 1) : scale(factor) {}

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        tensor_ops::check_dtypes(in[0], in[1], "butterfly");
        const TensorMeta both{in[0].dtype, tensor_ops::common_shape(in[0], in[1], "butterfly")};
        return {both, both};
    }
    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        std::vector<Tensor> outputs;
        outputs.push_back(session.add_read(in[0], in[1]));
        outputs.push_back(mapped(session, in, [&](double a, double b) { return a - scale * b; }));
        return outputs;
    }
    OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        const auto filled = [&](std::size_t i) { return args.dx[i] ? *args.dx[i] : full_like(args.x[i], 0); };
        const Expr dx[] = {filled(0), filled(1)};
        const std::vector<Expr> dy = extension::apply(clone(), dx);
        return {dy[0], dy[1]};
    }
    OptionalExprs cotangents(const ExtensionCotangentArgs& args) const {
        std::optional<Expr> a, b;
        if (args.ct[0]) a = b = args.ct[0];
        if (args.ct[1]) {
            const Expr more = *args.ct[1] * -scale;
            a = a ? *a + *args.ct[1] : *args.ct[1];
            b = b ? *b + more : more;
        }
        return {args.is_linear(0) ? a : std::nullopt, args.is_linear(1) ? b : std::nullopt};
    }
};

inline void register_polar() {
    static const bool once = [] {
        register_extension<PolarOp>();
        register_extension<RadiusOp>();
        register_extension<ButterflyOp>();
        return true;
    }();
    static_cast<void>(once);
}

}  // namespace tenferro::test
