// Rows of compiled programs and eager tensors; row["function"] is a name of kFunctions. Matrices are [n, n];
// the peers compute on the transposes.
#include "bench/worker/inputs.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/runtime/functional.hpp"

namespace tenferro::bench {
namespace {

using Function = TracedTensor (*)(const TracedTensor& a, const TracedTensor& b);

template <class Handle>
Handle arithmetic(const Handle& a, const Handle& b, int pairs) {
    Handle z = a;
    for (int i = 0; i < pairs; ++i) z = z * b + a;
    return z;
}

struct Named {
    std::string_view name;
    Function function;
};
constexpr Named kFunctions[] = {
    {"2 cheap operations", [](const TracedTensor& a, const TracedTensor& b) { return arithmetic(a, b, 1); }},
    {"8 cheap operations", [](const TracedTensor& a, const TracedTensor& b) { return arithmetic(a, b, 4); }},
    {"10 cheap operations", [](const TracedTensor& a, const TracedTensor& b) { return arithmetic(a, b, 5); }},
    {"log1p exp mul", [](const TracedTensor& a, const TracedTensor& b) { return log1p(a) * exp(b); }},
    {"5 products and sums",
     [](const TracedTensor& a, const TracedTensor& b) {
         TracedTensor z = a;
         for (int i = 0; i < 5; ++i) z = matmul(z, b) + a;
         return z;
     }},
    {"gradient of sum(a b)",
     [](const TracedTensor& a, const TracedTensor& b) { return grad(reduce_sum(matmul(a, b)), a); }},
    {"gradient of sum(tanh(a b)^2)",
     [](const TracedTensor& a, const TracedTensor& b) {
         const TracedTensor t = tanh(matmul(a, b));
         return grad(reduce_sum(t * t), a);
     }},
};

/// A program of two inputs and one output.
class CompiledRow : public Row {
public:
    CompiledRow(Function function, DType dtype, const Dims& shape)
        : a_(make_operand(dtype, shape, {0, 1, false})),
          b_(make_operand(dtype, shape, {1, 1, false})),
          inputs_{a_, b_} {
        const TracedTensor a = TracedTensor::input(dtype, shape), b = TracedTensor::input(dtype, shape);
        program_ = GraphCompiler().compile({function(a, b)}, {a, b});
    }
    Tensor compute() override {
        Tensor out;
        default_engine().backend().with_backend_session([&](BackendSession& session) {
            program_->run(session, inputs_, {&out, 1});
        });
        return out;
    }

private:
    Tensor a_, b_;
    std::vector<TensorRead> inputs_;
    std::shared_ptr<const ExecProgram> program_;
};

using EagerFunction = EagerTensor (*)(const EagerTensor& a, const EagerTensor& b);

struct NamedEager {
    std::string_view name;
    EagerFunction function;
    bool backward;  // of the sum, to a
};
constexpr NamedEager kEagerFunctions[] = {
    {"eager sum", [](const EagerTensor& a, const EagerTensor& b) { return a + b; }, false},
    {"eager backward of sum(a b)", [](const EagerTensor& a, const EagerTensor& b) { return matmul(a, b); },
     true},
    {"eager backward of 20 operations",
     [](const EagerTensor& a, const EagerTensor& b) { return arithmetic(a, b, 10); }, true},
};

class EagerRow : public Row {
public:
    EagerRow(const NamedEager& named, DType dtype, const Dims& shape)
        : function_(named.function),
          a_(default_engine().eager(), make_operand(dtype, shape, {0, 1, false}), named.backward),
          b_(default_engine().eager(), make_operand(dtype, shape, {1, 1, false})) {}
    Tensor compute() override {
        if (!a_.requires_grad()) return function_(a_, b_).value().share();
        a_.clear_grad();
        reduce_sum(function_(a_, b_)).backward();
        return a_.grad().value().share();
    }

private:
    EagerFunction function_;
    EagerTensor a_, b_;
};

}  // namespace

std::unique_ptr<Row> make_graph_row(const Json& row) {
    const auto name = row.at("function").get<std::string>();
    const Dims shape = dims_of(row.at("shape"));
    for (const NamedEager& entry : kEagerFunctions)
        if (entry.name == name) return std::make_unique<EagerRow>(entry, dtype_of(row), shape);
    for (const Named& entry : kFunctions)
        if (entry.name == name) return std::make_unique<CompiledRow>(entry.function, dtype_of(row), shape);
    throw Error(ErrorKind::Unsupported, "graph row", text("function '", name, "' does not exist"));
}

}  // namespace tenferro::bench
