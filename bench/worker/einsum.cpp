// Einsum rows: the plan is made in advance, as the peers' expressions are; timed is its execution.
#include "bench/worker/inputs.hpp"
#include "tenferro/api/engine.hpp"

namespace tenferro::bench {
namespace {

class EinsumRow : public Row {
public:
    explicit EinsumRow(const Json& row) {
        const DType dtype = dtype_of(row);
        const Json& network = row.at("column_major");
        for (const Json& shape : network.at("shapes")) {
            const int number = static_cast<int>(shapes_.size());
            shapes_.push_back(dims_of(shape));
            tensors_.push_back(
                make_operand(dtype, shapes_.back(), {number, row.at("scales").at(number).get<double>()}));
        }
        operands_.assign(tensors_.begin(), tensors_.end());
        const auto subscripts =
            tensor_network::Subscripts::parse(network.at("subscripts").get<std::string>());
        if (row.at("path").is_null()) {
            plan_.emplace(subscripts, shapes_);
        } else {
            const auto path = row.at("path").get<std::vector<std::vector<int>>>();
            plan_.emplace(subscripts, shapes_, path);
        }
    }

    Tensor compute() override {
        return default_engine().backend().with_backend_session(
            [this](BackendSession& session) { return plan_->run(session, operands_); });
    }

    [[nodiscard]] Json facts() const override {
        return {{"path", tensor_network::path_from_tree(plan_->tree())}};
    }

private:
    std::vector<Dims> shapes_;
    std::vector<Tensor> tensors_;
    std::vector<TensorRead> operands_;
    std::optional<tensor_network::EinsumPlan> plan_;
};

}  // namespace

std::unique_ptr<Row> make_einsum_row(const Json& row) { return std::make_unique<EinsumRow>(row); }

}  // namespace tenferro::bench
