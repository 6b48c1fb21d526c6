// Calls through C++ on the default engine. The operands are those of c_calls.c.
#include <algorithm>
#include <array>
#include <vector>

#include "bench/calls/calls.h"
#include "tenferro/api/engine.hpp"
#include "tenferro/runtime/eager_tensor.hpp"

namespace {

using namespace tenferro;

struct Operands {
    Tensor a = Tensor::from_data<double>(std::array{1.0, 3.0, 2.0, 4.0}, std::array<Index, 2>{2, 2});
    Tensor b = Tensor::from_data<double>(std::array{5.0, 7.0, 6.0, 8.0}, std::array<Index, 2>{2, 2});
    std::array<TensorRead, 2> both{a.read(), b.read()};
    tensor_network::EinsumPlan plan{tensor_network::Subscripts::parse("ij,jk->ik"),
                                    std::array{a.shape(), b.shape()}};
    DotGeneralConfig product{.lhs_contract = {1}, .rhs_contract = {0}};
    TensorBackend& backend = default_engine().backend();
};

/// A network of many small steps: the product of ten matrices.
struct Chain {
    std::vector<TensorRead> matrices;
    tensor_network::EinsumPlan plan{tensor_network::Subscripts::parse("ab,bc,cd,de,ef,fg,gh,hi,ij,jk->ak"),
                                    std::vector<Dims>(10, {2, 2})};

    explicit Chain(const Operands& of) {
        for (int i = 0; i < 5; ++i) matrices.insert(matrices.end(), of.both.begin(), of.both.end());
    }
};

/// Programs of the two operands, and eager tensors.
struct Traced {
    TracedTensor a = TracedTensor::input(DType::F64, {2, 2}), b = TracedTensor::input(DType::F64, {2, 2});
    std::shared_ptr<const ExecProgram> ten_operations, gradient;
    EagerTensor x{default_engine().eager(),
                  Tensor::from_data<double>(std::array{1.0, 3.0, 2.0, 4.0}, std::array<Index, 2>{2, 2})};
    EagerTensor p = x.detach(true);

    Traced() {
        GraphCompiler compiler;
        TracedTensor z = a;
        for (int i = 0; i < 5; ++i) z = z * b + a;
        ten_operations = compiler.compile({z}, {a, b});
        gradient = compiler.compile({grad(reduce_sum(tenferro::matmul(a, b)), a)}, {a, b});
    }
};

Traced& traced() {
    static Traced instance;
    return instance;
}

Operands& operands() {
    static Operands instance;
    return instance;
}

Tensor add() { return operands().backend.add_read(operands().a, operands().b); }
Tensor matmul() {
    return operands().backend.dot_general_read(operands().a, operands().b, operands().product);
}
Tensor einsum_text() { return default_engine().einsum("ij,jk->ik", operands().both); }
Tensor einsum_plan() {
    return operands().backend.with_backend_session(
        [](BackendSession& session) { return operands().plan.run(session, operands().both); });
}
Tensor chain_plan() {
    static const Chain chain(operands());
    return operands().backend.with_backend_session(
        [](BackendSession& session) { return chain.plan.run(session, chain.matrices); });
}
Tensor program(const ExecProgram& compiled) {
    Tensor out;
    operands().backend.with_backend_session([&](BackendSession& session) {
        compiled.run(session, operands().both, {&out, 1});
    });
    return out;
}
Tensor ten_operations() { return program(*traced().ten_operations); }
Tensor gradient() { return program(*traced().gradient); }
/// The gradient of a chain of 21 eager operations.
Tensor eager_chain() {
    EagerTensor& p = traced().p;
    const EagerTensor& x = traced().x;
    p.clear_grad();
    EagerTensor z = p;
    for (int i = 0; i < 10; ++i) z = z * x + p;
    reduce_sum(z).backward();
    return p.grad().value().share();
}
/// The same where no chain like it was differentiated before.
Tensor eager_chain_anew() {
    default_engine().eager().clear();
    return eager_chain();
}
Tensor eager_sum() { return (traced().x + traced().x).value().share(); }

template <Tensor (*Call)()>
void run(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) (void)Call();
}
template <Tensor (*Call)()>
const double* last() {
    static std::array<double, 4> result;
    const Tensor tensor = Call();
    std::copy_n(tensor.data_as<double>(), 4, result.begin());
    return result.data();
}

}  // namespace

extern "C" {
const bench_call bench_cpp_calls[] = {
    {"c++: add 4 elements", run<add>, last<add>},
    {"c++: matmul 2x2", run<matmul>, last<matmul>},
    {"c++: einsum 2x2", run<einsum_text>, last<einsum_text>},
    {"c++: einsum 2x2 prepared", run<einsum_plan>, last<einsum_plan>},
    {"c++: einsum of ten 2x2 prepared", run<chain_plan>, last<chain_plan>},
    {"c++: program of 10 operations", run<ten_operations>, last<ten_operations>},
    {"c++: gradient of sum(a b)", run<gradient>, last<gradient>},
    {"c++: eager sum", run<eager_sum>, last<eager_sum>},
    {"c++: backward of 21 eager operations", run<eager_chain>, last<eager_chain>},
    {"c++: the same for the first time", run<eager_chain_anew>, last<eager_chain_anew>},
};
const std::size_t bench_cpp_call_count = std::size(bench_cpp_calls);
}
