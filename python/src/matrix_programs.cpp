// A name is read from its end: the function is traced with symbolic extents, every derivative in front of it
// makes another graph, and the last one is cut at the results that are given.
#include "matrix_programs.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <tuple>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro::python {

namespace {

using Traced = std::vector<TracedTensor>;

/// Values that are computed of others. Inputs may be values in between, at which the graph is cut. Outputs
/// behind the first `derived` are factors, which have no derivatives and are there for those of the others.
struct MatrixFunction {
    Traced inputs, outputs;
    std::size_t derived = 0;
};

/// What the name of a function ends in that gives the packed LU factors of its matrix behind its results.
constexpr std::string_view kWithFactors = "_lu";
constexpr std::size_t kFactors = 3;

/// The name that users know.
std::string_view without_factors(std::string_view function) {
    if (function.ends_with(kWithFactors)) function.remove_suffix(kWithFactors.size());
    return function;
}

Traced outputs_of(std::string_view name, const Traced& x) {
    if (const std::string_view plain = without_factors(name); plain != name) {
        Traced outputs = outputs_of(plain, x);
        const auto factors = linalg::lu_factor(x[0]);
        outputs.insert(outputs.end(), {factors.lu, factors.rows, factors.exponent});
        return outputs;
    }
    const auto svd = [&](bool full) -> Traced {
        const auto y = linalg::svd(x[0], {.full = full});
        return {y.u, y.s, y.vh};
    };
    const auto qr = [&](bool full) -> Traced {
        const auto y = linalg::qr(x[0], {.full = full});
        return {y.q, y.r};
    };
    const auto eigh = [&](bool lower) -> Traced {
        const auto y = linalg::eigh(x[0], {.lower = lower});
        return {y.values, y.vectors};
    };
    if (name == "svd") return svd(false);
    if (name == "svd_full") return svd(true);
    if (name == "qr") return qr(false);
    if (name == "qr_full") return qr(true);
    if (name == "eigh") return eigh(true);
    if (name == "eigh_upper") return eigh(false);
    if (name == "eig") {
        const auto y = linalg::eig(x[0]);
        return {y.values, y.vectors};
    }
    if (name == "lu") {
        const auto y = linalg::lu(x[0]);
        return {y.p, y.l, y.u};
    }
    if (name == "slogdet") {
        const auto y = linalg::slogdet(x[0]);
        return {y.sign, y.logabsdet};
    }
    if (name == "cholesky") return {linalg::cholesky(x[0])};
    if (name == "inv") return {linalg::inv(x[0])};
    if (name == "pinv") return {linalg::pinv(x[0])};
    if (name == "det") return {linalg::det(x[0])};
    if (name == "matrix_exp") return {linalg::matrix_exp(x[0])};
    if (name == "solve") return {linalg::solve(x[0], x[1])};
    if (name == "lstsq") return {linalg::lstsq(x[0], x[1]).x};
    throw Error(ErrorKind::InvalidArgument, "linalg", text("there is no function '", std::string(name), "'"));
}

/// The values whose bit is '1'.
Traced chosen(const Traced& values, std::string_view bits) {
    Traced some;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (bits[i] == '1') some.push_back(values[i]);
    return some;
}

/// Inputs like the values whose bit is '1', which are appended to `inputs`.
std::vector<std::optional<TracedTensor>> directions_for(const Traced& values, std::string_view bits,
                                                        Traced& inputs) {
    std::vector<std::optional<TracedTensor>> directions(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (bits[i] != '1') continue;
        directions[i] = TracedTensor::input(values[i].dtype(), shape_of(values[i]));
        inputs.push_back(*directions[i]);
    }
    return directions;
}

[[noreturn]] void throw_bad_name(std::string_view name) {
    throw Error(ErrorKind::InvalidArgument, "linalg", text("'", std::string(name), "' is no derivative"));
}

MatrixFunction function_of(std::string_view name, DType dtype, std::size_t batch_rank) {
    const std::size_t space = name.find(' ');
    if (space == std::string_view::npos) {
        MatrixFunction f;
        const bool has_right_side = without_factors(name) == "solve" || name == "lstsq";
        for (int i = 0; i < (has_right_side ? 2 : 1); ++i)
            f.inputs.push_back(TracedTensor::input(dtype, Dims(2 + batch_rank, kAnyExtent)));
        f.outputs = outputs_of(name, f.inputs);
        f.derived = f.outputs.size() - (without_factors(name) != name ? kFactors : 0);
        return f;
    }
    const std::string_view inner = name.substr(space + 1), derivative = name.substr(0, space);
    MatrixFunction f = function_of(inner, dtype, batch_rank);
    MatrixFunction made{f.inputs, {}};
    if (inner.find(' ') == std::string_view::npos)
        made.inputs.insert(made.inputs.end(), f.outputs.begin(), f.outputs.end());
    f.outputs.resize(f.derived, f.outputs.front());
    const std::string_view bits = derivative.substr(std::min<std::size_t>(4, derivative.size()));
    if (derivative.starts_with("jvp:") && bits.size() == f.inputs.size()) {
        const auto tangents = directions_for(f.inputs, bits, made.inputs);
        Traced at;  // rows of factors have no derivatives
        std::vector<std::optional<TracedTensor>> along;
        for (std::size_t i = 0; i < f.inputs.size(); ++i)
            if (f.inputs[i].dtype() != DType::I64) {
                at.push_back(f.inputs[i]);
                along.push_back(tangents[i]);
            }
        made.outputs = jvp(f.outputs, at, along);
    } else if (derivative.starts_with("vjp:") && bits.size() == f.outputs.size() + 1 + f.inputs.size()) {
        const auto cotangents = directions_for(f.outputs, bits, made.inputs);
        const Traced wanted = chosen(f.inputs, bits.substr(f.outputs.size() + 1));
        made.outputs = vjp(f.outputs, wanted, cotangents);
    } else {
        throw_bad_name(name);
    }
    made.derived = made.outputs.size();
    return made;
}

std::shared_ptr<const ExecProgram> compiled(const MatrixFunction& f) {
    std::vector<GlobalValKey> inputs, outputs;
    for (const TracedTensor& input : f.inputs) inputs.push_back(input.key());
    for (const TracedTensor& output : f.outputs) outputs.push_back(output.key());
    const auto renamed = [&](const SymDim& dim) {
        return dim.substitute([&](DimSymbol symbol) {
            for (std::size_t i = 0; i < inputs.size(); ++i)
                if (inputs[i].is_input() && inputs[i].input_id() == symbol.input)
                    return SymDim::input(i, symbol.axis);
            throw Error(ErrorKind::MissingValue, "linalg", text("no input has the extent ", dim.text()));
        });
    };
    std::vector<ShapeGuard> guards;
    for (const TracedTensor& output : f.outputs)
        if (output.guards())
            for (const ShapeGuard& guard : *output.guards())
                guards.push_back({renamed(guard.lhs), renamed(guard.rhs)});
    return graph_runtime::compile_std_to_exec(op_graph::materialise<StdTensorOp>(outputs, inputs).graph,
                                              std::move(guards));
}

/// What the call that failed in a graph said itself; of what only derivatives divide by, in the name of the
/// function.
[[noreturn]] void throw_root(std::string_view name, const Error& error) {
    const Error* root = &error;
    while (root->cause() != nullptr) root = root->cause();
    const std::size_t space = name.rfind(' ');
    if (space == std::string_view::npos || root->kind() != ErrorKind::Singular) throw Error(*root);
    throw Error(root->kind(), std::string(without_factors(name.substr(space + 1))),
                text("there is no derivative: ", root->what()));
}

/// [batch…, own…] as [own…, reversed batch…]: row-major batches become column-major ones.
TensorRead own_first(const TensorRead& a, std::size_t batch_rank) {
    Dims axes;
    for (std::size_t axis = batch_rank; axis < a.rank(); ++axis) axes.push_back(static_cast<Index>(axis));
    for (std::size_t axis = batch_rank; axis-- > 0;) axes.push_back(static_cast<Index>(axis));
    return a.transpose_view(axes);
}

}  // namespace

std::shared_ptr<const MatrixProgram> MatrixProgram::get(std::string_view name, DType dtype,
                                                        std::size_t batch_rank) {
    using Key = std::tuple<std::string, DType, std::size_t>;
    static auto* const programs = new std::map<Key, std::shared_ptr<const MatrixProgram>>;
    static auto* const mutex = new std::mutex;  // both outlive the interpreter
    Key key{name, dtype, batch_rank};
    {
        const std::lock_guard lock(*mutex);
        if (const auto found = programs->find(key); found != programs->end()) return found->second;
    }
    auto made = std::make_shared<const MatrixProgram>(compiled(function_of(name, dtype, batch_rank)),
                                                      std::string(name), batch_rank);
    const std::lock_guard lock(*mutex);
    return programs->emplace(std::move(key), std::move(made)).first->second;
}

std::size_t MatrixProgram::batch_rank(std::span<const TensorRead> operands, std::string_view name) {
    if (operands.empty() || operands.front().rank() < 2)
        throw Error(ErrorKind::RankMismatch, std::string(without_factors(name.substr(name.rfind(' ') + 1))),
                    text("operand 0 has ", operands.empty() ? 0 : operands.front().rank(),
                         " axes but must have at least 2"));
    return operands.front().rank() - 2;
}

std::vector<Tensor> MatrixProgram::run(BackendSession& session, std::span<const TensorRead> operands) const {
    std::vector<TensorRead> views;
    views.reserve(operands.size());
    for (const TensorRead& operand : operands) views.push_back(own_first(operand, batch_rank_));
    try {
        return program_->run(session, views);
    } catch (const Error& error) {
        throw_root(name_, error);
    }
}

TensorRead MatrixProgram::seen(const TensorRead& result) const {
    Dims axes;
    for (std::size_t axis = result.rank(); axis-- > result.rank() - batch_rank_;)
        axes.push_back(static_cast<Index>(axis));
    for (std::size_t axis = 0; axis + batch_rank_ < result.rank(); ++axis)
        axes.push_back(static_cast<Index>(axis));
    return result.transpose_view(axes);
}

}  // namespace tenferro::python
