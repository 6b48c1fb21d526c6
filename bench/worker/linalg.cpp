// Rows of linear algebra: a function on plain tensors, or its tangents or gradients as a compiled program.
//
// Operands are those of bench/peers/linalg.py: 0 is A, 1 the right-hand side, 2 and 3 their tangents, from 4
// on the weights of the loss, which is the weighted sum of the squared moduli of all outputs. JVPs are the
// tangents of these moduli: neither depends on signs or phases.
#include "bench/worker/linalg.hpp"

#include "bench/worker/inputs.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/runtime/functional.hpp"

namespace tenferro::bench {
namespace {

/// A backend of the kind for all rows of a process, with as many threads as the default engine.
CpuBackend& backend_of(const std::string& kind) {
    static const auto builtin = CpuBackend::with_threads(num_threads());
    if (kind == "builtin") return *builtin;
    static const auto blas = CpuBackend::with_threads_and_kind(num_threads(), CpuKind::Blas);
    return *blas;
}

template <class T>
void make_hermitian(Tensor& a, double diagonal, double factor) {
    const Index n = a.shape()[0];
    T* const x = static_cast<T*>(a.write().data());
    const auto conj = [](T y) {
        if constexpr (std::is_floating_point_v<T>)
            return y;
        else
            return std::conj(y);
    };
    using R = decltype(std::abs(T()));
    for (Index matrix = 0; n > 0 && matrix < a.size() / (n * n); ++matrix)
        for (Index j = 0; j < n; ++j)
            for (Index i = j; i < n; ++i) {
                T &lower = x[matrix * n * n + i + j * n], &upper = x[matrix * n * n + j + i * n];
                lower = (lower + conj(upper)) * static_cast<R>(factor);
                upper = conj(lower);
                if (i == j) lower = upper = lower + static_cast<R>(diagonal);
            }
}

/// A matrix or, for tangents, a direction in which the function is defined.
Tensor make_matrix(std::string_view function, DType dtype, const Dims& shape, int number, bool direction) {
    Tensor a = make_operand(dtype, shape, {number, 1, true});
    if (function != "cholesky" && function != "eigh") return a;
    const bool positive = function == "cholesky" && !direction;
    const double factor = positive ? 0.5 / static_cast<double>(shape[0]) : 0.5, diagonal = positive ? 3 : 0;
    switch (dtype) {
        case DType::F32: make_hermitian<float>(a, diagonal, factor); break;
        case DType::F64: make_hermitian<double>(a, diagonal, factor); break;
        case DType::C32: make_hermitian<std::complex<float>>(a, diagonal, factor); break;
        default: make_hermitian<std::complex<double>>(a, diagonal, factor);
    }
    return a;
}

Dims side_shape(const Dims& shape) {
    Dims side = shape;
    side[1] = 1;
    return side;
}

class ForwardRow : public Row {
public:
    ForwardRow(CpuBackend& backend, std::string name, DType dtype, const Dims& shape)
        : name_(std::move(name)),
          function_(plain_function(name_)),
          backend_(backend),
          a_(make_matrix(name_, dtype, shape, 0, false)),
          b_(make_operand(dtype, side_shape(shape), {1, 1, true})) {}
    Tensor compute() override {
        Parts y = function_(backend_, a_, b_);
        fix_phases(name_, y);
        std::vector<Tensor> parts;
        for (Tensor& part : y.part)
            if (part.rank() > 0) parts.push_back(std::move(part));
        return joined(parts);
    }
    void repeat(long count) override {
        for (long i = 0; i < count; ++i) static_cast<void>(function_(backend_, a_, b_));
    }

private:
    std::string name_;
    PlainFunction function_;
    linalg::LinalgBackend backend_;
    Tensor a_, b_;
};

/// |y|² of each output; of eig, whose order is the library's, what does not depend on it.
std::vector<TracedTensor> moduli(std::string_view name, const TracedTensor& a, const TracedTensor& b) {
    std::vector<TracedTensor> all = traced_function(name, a, b);
    for (TracedTensor& y : all) y = info(y.dtype()).is_complex ? real(y * conj(y)) : y * y;
    if (name == "eig") all = {reduce_sum(all[0], Dims{0}), reduce_sum(all[1], Dims{1})};
    return all;
}

class DerivativeRow : public Row {
public:
    DerivativeRow(CpuBackend& backend, const std::string& name, bool forward, DType dtype, const Dims& shape)
        : backend_(backend) {
        values_.push_back(make_matrix(name, dtype, shape, 0, false));
        values_.push_back(make_operand(dtype, side_shape(shape), {1, 1, true}));
        std::vector<TracedTensor> inputs{TracedTensor::input(dtype, shape),
                                         TracedTensor::input(dtype, side_shape(shape))};
        const std::vector<TracedTensor> x(inputs.begin(), inputs.begin() + (name == "solve" ? 2 : 1));
        const std::vector<TracedTensor> y = moduli(name, inputs[0], inputs[1]);
        std::vector<TracedTensor> outputs;
        if (forward) {
            std::vector<std::optional<TracedTensor>> tangents;
            for (std::size_t i = 0; i < x.size(); ++i) {
                const Dims extents = i == 0 ? shape : side_shape(shape);
                values_.push_back(i == 0 ? make_matrix(name, dtype, extents, 2, true)
                                         : make_operand(dtype, extents, {3, 1, true}));
                inputs.push_back(TracedTensor::input(dtype, extents));
                tangents.emplace_back(inputs.back());
            }
            outputs = jvp(y, x, tangents);
        } else {
            std::optional<TracedTensor> loss;
            for (std::size_t i = 0; i < y.size(); ++i) {
                Dims extents;
                for (std::size_t axis = 0; axis < y[i].rank(); ++axis)
                    extents.push_back(*y[i].extent(axis).constant());
                values_.push_back(make_operand(y[i].dtype(), extents, {4 + static_cast<int>(i), 1, true}));
                inputs.push_back(TracedTensor::input(y[i].dtype(), extents));
                const TracedTensor term = reduce_sum(y[i] * inputs.back());
                loss = loss ? *loss + term : term;
            }
            outputs = grad(*loss, x);
        }
        program_ = GraphCompiler().compile(outputs, inputs);
        reads_.assign(values_.begin(), values_.end());
        results_.resize(outputs.size());
    }
    Tensor compute() override {
        run();
        return joined(results_);
    }
    void repeat(long count) override {
        for (long i = 0; i < count; ++i) run();
    }

private:
    void run() {
        backend_.with_backend_session(
            [&](BackendSession& session) { program_->run(session, reads_, results_); });
    }

    CpuBackend& backend_;
    std::vector<Tensor> values_, results_;
    std::vector<TensorRead> reads_;
    std::shared_ptr<const ExecProgram> program_;
};

}  // namespace

std::unique_ptr<Row> make_linalg_row(const Json& row) {
    CpuBackend& backend = backend_of(row.value("kind", "builtin"));
    const auto name = row.at("function").get<std::string>(), mode = row.at("mode").get<std::string>();
    const Dims shape = dims_of(row.at("shape"));
    if (mode == "forward") return std::make_unique<ForwardRow>(backend, name, dtype_of(row), shape);
    return std::make_unique<DerivativeRow>(backend, name, mode == "jvp", dtype_of(row), shape);
}

}  // namespace tenferro::bench
