// A whole network over an algebra of one's own: einsum plans and lowers it as always, and an executor
// computes the steps in min-plus, where the contraction of a chain of distances is the shortest way along it.
// Expected: shortest way 8 in 3 steps
#include <cstdio>
#include <tenferro/base/error.hpp>
#include <tenferro/einsum/path_search.hpp>
#include <tenferro/einsum/program.hpp>

#include "min_plus.hpp"

namespace ways {

using namespace tenferro;

/// Contraction is all it takes: a sum over axes contracts with ones, a copy multiplies by one.
class Executor final : public tensor_network::PairwiseExecutor {
public:
    Tensor allocate(DType dtype, std::span<const Index> shape) override {
        return Tensor::zeros(dtype, shape);
    }
    void contract(const TensorRead& lhs, const TensorRead& rhs, const DotGeneralConfig& config,
                  const TensorWrite& out) override {
        cpu::contract(min_plus::kernels(), lhs, rhs, config, out, context_);
    }
    void sum(const TensorRead& a, std::span<const Index> axes, const TensorWrite& out) override {
        Dims extents, all;
        for (const Index axis : axes) {
            all.push_back(static_cast<Index>(extents.size()));
            extents.push_back(a.shape()[static_cast<std::size_t>(axis)]);
        }
        contract(a, one_.read().broadcast_view(extents, {}), {Dims(axes.begin(), axes.end()), all, {}, {}},
                 out);
    }
    void copy(const TensorRead& a, const TensorWrite& out) override { contract(a, one_, {}, out); }
    // These two are needed where labels repeat in the output, and by derivatives.
    void embed_diagonal(const TensorRead&, Index, Index, const TensorWrite&) override { refuse(); }
    void add(const TensorRead&, const TensorRead&, const TensorWrite&) override { refuse(); }

private:
    [[noreturn]] static void refuse() { throw Error(ErrorKind::Unsupported, "min_plus", "has no such step"); }

    CpuContext context_{1};
    Tensor one_ = Tensor::zeros(DType::F64, Dims{});  // 0 is the one of min-plus
};

Tensor shortest(const char* subscripts, std::span<const Tensor> operands) {
    std::vector<Dims> shapes;
    std::vector<const TensorRead*> inputs;
    for (const Tensor& operand : operands) {
        shapes.emplace_back(operand.shape().begin(), operand.shape().end());
        inputs.push_back(&operand.read());
    }
    const tensor_network::Network network =
        tensor_network::resolve(tensor_network::Subscripts::parse(subscripts), shapes);
    const tensor_network::Program program =
        tensor_network::lower(network, tensor_network::find_tree(network));
    std::optional<Tensor> out;
    Executor executor;
    tensor_network::run(program, inputs, {&out, 1}, executor);
    return std::move(*out);
}

}  // namespace ways

int main() {
    // From every place of one town to every place of the next: 2 x 3, 3 x 2, 2 x 2.
    std::vector<tenferro::Tensor> roads;
    const auto add = [&](std::vector<double> distances, tenferro::Dims shape) {
        roads.push_back(tenferro::Tensor::from_data<double>(distances, shape));
    };
    add({5, 1, 9, 4, 3, 7}, {2, 3});
    add({4, 2, 8, 6, 9, 1}, {3, 2});
    add({3, 9, 8, 6}, {2, 2});
    const tenferro::Tensor way = ways::shortest("ab,bc,cd->", roads);
    std::printf("shortest way %g in %zu steps\n", *way.data_as<double>(), roads.size());
}
