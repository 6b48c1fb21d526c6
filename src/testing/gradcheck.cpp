// The checks: differences, inner products, second order, every way to run a program, symbolic extents, single
// precision.
#include "tenferro/testing/gradcheck.hpp"

#include <locale>
#include <new>
#include <sstream>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/testing/tolerance.hpp"
#include "testing/derivatives.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace gradcheck {

namespace {

using tenferro::testing::difference_step, tenferro::testing::difference_tolerance,
    tenferro::testing::sum_tolerance;

using Values = std::vector<Value>;
using View = std::span<const Value>;

/// A sample in one dtype for one choice of active operands, on drawn values.
class Check {
public:
    Check(const Sample& sample, DType dtype, const Active& active, std::uint64_t seed, TensorBackend& backend,
          std::span<TensorBackend* const> others, Report& report)
        : sample_(sample),
          active_(active),
          backend_(backend),
          others_(others),
          report_(report),
          random_(seed) {
        for (const Operand& operand : sample.operands) {
            dtypes_.push_back(operand.dtype.value_or(dtype));
            shapes_.push_back(operand.shape);
        }
        std::string list;
        for (const std::size_t i : active) list += text(list.empty() ? "" : ", ", i);
        place_ = text(info(dtype).name, ", active operands ", list, ", seed ", seed, ": ");
    }

    void run() {
        ++report_.counts.samples;
        const Derivatives traced = differentiated(sample_, dtypes_, shapes_, active_, false);
        draw_values(traced, shapes_);
        check_jvp(traced);
        check_transpose(traced);
        check_second_order(traced);
        check_programs(traced);
        if (sample_.single) check_single_precision();
        check_symbolic();
    }

private:
    void fail(const std::string& what) { report_.failures.push_back(place_ + what); }
    void expect_close(const Value& actual, const Value& expected, double tolerance, std::string_view what) {
        if (const std::string difference = difference_text(actual, expected, tolerance); !difference.empty())
            fail(text(what, ": ", difference));
    }
    void expect_close(View actual, View expected, double tolerance, std::string_view what) {
        for (std::size_t i = 0; i < expected.size(); ++i)
            expect_close(actual[i], expected[i], tolerance, text(what, " ", i));
    }

    [[nodiscard]] Values joined(std::initializer_list<const Values*> lists) const {
        Values all;
        for (const Values* list : lists) all.insert(all.end(), list->begin(), list->end());
        return all;
    }
    [[nodiscard]] Values all_values() const { return joined({&x_, &dx_, &ct_, &w_}); }
    // The parts of results_.
    [[nodiscard]] View y() const { return View(results_).first(ct_.size()); }
    [[nodiscard]] View jvp() const { return View(results_).subspan(ct_.size(), ct_.size()); }
    /// Of one derivative: 0 vjp, 1 grad, 2 hvp.
    [[nodiscard]] View by_operand(std::size_t kind) const {
        return View(results_).subspan(2 * ct_.size() + kind * active_.size(), active_.size());
    }

    void draw_values(const Derivatives& traced, std::span<const Dims> shapes) {
        x_.clear(), dx_.clear(), ct_.clear(), w_.clear();
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const Operand& operand = sample_.operands[i];
            if (operand.elements.empty())
                x_.push_back(drawn(random_, dtypes_[i], shapes[i], operand.domain));
            else
                x_.push_back({dtypes_[i], shapes[i], {operand.elements.begin(), operand.elements.end()}});
        }
        for (const std::size_t i : active_) dx_.push_back(drawn(random_, dtypes_[i], shapes[i], kDirection));
        terms_ = 64;
        for (const Value& value : x_) terms_ += value.elements.size();
        for (const Value& y :
             gradcheck::run(*compiler_.compile(traced.values, traced.operands), backend_, x_)) {
            ct_.push_back(drawn(random_, y.dtype, y.shape, kDirection));
            w_.push_back(drawn(random_, y.dtype, y.shape, kDirection));
            terms_ += y.elements.size();
        }
        const auto program = compiler_.compile(traced.all_outputs(), traced.all_inputs());
        results_ = gradcheck::run(*program, backend_, all_values());
    }

    /// The derivative of a program's outputs along dx, from its values.
    [[nodiscard]] Values difference(const ExecProgram& program, const Values& last) const {
        const double h = difference_step();
        const auto at = [&](double factor) {
            Values x = x_;
            for (std::size_t k = 0; k < active_.size(); ++k)
                x[active_[k]] = moved(x_[active_[k]], factor * h, dx_[k]);
            return gradcheck::run(program, backend_, joined({&x, &last}));
        };
        Values result = at(1);
        const Values minus = at(-1), plus2 = at(2), minus2 = at(-2);
        for (std::size_t i = 0; i < result.size(); ++i)
            for (std::size_t n = 0; n < result[i].elements.size(); ++n)
                result[i].elements[n] = (8.0 * (result[i].elements[n] - minus[i].elements[n]) -
                                         (plus2[i].elements[n] - minus2[i].elements[n])) /
                                        (12 * h);
        return result;
    }

    void check_jvp(const Derivatives& traced) {
        const Values expected = difference(*compiler_.compile(traced.values, traced.operands), {});
        expect_close(jvp(), expected, difference_tolerance(1 + largest(expected) + largest(y())),
                     "the jvp is not what differences say of result");
        ++report_.counts.jvp;
    }

    void check_transpose(const Derivatives& traced) {
        const auto twice = compiler_.compile(jvp_by_transposes(traced), traced.all_inputs());
        expect_close(gradcheck::run(*twice, backend_, all_values()), jvp(), agreement(),
                     "the vjp transposed is not the jvp of result");
        double forward = 0, backward = 0, scale = 0;
        for (std::size_t i = 0; i < ct_.size(); ++i) {
            forward += inner(ct_[i], jvp()[i]);
            scale += norm(ct_[i]) * (norm(jvp()[i]) + 1);
        }
        for (std::size_t k = 0; k < active_.size(); ++k) {
            backward += inner(by_operand(0)[k], dx_[k]);
            scale += norm(by_operand(0)[k]) * norm(dx_[k]);
        }
        if (!(std::abs(forward - backward) <= sum_tolerance<double>(terms_) * scale)) {
            std::ostringstream sums;
            sums.imbue(std::locale::classic());
            sums << forward << " and <vjp ct, dx> is " << backward;
            fail("the vjp is not the transpose of the jvp: <ct, jvp dx> is " + sums.str());
        }
        ++report_.counts.transposes;
    }

    void check_second_order(const Derivatives& traced) {
        // That a gradient needs the operands and the cotangents alone shows that nothing of the tangents is
        // left in it.
        const auto vjp = compiler_.compile(traced.vjp, traced.operands_and(traced.cotangents));
        expect_close(gradcheck::run(*vjp, backend_, joined({&x_, &ct_})), by_operand(0), agreement(),
                     "the vjp alone is another for active operand");
        const auto grad = compiler_.compile(traced.grad, traced.operands_and(traced.weights));
        const Values expected = difference(*grad, w_);
        expect_close(by_operand(2), expected,
                     difference_tolerance(1 + largest(expected) + largest(by_operand(1))),
                     "the hvp is not what differences of the gradient say of active operand");
        ++report_.counts.second_order;
    }

    [[nodiscard]] double agreement() const { return sum_tolerance<double>(terms_) * (1 + largest(results_)); }

    void check_programs(const Derivatives& traced) {
        const Values inputs = all_values();
        for (const bool fold : {false, true})
            for (const bool fuse : {false, true}) {
                GraphCompiler compiler({fold, fuse});
                const auto program = compiler.compile(traced.all_outputs(), traced.all_inputs());
                expect_close(gradcheck::run(*program, backend_, inputs), results_, agreement(),
                             "with other options of the compiler, output");
                expect_close(run_unsegmented(*program, backend_, inputs), results_, agreement(),
                             "operation by operation, output");
                for (TensorBackend* other : others_)
                    expect_close(gradcheck::run(*program, *other, inputs), results_, agreement(),
                                 text("on backend ", other->name(), ", output"));
                report_.counts.programs += 2 + static_cast<int>(others_.size());
            }
    }

    void check_single_precision() {
        std::vector<DType> dtypes = dtypes_;
        for (DType& dtype : dtypes) dtype = single(dtype);
        const Derivatives traced = differentiated(sample_, dtypes, shapes_, active_, false);
        for (std::size_t i = 0; i < ct_.size(); ++i)  // a sample that names dtypes
            if (traced.values[i].dtype() != single(y()[i].dtype)) return;
        Values inputs = all_values();
        for (Value& value : inputs) value.dtype = single(value.dtype);
        const auto program = compiler_.compile(traced.all_outputs(), traced.all_inputs());
        const Values actual = gradcheck::run(*program, backend_, inputs);
        for (std::size_t i = 0; i < actual.size(); ++i)
            if (actual[i].dtype != single(results_[i].dtype))
                fail(text("in single precision, output ", i, " has dtype ", info(actual[i].dtype).name));
        expect_close(actual, results_, sum_tolerance<float>(terms_) * (1 + largest(results_)),
                     "in single precision, output");
        ++report_.counts.single;
    }
    static DType single(DType dtype) {
        return dtype == DType::F64 ? DType::F32 : dtype == DType::C64 ? DType::C32 : dtype;
    }

    void check_symbolic() {
        if (!sample_.symbolic) {
            try {
                (void)differentiated(sample_, dtypes_, shapes_, active_, true);
                fail("it can be traced with unknown extents, but is marked as one that cannot");
            } catch (const Error& error) {
                if (error.kind() != ErrorKind::InvalidConfig ||
                    std::string_view(error.what()).find("unknown extent") == std::string_view::npos)
                    fail(text("with unknown extents: ", error.what()));
            }
            return;
        }
        const Derivatives traced = differentiated(sample_, dtypes_, shapes_, active_, true);
        const auto program = compiler_.compile(traced.all_outputs(), traced.all_inputs());
        expect_close(gradcheck::run(*program, backend_, all_values()), results_, agreement(),
                     "with symbolic extents, output");
        ++report_.counts.symbolic;
        if (sample_.other_shapes.empty()) return;
        draw_values(differentiated(sample_, dtypes_, sample_.other_shapes, active_, false),
                    sample_.other_shapes);
        expect_close(gradcheck::run(*program, backend_, all_values()), results_, agreement(),
                     "with other extents, output");
        ++report_.counts.symbolic;
    }

    const Sample& sample_;
    const Active& active_;
    TensorBackend& backend_;
    const std::span<TensorBackend* const> others_;
    Report& report_;
    std::string place_;
    std::mt19937_64 random_;
    GraphCompiler compiler_;
    std::vector<DType> dtypes_;
    std::vector<Dims> shapes_;
    Values x_, dx_, ct_, w_;  // ct_ and w_: one per result
    Values results_;          // of all_outputs
    std::size_t terms_ = 0;
};

}  // namespace

Counts& Counts::operator+=(const Counts& more) {
    for (int Counts::*count : {&Counts::samples, &Counts::jvp, &Counts::transposes, &Counts::second_order,
                               &Counts::programs, &Counts::symbolic, &Counts::single})
        this->*count += more.*count;
    return *this;
}

std::string Report::text() const try {
    std::string lines;
    for (const std::string& failure : failures) lines += failure + "\n";
    return lines;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("gradcheck");
}

Report check(const Sample& sample, TensorBackend& backend, DType dtype, std::uint64_t seed,
             std::span<TensorBackend* const> others) try {
    Active candidates;
    for (std::size_t i = 0; i < sample.operands.size(); ++i) {
        const DTypeInfo& of_operand = info(sample.operands[i].dtype.value_or(dtype));
        if (of_operand.is_float || of_operand.is_complex) candidates.push_back(i);
    }
    if (candidates.empty())
        throw Error(ErrorKind::InvalidArgument, "gradcheck", "no operand has derivatives");
    Report report;
    for (std::size_t subset = 1; subset < std::size_t{1} << candidates.size(); ++subset) {
        Active active;
        for (std::size_t i = 0; i < candidates.size(); ++i)
            if ((subset >> i & 1u) != 0) active.push_back(candidates[i]);
        Check(sample, dtype, active, seed, backend, others, report).run();
    }
    return report;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("gradcheck");
}

}}}  // namespace tenferro::TENFERRO_ABI::gradcheck
