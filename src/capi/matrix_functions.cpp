// One graph per function, direction, dtype, rank of the batch and set of present directions.
#include "capi/matrix_functions.hpp"

#include "base/immortal.hpp"
#include "base/lru_cache.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/hash.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/runtime/compiler.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

using Traced = std::vector<TracedTensor>;

/// What a program is made from. `present` has a bit per direction, `ranks` the rank of each input.
struct ProgramKey {
    MatrixFunction function;
    bool reverse;
    DType dtype;
    std::uint32_t present;
    SmallVector<std::size_t, 2> ranks;

    [[nodiscard]] std::uint64_t hash() const noexcept {
        Hasher hasher;
        hasher.add(static_cast<std::uint64_t>(function) << 40 | static_cast<std::uint64_t>(reverse) << 36 |
                   static_cast<std::uint64_t>(dtype) << 32 | present);
        for (const std::size_t rank : ranks) hasher.add(rank);
        return hasher.value();
    }
    friend bool operator==(const ProgramKey&, const ProgramKey&) = default;
};

Traced results_of(MatrixFunction function, const Traced& x) {
    switch (function) {
        case MatrixFunction::Svd: {
            const auto svd = linalg::svd(x[0]);
            return {svd.u, svd.s, svd.vh};
        }
        case MatrixFunction::Qr: {
            const auto qr = linalg::qr(x[0]);
            return {qr.q, qr.r};
        }
        case MatrixFunction::Eigh: {
            const auto eigh = linalg::eigh(x[0]);
            return {eigh.values, eigh.vectors};
        }
        case MatrixFunction::Eig: {
            const auto eig = linalg::eig(x[0]);
            return {eig.values, eig.vectors};
        }
        case MatrixFunction::Lu: {
            const auto lu = linalg::lu(x[0]);
            return {lu.l, lu.u};
        }
        case MatrixFunction::Cholesky: return {linalg::cholesky(x[0])};
        case MatrixFunction::Solve: return {linalg::solve(x[0], x[1])};
    }
    __builtin_unreachable();
}

Traced inputs_of(const ProgramKey& key) {
    Traced inputs;
    for (const std::size_t rank : key.ranks)
        inputs.push_back(TracedTensor::input(key.dtype, Dims(rank, kAnyExtent)));
    return inputs;
}

/// Inputs like those of `values` whose bit is set, which are appended to `inputs`.
std::vector<std::optional<TracedTensor>> directions_for(const Traced& values, std::uint32_t present,
                                                        Traced& inputs) {
    std::vector<std::optional<TracedTensor>> directions(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if ((present >> i & 1U) == 0) continue;
        directions[i] = TracedTensor::input(values[i].dtype(), shape_of(values[i]));
        inputs.push_back(*directions[i]);
    }
    return directions;
}

std::shared_ptr<const ExecProgram> compiled(const ProgramKey& key) {
    const Traced x = inputs_of(key);
    Traced inputs = x, y = results_of(key.function, x), outputs;
    const std::optional<TracedTensor> s =
        key.function == MatrixFunction::Svd ? std::optional(y[1]) : std::nullopt;
    if (key.reverse) {
        if (s) {
            const TracedTensor rank = TracedTensor::input(DType::Bool, Dims{kAnyExtent});
            inputs.push_back(rank);  // its extent alone counts
            const auto svd = linalg::truncated_svd(x[0], rank.extent(0));
            y = {svd.u, svd.s, svd.vh};
        }
        const auto cotangents = directions_for(y, key.present, inputs);
        outputs = vjp(y, x, cotangents);
    } else {
        const auto tangents = directions_for(x, key.present, inputs);
        outputs = jvp(y, x, tangents);
    }
    if (s) outputs.push_back(*s);
    return GraphCompiler().compile(outputs, inputs);
}

constinit Immortal<LruCache<ProgramKey, ExecProgram>> made_programs;
LruCache<ProgramKey, ExecProgram>& programs() {
    return made_programs.get(
        [] { return std::make_unique<LruCache<ProgramKey, ExecProgram>>(CacheLimits{}); });
}

std::string_view name_of(MatrixFunction function) {
    switch (function) {
        case MatrixFunction::Svd: return "svd";
        case MatrixFunction::Qr: return "qr";
        case MatrixFunction::Eigh: return "eigh";
        case MatrixFunction::Eig: return "eig";
        case MatrixFunction::Lu: return "lu";
        case MatrixFunction::Cholesky: return "cholesky";
        case MatrixFunction::Solve: return "solve";
    }
    __builtin_unreachable();
}

/// Of the call that failed in a graph, its own error; of what only derivatives divide by, in the name of the
/// function.
[[noreturn]] void throw_root(MatrixFunction function, const Error& error) {
    const Error* root = &error;
    while (root->cause() != nullptr) root = root->cause();
    if (root->kind() == ErrorKind::Singular && root->op() != name_of(function))
        throw Error(root->kind(), name_of(function), text("there is no derivative: ", root->what()));
    throw Error(*root);
}

std::vector<Tensor> run(MatrixFunction function, bool reverse, std::span<const TensorRead> inputs,
                        const Directions& directions, const TensorRead* rank) {
    ProgramKey key{function, reverse, inputs.front().dtype(), 0, {}};
    std::vector<TensorRead> values(inputs.begin(), inputs.end());
    for (const TensorRead& input : inputs) key.ranks.push_back(input.rank());
    if (rank != nullptr) values.push_back(*rank);
    for (std::size_t i = 0; i < directions.size(); ++i) {
        if (!directions[i]) continue;
        key.present |= 1U << i;
        values.push_back(*directions[i]);
    }
    const auto program = programs().get(key, compiled, [](const ExecProgram& made) { return made.memory(); });
    try {
        return program->run(default_engine().backend(), values);
    } catch (const Error& error) {
        throw_root(function, error);
    }
}

}  // namespace

std::vector<Tensor> matrix_jvp(MatrixFunction function, std::span<const TensorRead> inputs,
                               const Directions& tangents) {
    return run(function, false, inputs, tangents, nullptr);
}

std::vector<Tensor> matrix_vjp(MatrixFunction function, std::span<const TensorRead> inputs,
                               const Directions& cotangents, Index rank) {
    if (function != MatrixFunction::Svd) return run(function, true, inputs, cotangents, nullptr);
    const Tensor extent = Tensor::zeros(DType::Bool, {rank});
    return run(function, true, inputs, cotangents, &extent.read());
}

void forget_matrix_programs() { programs().clear(); }

}}}  // namespace tenferro::TENFERRO_ABI::capi
