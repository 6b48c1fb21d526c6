// One test for each row of the table of failures in docs/semantics.md, eager and compiled.
#include <gtest/gtest.h>

#include "support/counting_backend.hpp"
#include "support/expect_error.hpp"
#include "support/test_extensions.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/extension.hpp"

namespace tenferro { namespace {

using test::Fault;
using test::FaultyOp;
using test::PlainOp;

constexpr std::string_view kFaulty = "extension: family_id=test-ext.faulty.v1: ";

/// Ways to execute an extension of one input.
enum class Way { Eager, Compiled, Direct };

std::vector<Tensor> execute(Way way, std::shared_ptr<const ExtensionOp> op, TensorBackend& backend,
                            const Tensor& at) {
    if (way == Way::Direct) {
        const BackendScope scope(backend);
        return extension::apply(std::move(op), {&at.read(), 1});
    }
    if (way == Way::Eager) {
        EagerContext context(backend);
        std::vector<Tensor> results;
        for (const EagerTensor& y :
             extension::apply(std::move(op), std::vector{EagerTensor(context, at.share())}))
            results.push_back(y.value().share());
        return results;
    }
    const TracedTensor x = TracedTensor::input(at.dtype(), at.shape());
    const auto y = extension::apply(std::move(op), std::vector{x});
    GraphCompiler compiler;
    return compiler.compile(y, {&x, 1})->run(backend, {&at.read(), 1});
}

class ExtensionSection12 : public testing::TestWithParam<Way> {
protected:
    void SetUp() override {
        test::register_test_extensions();
        FaultyOp::executions = 0;
    }
    std::vector<Tensor> faulty(Fault fault) {
        return execute(GetParam(), std::make_shared<FaultyOp>(fault), default_engine().backend(), at_);
    }
    /// The error of `faulty`.
    Error error_of(Fault fault) {
        try {
            (void)faulty(fault);
        } catch (const Error& error) {
            return error;
        }
        ADD_FAILURE() << "nothing was thrown";
        return {ErrorKind::MissingValue, "", ""};
    }
    const Tensor at_ = Tensor::zeros(DType::F64, Dims{2});
};

TEST_P(ExtensionSection12, NothingFails) {
    EXPECT_EQ(faulty(Fault::None).size(), 2u);
    EXPECT_EQ(FaultyOp::executions, 1);
}

TEST_P(ExtensionSection12, EagerExecuteReturnsErrTyped) {
    const Error error = error_of(Fault::TypedError);
    EXPECT_EQ(error.kind(), ErrorKind::BackendFailure);
    EXPECT_EQ(error.op(), "extension");
    EXPECT_EQ(error.what(), std::string(kFaulty) + "faulty: the matrix is singular");
    ASSERT_NE(error.cause(), nullptr);
    EXPECT_EQ(error.cause()->kind(), ErrorKind::Singular);
    EXPECT_EQ(error.root_kind(), ErrorKind::Singular);
    EXPECT_EQ(info(error.root_kind()).status,
              Status::InvalidArgument);  // not InternalError, as BackendFailure alone
    EXPECT_EQ(FaultyOp::executions, 1);  // not tried again
}

TEST_P(ExtensionSection12, EagerExecuteReturnsErrStandard) {
    const Error error = error_of(Fault::StandardError);
    EXPECT_EQ(error.kind(), ErrorKind::BackendFailure);
    EXPECT_EQ(error.what(), std::string(kFaulty) + "the library failed");
    EXPECT_EQ(error.root_kind(), ErrorKind::BackendFailure);
    EXPECT_EQ(info(error.root_kind()).status, Status::InternalError);
    EXPECT_EQ(FaultyOp::executions, 1);
}

TEST_P(ExtensionSection12, EagerExecuteReturnsErrOutOfMemory) {
    const Error error = error_of(Fault::OutOfMemory);
    EXPECT_EQ(error.kind(), ErrorKind::BackendFailure);
    EXPECT_EQ(error.what(), std::string(kFaulty) + "out of memory");
    EXPECT_EQ(error.root_kind(), ErrorKind::OutOfMemory);
    EXPECT_EQ(info(error.root_kind()).status, Status::InternalError);
    EXPECT_EQ(info(error.root_kind()).python, "MemoryError");
    EXPECT_EQ(FaultyOp::executions, 1);
}

TEST_P(ExtensionSection12, BackendLacksACapability) {
    const Error error = error_of(Fault::MissingCapability);
    EXPECT_EQ(error.kind(), ErrorKind::BackendFailure);
    EXPECT_EQ(error.what(), std::string(kFaulty) + "faulty: test-ext.faulty.v1 needs capability cutensor");
    EXPECT_EQ(error.root_kind(), ErrorKind::BackendFailure);
    EXPECT_EQ(FaultyOp::executions, 1);  // no other backend was tried
}

TEST_P(ExtensionSection12, UnregisteredFamilyAtExecuteOrCompileTime) {
    const auto op = std::make_shared<PlainOp<test::Unregistered>>();
    EXPECT_ERROR((void)execute(GetParam(), op, default_engine().backend(), at_), Unsupported,
                 "extension: test-ext.unregistered.v1: not registered");
}

TEST_P(ExtensionSection12, OutputCountDisagreesAtExecution) {
    EXPECT_ERROR((void)faulty(Fault::WrongCount), InvalidConfig,
                 text(kFaulty, "expected 2 outputs of eager_execute, got 1"));
}

TEST_P(ExtensionSection12, OutputCountDisagreesAtInference) {
    EXPECT_ERROR((void)faulty(Fault::InferWrongCount), InvalidConfig,
                 text(kFaulty, "expected 2 outputs of infer_output_meta, got 3"));
    EXPECT_EQ(FaultyOp::executions, 0);
}

TEST_P(ExtensionSection12, OutputShapeOrDTypeDisagreesWithInference) {
    EXPECT_ERROR((void)faulty(Fault::WrongShape), InvalidConfig,
                 text(kFaulty, "output 0 has shape [7] but [2] was inferred"));
    EXPECT_ERROR((void)faulty(Fault::WrongDType), InvalidConfig,
                 text(kFaulty, "output 0 has dtype f32 but f64 was inferred"));
}

TEST_P(ExtensionSection12, InferenceFails) {
    const Error error = error_of(Fault::InferTypedError);
    EXPECT_EQ(error.kind(), ErrorKind::RankMismatch);
    EXPECT_EQ(error.what(), std::string(kFaulty) + "faulty: this rank is not for me");
    EXPECT_ERROR((void)faulty(Fault::InferStandardError), InvalidConfig, text(kFaulty, "too long for me"));
    EXPECT_EQ(FaultyOp::executions, 0);
}

TEST_P(ExtensionSection12, OutputOnTheWrongDevice) {
    test::CountingBackend elsewhere(test::CountingBackend::kElsewhere);
    FaultyOp::elsewhere = [&](const Tensor& a) { return test::marked(a, elsewhere.placement()); };
    EXPECT_ERROR((void)faulty(Fault::WrongPlace), BackendFailure,
                 text(kFaulty, "output 1 is not in the memory of backend "));
    const Tensor there = test::marked(at_, elsewhere.placement());
    EXPECT_ERROR((void)execute(GetParam(), std::make_shared<FaultyOp>(), elsewhere, there), BackendFailure,
                 text(kFaulty, "output 0 is not in the memory of backend elsewhere"));
}

TEST_P(ExtensionSection12, ArityMismatch) {
    const auto op = std::make_shared<FaultyOp>();
    const std::string wanted = text(kFaulty, "expected 1 inputs, got 2");
    if (GetParam() == Way::Direct) {
        const std::vector<TensorRead> two{at_, at_};
        EXPECT_ERROR((void)extension::apply(op, two), InvalidConfig, wanted);
    } else if (GetParam() == Way::Eager) {
        const EagerTensor x(default_engine().eager(), at_.share());
        EXPECT_ERROR((void)extension::apply(op, std::vector{x, x}), InvalidConfig, wanted);
    } else {
        const TracedTensor x = TracedTensor::input(DType::F64, {2});
        EXPECT_ERROR((void)extension::apply(op, std::vector{x, x}), InvalidConfig, wanted);
        FragmentBuilder builder;
        EXPECT_ERROR((void)builder.add_op(tensor_ops::Extension(op), std::vector<ValRef>{x.key(), x.key()},
                                          OpMode::primal()),
                     InvalidConfig, wanted);
    }
}

INSTANTIATE_TEST_SUITE_P(Ways, ExtensionSection12, testing::Values(Way::Eager, Way::Compiled, Way::Direct),
                         [](const auto& way) {
                             return std::string(way.param == Way::Eager      ? "Eager"
                                                : way.param == Way::Compiled ? "Compiled"
                                                                             : "Direct");
                         });

// Rows that need no execution. Section10 has the rules of derivatives in detail, Section9 the registry.
TEST(ExtensionSection12Table, NoRegisteredAdRule) {
    test::register_test_extensions();
    const TracedTensor x = TracedTensor::input(DType::F64, {2});
    const TracedTensor y = reduce_sum(extension::apply(std::make_shared<FaultyOp>(), std::vector{x})[0]);
    EXPECT_ERROR((void)grad(y, x), AdRuleUnsupported,
                 "extension: test-ext.faulty.v1: no linearize rule is registered");
}

TEST(ExtensionSection12Table, SecondRegistrationAttempt) {
    test::register_test_extensions();
    EXPECT_ERROR(register_extension(std::make_shared<test::Factory<FaultyOp>>()), DuplicateFamily,
                 "test-ext.faulty.v1");
}

struct Malformed {
    static constexpr std::string_view kFamilyId = "test-ext.malformed";
};

TEST(ExtensionSection12Table, RegistrationWithMalformedFamilyId) {
    EXPECT_ERROR(register_extension(std::make_shared<test::Factory<PlainOp<Malformed>>>()), MalformedFamilyId,
                 "test-ext.malformed");
    const Tensor at = Tensor::zeros(DType::F64, Dims{2});
    EXPECT_ERROR((void)extension::apply(std::make_shared<PlainOp<Malformed>>(), {&at.read(), 1}),
                 MalformedFamilyId, "test-ext.malformed");
}

TEST(ExtensionSection12Table, StatusFollowsTheRootKind) {
    for (const ErrorKindInfo& row : kErrorKinds) {
        const Error cause(row.kind, "inner", "what went wrong");
        const Error outer(ErrorKind::BackendFailure, "extension", "family_id=a.b.v1: inner: what went wrong",
                          cause);
        const Error outermost(ErrorKind::InvalidConfig, "run", "an operation failed", outer);
        EXPECT_EQ(cause.cause(), nullptr);
        EXPECT_EQ(cause.root_kind(), row.kind);
        EXPECT_EQ(outer.kind(), ErrorKind::BackendFailure);
        EXPECT_EQ(outer.root_kind(), row.kind) << row.name;
        EXPECT_EQ(outermost.root_kind(), row.kind) << row.name;
        EXPECT_EQ(outermost.cause()->cause()->message(), "what went wrong");
        const Error copy = outermost;
        EXPECT_EQ(info(copy.root_kind()).status, row.status);
    }
}

}}  // namespace tenferro
