// Elementwise rows, those of pairs of operands that lie in any way, reductions, and operations along an axis.
#include "bench/worker/inputs.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::bench {
namespace {

using Ops = TensorBackend;
struct Unary {
    std::string_view name;
    Tensor (Ops::*fresh)(const TensorRead&);
    void (Ops::*into)(const TensorRead&, const TensorWrite&);
};
struct Binary {
    std::string_view name;
    Tensor (Ops::*fresh)(const TensorRead&, const TensorRead&);
    void (Ops::*into)(const TensorRead&, const TensorRead&, const TensorWrite&);
};
struct Reduction {
    std::string_view name;
    Tensor (Ops::*fresh)(const TensorRead&, DimsView);
};
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) {#method, &Ops::method##_read, &Ops::method##_into},
constexpr Unary kUnary[] = {TENFERRO_UNARY_OPS(TENFERRO_ROW)};
constexpr Binary kBinary[] = {TENFERRO_BINARY_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) {#method, &Ops::method##_read},
constexpr Reduction kReductions[] = {TENFERRO_REDUCE_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW

template <class Entry>
const Entry* find(std::span<const Entry> table, std::string_view name) {
    for (const Entry& entry : table)
        if (entry.name == name) return &entry;
    return nullptr;
}

template <class Entry>
const Entry& require(const Entry* entry, std::string_view row, std::string_view name) {
    if (entry != nullptr) return *entry;
    throw Error(ErrorKind::Unsupported, row, text("function '", name, "' does not exist"));
}

class ElementwiseRow : public Row {
public:
    explicit ElementwiseRow(const Json& row) {
        const auto name = row.at("function").get<std::string>();
        unary_ = find<Unary>(kUnary, name);
        binary_ = find<Binary>(kBinary, name);
        if (unary_ == nullptr) (void)require(binary_, "elementwise row", name);
        const Dims shape{row.at("count").get<Index>()};
        const double scale = row.at("scale").get<double>();
        a_ = make_operand(dtype_of(row), shape, {0, scale, false});
        b_ = make_operand(dtype_of(row), shape, {1, scale, false});
        if (row.at("into").get<bool>()) out_ = Tensor::zeros(a_.dtype(), shape);
    }

    Tensor compute() override {
        TensorBackend& backend = default_engine().backend();
        if (!out_) {
            if (unary_ != nullptr) return (backend.*unary_->fresh)(a_);
            return (backend.*binary_->fresh)(a_, b_);
        }
        if (unary_ != nullptr) (backend.*unary_->into)(a_, out_->write());
        if (binary_ != nullptr) (backend.*binary_->into)(a_, b_, out_->write());
        return out_->share();
    }

private:
    const Unary* unary_ = nullptr;
    const Binary* binary_ = nullptr;
    Tensor a_, b_;
    std::optional<Tensor> out_;
};

/// An operand whose axes `labels` some of the result's name, compact in that order, seen with all of these.
TensorRead expanded(const Tensor& operand, std::string_view labels, std::string_view result,
                    const Dims& shape) {
    Dims strides;
    for (const char label : result) {
        const std::size_t axis = labels.find(label);
        strides.push_back(axis == labels.npos ? 0 : operand.strides()[axis]);
    }
    return {operand.dtype(), operand.read().data(), shape, strides};
}

class PairRow : public Row {
public:
    explicit PairRow(const Json& row) {
        const auto name = row.at("function").get<std::string>();
        binary_ = require(find<Binary>(kBinary, name), "pair row", name).fresh;
        const Json& pair = row.at("column_major");
        const auto text = pair.at("subscripts").get<std::string>();
        const std::size_t comma = text.find(','), arrow = text.find("->");
        const std::string_view all = text, result = all.substr(arrow + 2);
        const std::string_view labels[] = {all.substr(0, comma), all.substr(comma + 1, arrow - comma - 1)};
        Dims shape(result.size(), 1);
        for (int k = 0; k < 2; ++k) {
            operands_.push_back(make_operand(dtype_of(row), dims_of(pair.at("shapes").at(k)), {k, 1, false}));
            for (std::size_t axis = 0; axis < labels[k].size(); ++axis)
                shape[result.find(labels[k][axis])] = operands_[k].shape()[axis];
        }
        for (int k = 0; k < 2; ++k) views_.push_back(expanded(operands_[k], labels[k], result, shape));
    }
    Tensor compute() override { return (default_engine().backend().*binary_)(views_[0], views_[1]); }

private:
    Tensor (Ops::*binary_)(const TensorRead&, const TensorRead&);
    std::vector<Tensor> operands_;
    std::vector<TensorRead> views_;
};

class ReductionRow : public Row {
public:
    explicit ReductionRow(const Json& row)
        : axes_(dims_of(row.at("axes"))),
          operand_(make_operand(dtype_of(row), dims_of(row.at("shape")), {0, 1, false})) {
        const auto name = "reduce_" + row.at("function").get<std::string>();
        reduction_ = require(find<Reduction>(kReductions, name), "reduction row", name).fresh;
    }
    Tensor compute() override { return (default_engine().backend().*reduction_)(operand_, axes_); }

private:
    Tensor (Ops::*reduction_)(const TensorRead&, DimsView);
    Dims axes_;
    Tensor operand_;
};

struct AlongAxis {
    std::string_view name;
    Tensor (*fresh)(Ops&, const TensorRead&, Index axis);
};
constexpr AlongAxis kAlongAxis[] = {
    {"cumulative_sum",
     [](Ops& ops, const TensorRead& a, Index axis) { return ops.cumulative_sum_read(a, axis, false); }},
    {"softmax", [](Ops& ops, const TensorRead& a, Index axis) { return ops.softmax_read(a, axis); }},
    {"sort", [](Ops& ops, const TensorRead& a, Index axis) { return ops.sort_read(a, axis, false); }}};

class AxisRow : public Row {
public:
    explicit AxisRow(const Json& row)
        : axis_(row.at("axis").get<Index>()),
          operand_(make_operand(dtype_of(row), dims_of(row.at("shape")), {0, 1, true})) {
        const auto name = row.at("function").get<std::string>();
        function_ = require(find<AlongAxis>(kAlongAxis, name), "axis row", name).fresh;
    }
    Tensor compute() override { return function_(default_engine().backend(), operand_, axis_); }

private:
    Tensor (*function_)(Ops&, const TensorRead&, Index);
    Index axis_;
    Tensor operand_;
};

}  // namespace

std::unique_ptr<Row> make_elementwise_row(const Json& row) { return std::make_unique<ElementwiseRow>(row); }
std::unique_ptr<Row> make_pair_row(const Json& row) { return std::make_unique<PairRow>(row); }
std::unique_ptr<Row> make_axis_row(const Json& row) { return std::make_unique<AxisRow>(row); }
std::unique_ptr<Row> make_reduction_row(const Json& row) { return std::make_unique<ReductionRow>(row); }

}  // namespace tenferro::bench
