// Any bytes as a small program, compiled and run: the CPU backend on one and two threads, in segments and one
// instruction at a time, gives what the reference gives, element by element. Values are integers that stay
// small enough for every dtype to compute exactly.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "fuzz/bytes.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "tenferro/tensor/tensor.hpp"

using namespace tenferro;
using fuzz::Bytes;

namespace {

constexpr Index kElements = 4096;     // at most, of a value
constexpr double kLargest = 1 << 22;  // exact in F32, also as the real part of a product

/// A value and a bound of what its elements can be.
struct Bounded {
    TracedTensor value;
    double bound;
};

Dims shape_of_value(const TracedTensor& value) {
    Dims shape;
    for (const SymDim& extent : value.meta().shape) shape.push_back(*extent.constant());
    return shape;
}

class Drawn {
public:
    explicit Drawn(Bytes& in) : in_(in), dtype_(kDTypes[in.below(std::size(kDTypes))].dtype) {
        for (std::size_t i = 0, count = 1 + in.below(3); i < count; ++i) {
            Dims shape;
            for (std::size_t axis = 0, rank = in.below(5); axis < rank; ++axis)
                shape.push_back(static_cast<Index>(in.below(6)));
            inputs.push_back(TracedTensor::input(dtype_, shape));
            tensors.push_back(tensor(shape));
            values_.push_back({inputs.back(), 4});
        }
        for (int step = 0; step < 24 && !in.empty(); ++step) try {
                add_step();
            } catch (const Error&) {
                // shapes or dtypes that do not fit
            }
        for (std::size_t i = values_.size(), left = 4; i-- > 0 && left > 0; --left)
            outputs.push_back(values_[i].value);
    }

    std::vector<TracedTensor> inputs, outputs;
    std::vector<Tensor> tensors;

private:
    Tensor tensor(const Dims& shape) {
        std::vector<double> values(static_cast<std::size_t>(element_count(shape, "fuzz")));
        for (double& value : values) value = static_cast<double>(in_.below(9)) - 4;
        const Tensor filled = Tensor::from_data<double>(values, shape),
                     zeros = Tensor::zeros(DType::F64, shape);
        ReferenceBackend reference;
        return reference.with_backend_session([&](BackendSession& session) {
            return dtype_ == DType::Bool ? session.not_equal_read(filled, zeros)
                                         : session.cast_read(filled, dtype_);
        });
    }
    const Bounded& any() { return values_[in_.below(values_.size())]; }
    Index axis_of(const TracedTensor& value) { return static_cast<Index>(in_.below(value.rank() + 1)); }

    void add(TracedTensor value, double bound) {
        Index size = 1;
        for (const Index extent : shape_of_value(value)) size *= extent;
        if (bound < kLargest && size <= kElements) values_.push_back({std::move(value), bound});
    }

    void add_step() {
        const Bounded x = any(), y = any();
        const TracedTensor& a = x.value;
        const TracedTensor& b = y.value;
        const Index axis = axis_of(a);
        switch (in_.below(20)) {
            case 0: return add(a + b, x.bound + y.bound);
            case 1: return add(a - b, x.bound + y.bound);
            case 2: return add(a * b, 2 * x.bound * y.bound);
            case 3: return add(maximum(a, b), std::max(x.bound, y.bound));
            case 4: return add(minimum(a, b), std::max(x.bound, y.bound));
            case 5: return add(neg(a), x.bound);
            case 6: return add(conj(a), x.bound);
            case 7: return add(select(less(a, b), a, b), std::max(x.bound, y.bound));
            case 8: return add(reduce_sum(a, Dims{axis}), x.bound * terms(a, axis));
            case 9: return add(reduce_max(a, Dims{axis}), terms(a, axis) > 0 ? x.bound : kLargest);
            case 10: return add(transpose(a, permutation(a.rank())), x.bound);
            case 11: return add(reverse(a, Dims{axis}), x.bound);
            case 12: return add(concatenate({a, b}, axis), std::max(x.bound, y.bound));
            case 13: return add(cumulative_sum(a, axis, in_.below(2) == 1), x.bound * terms(a, axis));
            case 14: return add(matmul(a, b), 2 * x.bound * y.bound * terms(a, -1));
            case 15: return add(sliced(a), x.bound);
            case 16: return add(reshape(a, {static_cast<Index>(in_.below(7)), axis}), x.bound);
            case 17: return add(sort(a, axis, in_.below(2) == 1), x.bound);
            case 18: return add(broadcast_in_dim(a, wider(a), leading_axes(a.rank())), x.bound);
            default: return add(dot_general(a, b, {}), 2 * x.bound * y.bound);
        }
    }

    Dims permutation(std::size_t rank) {
        Dims axes = leading_axes(rank);
        for (std::size_t i = rank; i > 1; --i) std::swap(axes[i - 1], axes[in_.below(i)]);
        return axes;
    }
    static Dims leading_axes(std::size_t rank) {
        Dims axes(rank);
        std::iota(axes.begin(), axes.end(), Index{0});
        return axes;
    }
    TracedTensor sliced(const TracedTensor& a) {
        SymShape starts, limits;
        Dims steps;
        for (const Index extent : shape_of_value(a)) {
            const auto start = static_cast<Index>(in_.below(static_cast<std::size_t>(extent) + 1));
            starts.push_back(start);
            limits.push_back(start +
                             static_cast<Index>(in_.below(static_cast<std::size_t>(extent - start) + 1)));
            steps.push_back(1 + static_cast<Index>(in_.below(3)));
        }
        return slice(a, starts, limits, steps);
    }
    SymShape wider(const TracedTensor& a) {
        SymShape shape = a.meta().shape;
        shape.push_back(static_cast<Index>(in_.below(4)));
        return shape;
    }
    /// How many elements a sum along `axis` has; -1 stands for the last one.
    static double terms(const TracedTensor& a, Index axis) {
        const Dims shape = shape_of_value(a);
        if (axis < 0) axis += static_cast<Index>(shape.size());
        const auto k = static_cast<std::size_t>(axis);
        return k < shape.size() ? static_cast<double>(shape[k]) : 1;
    }

    Bytes& in_;
    DType dtype_;
    std::vector<Bounded> values_;
};

void require_same(const std::vector<Tensor>& actual, const std::vector<Tensor>& expected) {
    if (actual.size() != expected.size()) __builtin_trap();
    ReferenceBackend reference;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if (actual[i].dtype() != expected[i].dtype() || actual[i].shape() != expected[i].shape())
            __builtin_trap();
        const Tensor equal = reference.with_backend_session(
            [&](BackendSession& session) { return session.equal_read(actual[i], expected[i]); });
        const auto* const values = static_cast<const unsigned char*>(equal.data());
        for (Index k = 0; k < equal.size(); ++k)
            if (values[k] == 0) __builtin_trap();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto one = CpuBackend::with_threads(1), two = CpuBackend::with_threads(2);
    ReferenceBackend reference;
    Bytes in(data, size);
    const Drawn drawn(in);
    GraphCompiler compiler;
    const auto program = compiler.compile(drawn.outputs, drawn.inputs);
    const std::vector<TensorRead> inputs(drawn.tensors.begin(), drawn.tensors.end());
    const std::vector<Tensor> expected = reference.with_backend_session(
        [&](BackendSession& session) { return program->run_unsegmented(session, inputs); });
    require_same(program->run(reference, inputs), expected);
    for (TensorBackend* backend :
         {static_cast<TensorBackend*>(one.get()), static_cast<TensorBackend*>(two.get())}) {
        require_same(program->run(*backend, inputs), expected);
        require_same(backend->with_backend_session(
                         [&](BackendSession& session) { return program->run_unsegmented(session, inputs); }),
                     expected);
    }
    return 0;
}
