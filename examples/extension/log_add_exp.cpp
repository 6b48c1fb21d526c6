// The operation log_add_exp: fields, shape rule, kernel and derivative. All else follows from these.
#include "log_add_exp.hpp"

#include <algorithm>
#include <cmath>
#include <tenferro/base/error.hpp>
#include <tenferro/ops/extension_base.hpp>
#include <tenferro/ops/functions.hpp>
#include <tenferro/ops/shape_rules.hpp>

namespace log_add_exp {
namespace {

using namespace tenferro;

struct LogAddExp final : ExtensionBase<LogAddExp> {
    static constexpr std::string_view kFamilyId = "tenferro-example.log_add_exp.v1";
    static constexpr std::size_t kInputs = 2, kOutputs = 1;
    double base;
    static constexpr std::tuple kFields{tensor_ops::Field{"base", &LogAddExp::base}};

    explicit LogAddExp(double the_base) : base(the_base) {
        if (!(base > 1) || std::isinf(base))
            throw Error(ErrorKind::InvalidArgument, "log_add_exp", "the base must be above 1");
    }

    std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        if (in[0].dtype != DType::F64 || in[1].dtype != DType::F64)
            throw Error(ErrorKind::DTypeMismatch, "log_add_exp", "both operands must be f64");
        return {{DType::F64, tensor_ops::common_shape(in[0], in[1], "log_add_exp")}};
    }

    std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) const override {
        if (session.backend_info().placement != kMainMemory)
            throw Error(ErrorKind::BackendFailure, "log_add_exp", "there is a kernel for main memory only");
        const Tensor a = session.to_contiguous_read(in[0]), b = session.to_contiguous_read(in[1]);
        std::vector<Tensor> outputs;
        outputs.push_back(session.empty(DType::F64, a.shape()));
        const double* const x = a.data_as<double>();
        const double* const y = b.data_as<double>();
        double* const result = outputs[0].write().data_as<double>();
        const Index parts = a.size() < 10000 ? 1 : session.concurrency();
        session.run_concurrently(parts, [&](Index part, BackendSession&) {
            for (Index i = part * a.size() / parts; i < (part + 1) * a.size() / parts; ++i)
                result[i] = std::max(x[i], y[i]) +
                            std::log1p(std::pow(base, -std::abs(x[i] - y[i]))) / std::log(base);
        });
        return outputs;
    }

    // y = log(base^a + base^b), so dy = base^(a - y) da + base^(b - y) db. An absent tangent is zero.
    OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        std::optional<Expr> dy;
        for (std::size_t i = 0; i < 2; ++i) {
            if (!args.dx[i]) continue;
            const Expr share = exp((args.x[i] - args.y[0]) * std::log(base)) * *args.dx[i];
            dy = dy ? *dy + share : share;
        }
        return {dy};
    }
};

}  // namespace

void register_operations() { register_extension<LogAddExp>(); }

std::shared_ptr<const ExtensionOp> operation(double base) { return std::make_shared<LogAddExp>(base); }

}  // namespace log_add_exp
