// The derivative suite of linear algebra: every registered family is differentiated and checked, or is marked
// as one without derivative, which is checked too.
#include <gtest/gtest.h>

#include <set>

#include "ad/check.hpp"
#include "ad/linalg_samples.hpp"
#include "ad/values.hpp"
#include "support/expect_error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/linalg/functions.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::ad { namespace {

std::string family(std::string_view name) { return text("tenferro-linalg.", name, ".v1"); }

void check_samples(std::string_view name, std::span<const gradcheck::Sample> samples, Counts& counts) {
    ReferenceBackend reference;
    TensorBackend* const others[] = {&reference};
    for (std::size_t i = 0; i < samples.size(); ++i)
        for (const DType dtype : {DType::F64, DType::C64}) {
            const gradcheck::Report report = gradcheck::check(samples[i], cpu(), dtype, 3 * i + 1, others);
            EXPECT_EQ(report.text(), "") << name << ", sample " << i;
            counts += report.counts;
        }
}
void print(const char* what, const Counts& counts) {
    std::printf(
        "%s: %d samples with activity; checks: %d jvp, %d transposes, %d second order, %d programs, %d "
        "symbolic, %d single\n",
        what, counts.samples, counts.jvp, counts.transposes, counts.second_order, counts.programs,
        counts.symbolic, counts.single);
}

class LinalgDerivative : public ::testing::TestWithParam<std::size_t> {};

TEST_P(LinalgDerivative, AgreesWithDifferences) {
    const LinalgRow& row = linalg_rows()[GetParam()];
    if (row.mark != LinalgMark::None) return;
    Counts counts;
    check_samples(row.name, row.samples, counts);
    print(std::string(row.name).c_str(), counts);
}
INSTANTIATE_TEST_SUITE_P(Families, LinalgDerivative, ::testing::Range(std::size_t{0}, linalg_rows().size()),
                         [](const auto& parameters) {
                             return std::string(linalg_rows()[parameters.param].name);
                         });

TEST(LinalgDerivatives, CompositionsAgreeWithDifferences) {
    Counts counts;
    check_samples("compositions", linalg_compositions(), counts);
    print("compositions", counts);
}

TEST(LinalgDerivatives, EveryFamilyHasSamplesOrAMark) {
    linalg::register_operations();
    std::multiset<std::string> listed;
    for (const LinalgRow& row : linalg_rows()) {
        listed.insert(family(row.name));
        EXPECT_TRUE(row.mark == LinalgMark::Constant || !row.samples.empty()) << row.name;
        EXPECT_EQ(lookup_extension_rule(family(row.name)) != nullptr, row.mark != LinalgMark::Unsupported)
            << row.name;
    }
    for (const std::string_view registered : linalg::families())
        EXPECT_EQ(listed.count(std::string(registered)), 1u)
            << registered << " has neither samples nor a mark, or both";
    EXPECT_EQ(listed.size(), linalg::families().size());
}

/// Calls check(op, metas of its operands) for the operations of linear algebra in the program of a sample.
template <class F>
void for_each_operation(const gradcheck::Sample& sample, DType dtype, F&& check) {
    std::vector<TracedTensor> x;
    for (const gradcheck::Operand& operand : sample.operands)
        x.push_back(TracedTensor::input(dtype, operand.shape));
    const auto program = GraphCompiler().compile(sample.function(x), x);
    std::vector<TensorMeta> metas = program->inputs();
    for (const graph_runtime::ExecInstruction& instruction : program->instructions()) {
        metas.resize(
            std::max<std::size_t>(metas.size(), instruction.first_output + instruction.outputs.size()));
        std::copy(instruction.outputs.begin(), instruction.outputs.end(),
                  metas.begin() + static_cast<std::ptrdiff_t>(instruction.first_output));
        const auto* extension = instruction.op.as<tensor_ops::Extension>();
        if (extension == nullptr) continue;
        std::vector<TensorMeta> in;
        for (const std::uint32_t value : instruction.inputs) in.push_back(metas[value]);
        check(*extension, in);
    }
}

std::string error_of_inference(const tensor_ops::Extension& op, std::span<const TensorMeta> in) {
    try {
        static_cast<void>(op.infer(in));
    } catch (const Error& error) {
        return std::string(info(error.kind()).name);
    }
    return "none";
}

/// What is divided may be complex, beside a spectrum that is real; a direction real, beside a complex one.
bool may_be(DType dtype, const tensor_ops::Extension& op, std::size_t operand,
            std::span<const TensorMeta> in) {
    const bool is_alone = op.op->family_id() == family("spectral_quotient") && operand == 0 && in.size() == 2,
               is_direction = op.op->family_id() == family("eig_tangents") && operand == 2;
    return (is_alone || is_direction) && (dtype == DType::F64 || dtype == DType::C64);
}

// A kernel reads each operand as what its operation takes it for.
TEST(LinalgDerivatives, AnOperandOfAnotherDTypeIsRefused) {
    std::set<std::string> met;
    for (const LinalgRow& row : linalg_rows())
        for (const gradcheck::Sample& sample : row.samples)
            for (const DType dtype : {DType::F64, DType::C64})
                for_each_operation(
                    sample, dtype, [&](const tensor_ops::Extension& op, std::span<TensorMeta> in) {
                        met.insert(std::string(op.op->family_id()));
                        for (std::size_t i = 0; in.size() > 1 && i < in.size(); ++i)
                            for (const DType other : {DType::F32, DType::F64, DType::C32, DType::C64,
                                                      DType::I32, DType::I64, DType::Bool}) {
                                if (other == in[i].dtype || may_be(other, op, i, in)) continue;
                                const DType right = std::exchange(in[i].dtype, other);
                                EXPECT_EQ(error_of_inference(op, in), "DTypeMismatch")
                                    << op.op->family_id() << ", operand " << i << " of " << info(other).name;
                                in[i].dtype = right;
                            }
                    });
    for (const std::string_view registered : linalg::families())
        EXPECT_TRUE(met.contains(std::string(registered))) << registered << " is in no sample";
}

// An extent that is one more, or an axis more, is refused where it has to fit another operand, which it has
// to everywhere but in the columns of a right-hand side.
TEST(LinalgDerivatives, AnOperandOfAnotherShapeIsRefused) {
    std::set<std::string> free;
    const auto note = [&](const tensor_ops::Extension& op, std::size_t operand, std::size_t axis) {
        free.insert(text(op.op->family_id(), ": operand ", operand, ", axis ", axis));
    };
    for (const LinalgRow& row : linalg_rows())
        for (const gradcheck::Sample& sample : row.samples)
            for_each_operation(
                sample, DType::F64, [&](const tensor_ops::Extension& op, std::span<TensorMeta> in) {
                    for (std::size_t i = 0; in.size() > 1 && i < in.size(); ++i) {
                        for (std::size_t axis = 0; axis < in[i].shape.size(); ++axis) {
                            const SymDim right = std::exchange(in[i].shape[axis], in[i].shape[axis] + 1);
                            if (const std::string error = error_of_inference(op, in); error == "none")
                                note(op, i, axis);
                            else
                                EXPECT_EQ(error, "ShapeMismatch") << op.op->family_id();
                            in[i].shape[axis] = right;
                        }
                        in[i].shape.push_back(2);
                        EXPECT_EQ(error_of_inference(op, in), "RankMismatch")
                            << op.op->family_id() << ", operand " << i;
                        in[i].shape.pop_back();
                    }
                });
    EXPECT_EQ(free, (std::set<std::string>{"tenferro-linalg.full_piv_lu_solve.v1: operand 5, axis 1",
                                           "tenferro-linalg.lstsq.v1: operand 0, axis 1",  // of A
                                           "tenferro-linalg.lstsq.v1: operand 1, axis 1",
                                           "tenferro-linalg.lu_solve.v1: operand 4, axis 0",  // on the right
                                           "tenferro-linalg.lu_solve.v1: operand 4, axis 1",
                                           "tenferro-linalg.triangular_solve.v1: operand 1, axis 0",
                                           "tenferro-linalg.triangular_solve.v1: operand 1, axis 1"}));
}

// Gradients of matrices without elements, of one element and of batches without matrices.
TEST(LinalgDerivatives, ExtentsOfZeroAndOne) {
    const Dims shapes[] = {{0, 0}, {1, 1}, {0, 2}, {2, 0}, {1, 3}, {0, 0, 2}, {2, 2, 0}, {1, 1, 1}};
    GraphCompiler compiler;
    int count = 0;
    const auto check = [&](std::string_view name, const gradcheck::Sample& sample, const Dims& shape) {
        if (sample.operands.size() != 1 || !sample.operands[0].elements.empty() ||
            sample.operands[0].shape.size() != shape.size())
            return;
        const TracedTensor x = TracedTensor::input(DType::F64, shape);
        std::vector<TracedTensor> y;
        try {
            y = sample.function({&x, 1});
        } catch (const Error& error) {  // not square, or a slice of what is not there
            EXPECT_TRUE(error.kind() == ErrorKind::ShapeMismatch ||
                        error.kind() == ErrorKind::AxisOutOfBounds ||
                        error.kind() == ErrorKind::InvalidArgument)
                << name << ": " << error.what();
            return;
        }
        std::vector<std::optional<TracedTensor>> cotangents;
        for (const TracedTensor& result : y) cotangents.push_back(full_like(result, 1));
        std::mt19937_64 random(1);
        const Value a = gradcheck::drawn(random, DType::F64, shape, gradcheck::kAnywhere);
        const auto program = compiler.compile(vjp(y, {&x, 1}, cotangents), {&x, 1});
        const Value gradient = run(*program, cpu(), {&a, 1}).front();
        EXPECT_EQ(gradient.shape, shape) << name;
        for (const auto& element : gradient.elements)
            EXPECT_TRUE(std::isfinite(std::abs(element))) << name << " " << text(shape[0], "x", shape[1]);
        ++count;
    };
    for (const Dims& shape : shapes) {
        for (const LinalgRow& row : linalg_rows())
            if (row.mark == LinalgMark::None)
                for (const gradcheck::Sample& sample : row.samples) check(row.name, sample, shape);
        for (const gradcheck::Sample& sample : linalg_compositions()) check("composition", sample, shape);
    }
    EXPECT_GE(count, 100);
}

TEST(LinalgDerivatives, MarkedFamiliesHaveNone) {
    for (const LinalgRow& row : linalg_rows()) {
        if (row.mark != LinalgMark::Unsupported) continue;
        EXPECT_ERROR((void)gradcheck::check(row.samples.front(), cpu()), AdRuleUnsupported, family(row.name));
    }
}

}}  // namespace tenferro::ad
