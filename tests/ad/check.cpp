// The checks: differences, inner products, second order, every way to run a program, symbolic extents, single
// precision.
#include "ad/check.hpp"

#include <gtest/gtest.h>

#include "ad/derivatives.hpp"
#include "support/expect_error.hpp"
#include "support/tolerance.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/graph/resolve.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::ad {

namespace {

using testing::difference_step, testing::difference_tolerance, testing::sum_tolerance;

/// A sample in one dtype for one choice of active operands, on drawn values.
class Check {
public:
    Check(const Sample& sample, DType dtype, const Active& active, std::uint64_t seed)
        : sample_(sample), active_(active), draw_(seed) {
        for (const Operand& operand : sample.operands) {
            dtypes_.push_back(operand.dtype.value_or(dtype));
            shapes_.push_back(operand.shape);
        }
    }

    void run(Counts& counts) {
        ++counts.samples;
        const Derivatives traced = differentiated(sample_, dtypes_, shapes_, active_, false);
        draw_values(traced, shapes_);
        check_jvp(traced, counts);
        check_transpose(traced, counts);
        check_second_order(traced, counts);
        check_programs(traced, counts);
        check_single_precision(counts);
        check_symbolic(counts);
    }

private:
    [[nodiscard]] std::vector<Value> with(std::vector<Value> values, const Value& more) const {
        values.push_back(more);
        return values;
    }
    [[nodiscard]] std::vector<Value> all_values() const {
        std::vector<Value> all = x_;
        all.insert(all.end(), dx_.begin(), dx_.end());
        all.push_back(ct_);
        all.push_back(w_);
        return all;
    }
    /// The part of results_ of one derivative: 0 vjp, 1 grad, 2 hvp.
    [[nodiscard]] const Value& result(std::size_t kind, std::size_t k) const {
        return results_[2 + kind * active_.size() + k];
    }

    void draw_values(const Derivatives& traced, std::span<const Dims> shapes) {
        x_.clear();
        dx_.clear();
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const Operand& operand = sample_.operands[i];
            if (operand.elements.empty())
                x_.push_back(drawn(draw_, dtypes_[i], shapes[i], operand.domain));
            else
                x_.push_back({dtypes_[i], shapes[i], {operand.elements.begin(), operand.elements.end()}});
        }
        for (const std::size_t i : active_) dx_.push_back(drawn(draw_, dtypes_[i], shapes[i], kDirection));
        program_ = compiler_.compile(traced.all_outputs(), traced.all_inputs());
        const Value y = ad::run(*compiler_.compile({&traced.value, 1}, traced.operands), cpu(), x_).front();
        ct_ = drawn(draw_, y.dtype, y.shape, kDirection);
        w_ = drawn(draw_, y.dtype, y.shape, kDirection);
        results_ = ad::run(*program_, cpu(), all_values());
        terms_ = 64;
        for (const Value& value : x_) terms_ += value.elements.size();
        terms_ += y.elements.size();
    }

    /// The derivative of a program's outputs along dx, from its values.
    [[nodiscard]] std::vector<Value> difference(const ExecProgram& program, const Value* last) const {
        const double h = difference_step();
        const auto at = [&](double factor) {
            std::vector<Value> x = x_;
            for (std::size_t k = 0; k < active_.size(); ++k)
                x[active_[k]] = moved(x_[active_[k]], factor * h, dx_[k]);
            if (last != nullptr) x.push_back(*last);
            return ad::run(program, cpu(), x);
        };
        std::vector<Value> result = at(1);
        const std::vector<Value> minus = at(-1), plus2 = at(2), minus2 = at(-2);
        for (std::size_t i = 0; i < result.size(); ++i)
            for (std::size_t n = 0; n < result[i].elements.size(); ++n)
                result[i].elements[n] = (8.0 * (result[i].elements[n] - minus[i].elements[n]) -
                                         (plus2[i].elements[n] - minus2[i].elements[n])) /
                                        (12 * h);
        return result;
    }

    void check_jvp(const Derivatives& traced, Counts& counts) {
        const auto program = compiler_.compile({&traced.value, 1}, traced.operands);
        const std::vector<Value> expected = difference(*program, nullptr);
        expect_close(results_[1], expected[0],
                     difference_tolerance(1 + largest(expected) + largest({&results_[0], 1})), "jvp");
        ++counts.jvp;
    }

    void check_transpose(const Derivatives& traced, Counts& counts) {
        const auto twice = compiler_.compile(std::vector{jvp_by_transposes(traced)}, traced.all_inputs());
        expect_close(ad::run(*twice, cpu(), all_values()).front(), results_[1], agreement(),
                     "transposed twice");
        const double forward = inner(ct_, results_[1]);
        double backward = 0, scale = norm(ct_) * (norm(results_[1]) + 1);
        for (std::size_t k = 0; k < active_.size(); ++k) {
            backward += inner(result(0, k), dx_[k]);
            scale += norm(result(0, k)) * norm(dx_[k]);
        }
        EXPECT_NEAR(forward, backward, sum_tolerance<double>(terms_) * scale)
            << "the vjp is not the transpose of the jvp";
        ++counts.transposes;
    }

    void check_second_order(const Derivatives& traced, Counts& counts) {
        // That a gradient needs the operands and the cotangent alone shows that nothing of the tangents is
        // left in it.
        const auto vjp = compiler_.compile(traced.vjp, traced.operands_and(traced.cotangent));
        const std::vector<Value> backward = ad::run(*vjp, cpu(), with(x_, ct_));
        for (std::size_t k = 0; k < active_.size(); ++k)
            expect_close(backward[k], result(0, k), agreement(), "vjp alone");
        const auto grad = compiler_.compile(traced.grad, traced.operands_and(traced.weight));
        const std::vector<Value> expected = difference(*grad, &w_);
        const std::span<const Value> gradients =
            std::span(results_).subspan(2 + active_.size(), active_.size());
        for (std::size_t k = 0; k < active_.size(); ++k)
            expect_close(result(2, k), expected[k],
                         difference_tolerance(1 + largest(expected) + largest(gradients)), "hvp");
        ++counts.second_order;
    }

    [[nodiscard]] double agreement() const { return sum_tolerance<double>(terms_) * (1 + largest(results_)); }

    void expect_results(std::span<const Value> actual, double tolerance, const char* what) const {
        ASSERT_EQ(actual.size(), results_.size());
        for (std::size_t i = 0; i < actual.size(); ++i) expect_close(actual[i], results_[i], tolerance, what);
    }

    void check_programs(const Derivatives& traced, Counts& counts) {
        const std::vector<Value> inputs = all_values();
        ReferenceBackend reference;
        for (const bool fold : {false, true})
            for (const bool fuse : {false, true}) {
                GraphCompiler compiler({fold, fuse});
                const auto program = compiler.compile(traced.all_outputs(), traced.all_inputs());
                expect_results(ad::run(*program, cpu(), inputs), agreement(), "other options");
                expect_results(run_unsegmented(*program, cpu(), inputs), agreement(), "unsegmented");
                expect_results(ad::run(*program, reference, inputs), agreement(), "reference");
                counts.programs += 3;
            }
    }

    void check_single_precision(Counts& counts) {
        std::vector<DType> dtypes = dtypes_;
        for (DType& dtype : dtypes) dtype = single(dtype);
        Derivatives traced = differentiated(sample_, dtypes, shapes_, active_, false);
        if (traced.value.dtype() != single(results_[0].dtype)) return;  // a sample that names dtypes
        std::vector<Value> inputs = all_values();
        for (Value& value : inputs) value.dtype = single(value.dtype);
        const auto program = compiler_.compile(traced.all_outputs(), traced.all_inputs());
        const std::vector<Value> actual = ad::run(*program, cpu(), inputs);
        for (std::size_t i = 0; i < actual.size(); ++i) EXPECT_EQ(actual[i].dtype, single(results_[i].dtype));
        expect_results(actual, sum_tolerance<float>(terms_) * (1 + largest(results_)), "single precision");
        ++counts.single;
    }
    static DType single(DType dtype) {
        return dtype == DType::F64 ? DType::F32 : dtype == DType::C64 ? DType::C32 : dtype;
    }

    void check_symbolic(Counts& counts) {
        if (!sample_.symbolic) {
            EXPECT_ERROR((void)differentiated(sample_, dtypes_, shapes_, active_, true), InvalidConfig,
                         "unknown extent");
            return;
        }
        const Derivatives traced = differentiated(sample_, dtypes_, shapes_, active_, true);
        const auto program = compiler_.compile(traced.all_outputs(), traced.all_inputs());
        expect_results(ad::run(*program, cpu(), all_values()), agreement(), "symbolic extents");
        ++counts.symbolic;
        if (sample_.other_shapes.empty()) return;
        draw_values(differentiated(sample_, dtypes_, sample_.other_shapes, active_, false),
                    sample_.other_shapes);
        expect_results(ad::run(*program, cpu(), all_values()), agreement(), "other extents");
        ++counts.symbolic;
    }

    const Sample& sample_;
    const Active& active_;
    test::Draw draw_;
    GraphCompiler compiler_;
    std::vector<DType> dtypes_;
    std::vector<Dims> shapes_;
    std::vector<Value> x_, dx_, results_;
    Value ct_, w_;
    std::shared_ptr<const ExecProgram> program_;
    std::size_t terms_ = 0;
};

}  // namespace

bool depends_on_operation(const TracedTensor& value, std::string_view name) {
    const GlobalValKey key = value.key();
    for (const GlobalValKey& node : graph::resolve<StdTensorOp>(std::span(&key, 1)))
        if (!node.is_input() && node.op().name() == name) return true;
    return false;
}

void check_sample(OpId op, const Sample& sample, DType dtype, std::uint64_t seed, Counts& counts) {
    Active candidates;
    for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        const DTypeInfo& of_operand = info(sample.operands[i].dtype.value_or(dtype));
        if (of_operand.is_float || of_operand.is_complex) candidates.push_back(i);
    }
    ASSERT_FALSE(candidates.empty());
    for (std::size_t subset = 1; subset < std::size_t{1} << candidates.size(); ++subset) {
        Active active;
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if ((subset >> i & 1u) != 0) active.push_back(candidates[i]);
        SCOPED_TRACE(text(info(op).name, " ", info(dtype).name, " active ", subset, " seed ", seed));
        Check(sample, dtype, active, seed).run(counts);
    }
}

}  // namespace tenferro::ad
