// Values and gradients of drawn einsums against the oracle, on every algebra, dtype and instruction set:
// repeated labels, labels of one operand, extents of 0, ties, zeros, any strides, one and two threads. Then
// slices, broadcast axes, errors, and runs that are watched.
#include "tenferro_ext_tropical/einsum.hpp"

#include <gtest/gtest.h>

#include <tenferro/cpu/contraction/highway_targets.hpp>

#include <hwy/targets.h>

#include <cstdlib>
#include <random>
#include <tenferro/api/engine.hpp>
#include <tenferro/cpu/cpu_backend.hpp>
#include <tenferro/tensor/typed_tensor.hpp>

#include "oracle.hpp"

namespace {

using namespace oracle;
using tenferro::Tensor;
using tenferro::TensorRead;
using tropical::BackendSession;
using tropical::EinsumPlan;

void expect_equal(const Tensor& found, const Tensor& expected) {
    ASSERT_EQ(found.shape(), expected.shape());
    for (Index i = 0; i < expected.size(); ++i)
        EXPECT_EQ(found.data_as<double>()[i], expected.data_as<double>()[i]) << "element " << i;
}

class Draws {
public:
    explicit Draws(unsigned seed) : bits_(seed) {}
    Index operator()(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(bits_); }
    auto& bits() { return bits_; }

private:
    std::mt19937_64 bits_;
};

/// A tensor in memory with axes in drawn order, gaps and drawn signs.
template <class T>
struct Strided {
    std::vector<T> memory;
    Dims shape, strides;
    Index origin = 0;

    Strided(const Array<T>& array, Draws& draw) : shape(array.shape), strides(array.shape) {
        std::vector<std::size_t> order(shape.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), draw.bits());
        Index step = 1;
        for (const std::size_t axis : order) {
            strides[axis] = step;
            step *= std::max<Index>(shape[axis], 1) + draw(0, 1);
            if (shape[axis] > 0 && draw(0, 3) == 0) {
                origin += (shape[axis] - 1) * strides[axis];
                strides[axis] = -strides[axis];
            }
        }
        memory.resize(static_cast<std::size_t>(step));
        std::vector<Index> at(shape.size(), 0);
        for (const T value : array.data) {
            Index place = origin;
            for (std::size_t axis = 0; axis < at.size(); ++axis) place += at[axis] * strides[axis];
            memory[static_cast<std::size_t>(place)] = value;
            for (std::size_t axis = 0; axis < at.size() && ++at[axis] == shape[axis]; ++axis) at[axis] = 0;
        }
    }
    TensorRead view() const { return {tenferro::storage_dtype<T>, memory.data() + origin, shape, strides}; }
};

Strings draw_strings(Draws& draw) {
    Strings strings;
    const Index operands = draw(1, 4), labels = draw(1, 6);
    std::string used;
    for (Index i = 0; i < operands; ++i) {
        std::string input;
        for (Index axes = draw(0, 3); axes > 0; --axes) {
            const char label = static_cast<char>('a' + draw(0, labels - 1));
            input += label;
            if (used.find(label) == std::string::npos) used += label;
        }
        strings.inputs.push_back(input);
    }
    std::shuffle(used.begin(), used.end(), draw.bits());
    strings.output = used.substr(0, static_cast<std::size_t>(draw(0, 3)));
    if (!strings.output.empty() && draw(0, 7) == 0) strings.output += strings.output[0];
    return strings;
}

template <class T>
T draw_value(Draws& draw, Algebra algebra, bool signs, bool wide) {
    if (draw(0, 9) == 0) return tropical::zero_of<T>(algebra);
    if (wide && draw(0, 19) == 0)
        return draw(0, 1) == 0 ? std::numeric_limits<T>::min() + 2 : std::numeric_limits<T>::max() - 2;
    return static_cast<T>(signs ? draw(-3, 3) : draw(0, 3));
}

/// Whether there are two operands at most, and none is summed before it meets the other.
bool has_one_path(const Strings& strings) {
    for (const char label : strings.contracted())
        for (const std::string& input : strings.inputs)
            if (input.find(label) == std::string::npos) return false;
    return strings.inputs.size() < 3;
}

/// The instruction set and the threads of the default engine while it lives.
class Machine {
public:
    Machine(std::int64_t target, int threads) : threads_(tenferro::num_threads()) {
        use(target);
        tenferro::set_num_threads(threads);
    }
    ~Machine() {
        use(0);  // the best
        tenferro::set_num_threads(threads_);
    }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

private:
    static void use(std::int64_t target) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    int threads_;
};

/// Compares an einsum of drawn values with the oracle, for the extents of the labels.
template <class T>
void check(Algebra algebra, Draws& draw, const Strings& strings, const Index (&extents)[128]) {
    const bool one_path = has_one_path(strings);
    // Sums that saturate make terms equal in a way that depends on the path, if there is one to choose, and
    // so do infinities.
    const bool wide = std::is_integral_v<T> && one_path;
    const bool wild = std::is_floating_point_v<T> && one_path && draw(0, 2) == 0;
    const bool signs = algebra != Algebra::MaxMul || strings.inputs.size() < 3;
    std::vector<Array<T>> operands;
    std::vector<Strided<T>> memory;
    std::vector<TensorRead> views;
    for (const std::string& labels : strings.inputs) {
        Array<T> array;
        for (const char label : labels) array.shape.push_back(extents[static_cast<int>(label)]);
        for (Index i = 0; i < array.size(); ++i) {
            array.data.push_back(draw_value<T>(draw, algebra, signs, wide));
            if (wild && draw(0, 99) == 0)
                array.data.back() = std::numeric_limits<T>::infinity() * static_cast<T>(draw(-1, 1));
        }
        memory.emplace_back(array, draw);
        operands.push_back(std::move(array));
    }
    for (const Strided<T>& strided : memory) views.push_back(strided.view());
    Array<T> cotangent;
    for (const char label : strings.output) cotangent.shape.push_back(extents[static_cast<int>(label)]);
    for (Index i = 0; i < cotangent.size(); ++i) cotangent.data.push_back(static_cast<T>(draw(-5, 5)));
    const Strided<T> pulled(cotangent, draw);
    const Answer<T> expected = einsum(algebra, strings, operands, cotangent.data);

    const auto expect_same = [](const Tensor& tensor, const Array<T>& array, const std::string& name) {
        ASSERT_EQ(tensor.shape(), array.shape) << name;
        for (Index i = 0; i < tensor.size(); ++i)
            ASSERT_TRUE(same(tensor.data_as<T>()[i], array.data[static_cast<std::size_t>(i)]))
                << name << ": element " << i << " is " << tensor.data_as<T>()[i] << ", not "
                << array.data[static_cast<std::size_t>(i)];
    };
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
        for (const int threads : {1, 2}) {
            SCOPED_TRACE(std::string(hwy::TargetName(target)) + ", threads: " + std::to_string(threads));
            const Machine machine(target, threads);
            expect_same(tropical::einsum(algebra, strings.text(), views), expected.result, "result");
            const std::vector<Tensor> gradients =
                tropical::einsum_vjp(algebra, strings.text(), views, pulled.view());
            ASSERT_EQ(gradients.size(), operands.size());
            for (std::size_t k = 0; k < operands.size(); ++k)
                expect_same(gradients[k], expected.gradients[k], "gradient " + std::to_string(k));
            if (testing::Test::HasFatalFailure()) return;
        }
}

unsigned seed() {
    const char* const given = std::getenv("TROPICAL_SEED");
    return given != nullptr ? static_cast<unsigned>(std::atoi(given)) : std::random_device{}();
}

template <class T>
void check_many(Algebra algebra) {
    const unsigned seed_drawn = seed();
    Draws draw(seed_drawn);
    for (int i = 0; i < 400; ++i) {
        const Strings strings = draw_strings(draw);
        SCOPED_TRACE("seed " + std::to_string(seed_drawn) + ", draw " + std::to_string(i) + ", " +
                     strings.text());
        Index extents[128];
        for (Index& extent : extents) extent = draw(0, 15) == 0 ? 0 : draw(1, 4);
        check<T>(algebra, draw, strings, extents);
        if (testing::Test::HasFatalFailure()) return;
    }
}

/// Long sums, where winners are found in two levels, and a chain whose parts have numbers, in long lines and
/// on several threads.
template <class T>
void check_long(Algebra algebra) {
    const Strings strings[] = {{{"ik", "kj"}, "ij"},
                               {{"kib", "jbk"}, "jib"},
                               {{"kil", "jlk"}, "ij"},
                               {{"ikb", "klb", "ljb"}, "ijb"}};
    const Index sizes[][5] = {
        {70, 66, 300, 1, 1}, {130, 64, 257, 1, 2}, {64, 129, 24, 13, 1}, {70, 70, 3, 3, 15}};  // i j k l b
    const unsigned seed_drawn = seed();
    Draws draw(seed_drawn);
    for (std::size_t i = 0; i < std::size(strings); ++i) {
        SCOPED_TRACE("seed " + std::to_string(seed_drawn) + ", " + strings[i].text());
        Index extents[128] = {};
        for (int label = 0; label < 5; ++label) extents[static_cast<int>("ijklb"[label])] = sizes[i][label];
        check<T>(algebra, draw, strings[i], extents);
    }
}

TEST(TropicalEinsum, EqualsTheOracleOnF64) {
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus, Algebra::MaxMul})
        check_many<double>(algebra);
}
TEST(TropicalEinsum, EqualsTheOracleOnF32) {
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus, Algebra::MaxMul})
        check_many<float>(algebra);
}
TEST(TropicalEinsum, EqualsTheOracleOnI32) {
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus}) check_many<std::int32_t>(algebra);
}
TEST(TropicalEinsum, EqualsTheOracleOnI64) {
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus}) check_many<std::int64_t>(algebra);
}

TEST(TropicalEinsum, LongSumsEqualTheOracle) {
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus}) {
        check_long<double>(algebra);
        check_long<float>(algebra);
        check_long<std::int32_t>(algebra);
        check_long<std::int64_t>(algebra);
    }
    check_long<double>(Algebra::MaxMul);
    check_long<float>(Algebra::MaxMul);
}

/// Scalars lie in tensors as their numbers do.
TEST(TropicalScalars, AreElementsOfTypedTensors) {
    using Scalar = tropical::MaxPlus<double>;
    static_assert(sizeof(Scalar) == sizeof(double) &&
                  tenferro::storage_dtype<Scalar> == tenferro::DType::F64);
    static_assert(tropical::algebra_of<tropical::MinPlus<std::int32_t>> == Algebra::MinPlus);
    using Matrix = tenferro::TypedTensor<Scalar, 2>;
    const Matrix a = Matrix::from_data({{1}, {2}, {3}, {4}}, Dims{2, 2}),
                 b = Matrix::from_data({{5}, {6}, {7}, {8}}, Dims{2, 2});
    const Matrix c(
        tropical::einsum(tropical::algebra_of<Scalar>, "ij,jk->ik", std::vector<TensorRead>{a, b}));
    EXPECT_EQ(c(0, 0), Scalar{9});
    EXPECT_EQ(c(1, 0), Scalar{10});
    EXPECT_EQ(c(0, 1), Scalar{11});
    EXPECT_EQ(c(1, 1), Scalar{12});
}

/// A plan under a memory limit runs in slices, whose sum is the algebra's; gradients are those of the whole.
TEST(TropicalEinsum, SlicesGiveTheWhole) {
    const unsigned seed_drawn = seed();
    SCOPED_TRACE(seed_drawn);
    Draws draw(seed_drawn);
    constexpr Index kExtent = 8;
    std::vector<Tensor> tensors;
    std::vector<TensorRead> views;
    std::vector<Dims> shapes(6, Dims{kExtent, kExtent, kExtent});
    for (const Dims& shape : shapes) {
        std::vector<double> values;
        for (Index i = 0; i < kExtent * kExtent * kExtent; ++i)
            values.push_back(static_cast<double>(draw(0, 3)));  // many assignments attain the same
        tensors.push_back(Tensor::from_data<double>(values, shape));
    }
    for (const Tensor& tensor : tensors) views.emplace_back(tensor);
    const auto subscripts = tenferro::tensor_network::Subscripts::parse("abc,ade,bdf,cgh,egi,fhi->a");
    const EinsumPlan whole(subscripts, shapes), sliced(subscripts, shapes, {.memory_limit_bytes = 20000});
    ASSERT_FALSE(sliced.sliced_labels().empty());
    const Tensor cotangent = Tensor::from_data<double>({1, 2, 3, 4, 5, 6, 7, 8}, Dims{kExtent});
    tenferro::default_engine().backend().with_backend_session([&](BackendSession& session) {
        for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus, Algebra::MaxMul}) {
            expect_equal(tropical::einsum(algebra, sliced, session, views),
                         tropical::einsum(algebra, whole, session, views));
            const std::vector<Tensor> found =
                                          tropical::einsum_vjp(algebra, sliced, session, views, cotangent),
                                      expected =
                                          tropical::einsum_vjp(algebra, whole, session, views, cotangent);
            for (std::size_t i = 0; i < expected.size(); ++i) expect_equal(found[i], expected[i]);
        }
    });
}

/// The limit of a plan is kept by gradients too, but for the numbers beside the values of a slice.
TEST(TropicalEinsum, GradientsInSlicesKeepTheLimit) {
    constexpr Index kExtent = 12;
    const std::vector<Dims> shapes(6, Dims{kExtent, kExtent, kExtent});
    const Tensor tensor = Tensor::zeros(tenferro::DType::F64, shapes[0]),
                 cotangent = Tensor::zeros(tenferro::DType::F64, Dims{kExtent});
    const std::vector<TensorRead> operands(6, tensor);
    const auto peak = [&](std::size_t limit) {
        const EinsumPlan plan(tenferro::tensor_network::Subscripts::parse("abc,ade,bdf,cgh,egi,fhi->a"),
                              shapes, {.memory_limit_bytes = static_cast<std::int64_t>(limit)});
        EXPECT_EQ(plan.sliced_labels().empty(), limit == 0);
        const auto backend = tenferro::CpuBackend::with_threads(1);
        backend->with_backend_session([&](BackendSession& session) {
            static_cast<void>(tropical::einsum_vjp(Algebra::MaxPlus, plan, session, operands, cotangent));
        });
        return backend->pool_stats().peak_bytes;
    };
    constexpr std::size_t kLimit = 50000;
    constexpr std::size_t kGradients = 6 * 8 * kExtent * kExtent * kExtent;
    const std::size_t whole = peak(0), sliced = peak(kLimit);
    EXPECT_GT(whole, 8 * kLimit);
    EXPECT_LE(sliced, 2 * kLimit + kGradients);
}

/// Gradients take what the einsum takes and an index beside each of its elements; besides these there are
/// only the gradients themselves and one tensor that is being laid out anew.
TEST(TropicalEinsum, GradientsTakeAnIndexPerElement) {
    constexpr Index kExtent = 12;
    constexpr double kGradients = 6 * 8 * kExtent * kExtent * kExtent,
                     kLargest = 8 * kExtent * kExtent * kExtent * kExtent, kBlocks = 1.0625;
    const std::vector<Dims> shapes(6, Dims{kExtent, kExtent, kExtent});
    const Tensor tensor = Tensor::zeros(tenferro::DType::F64, shapes[0]),
                 cotangent = Tensor::zeros(tenferro::DType::F64, Dims{kExtent});
    const std::vector<TensorRead> operands(6, tensor);
    const EinsumPlan plan(tenferro::tensor_network::Subscripts::parse("abc,ade,bdf,cgh,egi,fhi->a"), shapes);
    const auto peak = [&](const auto& call) {
        const auto backend = tenferro::CpuBackend::with_threads(1);
        backend->set_pool_limit(0);  // what is freed does not count
        backend->with_backend_session([&](BackendSession& session) { call(session); });
        return static_cast<double>(backend->pool_stats().peak_bytes);
    };
    const double forward = peak([&](BackendSession& session) {
        static_cast<void>(tropical::einsum(Algebra::MaxPlus, plan, session, operands));
    });
    const double backward = peak([&](BackendSession& session) {
        static_cast<void>(tropical::einsum_vjp(Algebra::MaxPlus, plan, session, operands, cotangent));
    });
    EXPECT_GE(forward, kLargest);
    EXPECT_GT(backward, forward + kGradients);
    EXPECT_LE(backward, 2 * forward + kBlocks * (kGradients + kLargest));
}

/// Axes of extent 1 under "..." broadcast; the gradient of one adds up what flows along it.
TEST(TropicalEinsum, BroadcastAxes) {
    const Tensor narrow = Tensor::from_data<double>({1, 5, 2, 7, 4, 4}, Dims{1, 2, 3}),
                 wide = Tensor::from_data<double>({3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}, Dims{2, 2, 3}),
                 cotangent = Tensor::from_data<double>({1, 10, 100, 1000}, Dims{2, 2});
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus, Algebra::MaxMul}) {
        const std::vector<TensorRead> operands{narrow, wide},
            repeated{narrow.read().select_view(0, 0).broadcast_view({2, 2, 3}, {1, 2}), wide};
        expect_equal(tropical::einsum(algebra, "...i,...i->...", operands),
                     tropical::einsum(algebra, "abi,abi->ab", repeated));
        const std::vector<Tensor> found =
                                      tropical::einsum_vjp(algebra, "...i,...i->...", operands, cotangent),
                                  expected =
                                      tropical::einsum_vjp(algebra, "abi,abi->ab", repeated, cotangent);
        ASSERT_EQ(found[0].shape(), (Dims{1, 2, 3}));
        for (Index b = 0; b < 2; ++b)
            for (Index i = 0; i < 3; ++i)
                EXPECT_EQ(found[0](0, b, i), expected[0](0, b, i) + expected[0](1, b, i));
        expect_equal(found[1], expected[1]);
    }
}

/// Whatever else is multiplied: the opposite infinity, a NaN, a negative number.
TEST(TropicalEinsum, SumsOfNoTermsAreTheZero) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> signs{HUGE_VAL, nan, -HUGE_VAL}, positive{HUGE_VAL, nan};
    const Tensor none = Tensor::zeros(tenferro::DType::F64, Dims{0}),
                 flat = Tensor::zeros(tenferro::DType::F64, Dims{3, 0}),
                 three = Tensor::from_data<double>(signs, Dims{3}),
                 two = Tensor::from_data<double>(positive, Dims{2}),
                 one = Tensor::from_data<double>({&nan, 1}, Dims{});
    struct Case {
        std::string_view text;
        std::vector<TensorRead> operands;
    };
    const std::vector<Case> cases{{"a,b->b", {none, three}},
                                  {"ba,b->b", {flat, three}},
                                  {"a,->", {none, one}},
                                  {"a,b->", {none, three}},
                                  {"a->", {none}},
                                  {"a,b,c->cb", {none, two, two}},
                                  {"b,a,b->bb", {two, none, two}},
                                  {"b,(da,c)->bc", {two, flat, two}}};
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus, Algebra::MaxMul})
        for (const Case& of : cases) {
            SCOPED_TRACE(of.text);
            const Tensor sum = tropical::einsum(algebra, of.text, of.operands);
            for (Index i = 0; i < sum.size(); ++i)
                EXPECT_EQ(sum.data_as<double>()[i], tropical::zero_of<double>(algebra)) << "element " << i;
            for (const Tensor& gradient : tropical::einsum_vjp(algebra, of.text, of.operands, sum))
                for (Index i = 0; i < gradient.size(); ++i) EXPECT_EQ(gradient.data_as<double>()[i], 0);
        }
}

template <class F>
void expect_refused(const F& f, tenferro::ErrorKind kind, std::string_view message) {
    try {
        f();
        ADD_FAILURE() << "nothing was thrown, expected " << message;
    } catch (const tenferro::Error& error) {
        EXPECT_EQ(info(error.kind()).name, info(kind).name);
        EXPECT_EQ(error.what(), std::string(message));
    }
}

TEST(TropicalEinsum, RefusalsNameOperandPlaceAndNumbers) {
    using enum tenferro::ErrorKind;
    const Tensor signs = Tensor::from_data<double>({1, 2, 3, -1.5, 0, -7}, Dims{2, 3}),
                 other = Tensor::from_data<double>({1, 2, 3, 4, 5, 6}, Dims{3, 2}),
                 integers = Tensor::zeros(tenferro::DType::I64, Dims{3, 2});
    const std::vector<TensorRead> chain{other, signs, other}, mixed{signs, integers}, pair{signs, other};
    const auto run = [](Algebra algebra, std::string_view text, const std::vector<TensorRead>& operands) {
        return [=] { static_cast<void>(tropical::einsum(algebra, text, operands)); };
    };
    expect_refused(
        run(Algebra::MaxMul, "ij,jk,kl->il", chain), InvalidArgument,
        "tropical einsum: operand 1 has -1.5 at [1, 1] but max-mul of three or more operands needs "
        "numbers that are not negative");
    expect_refused(run(Algebra::MaxMul, "ij->i", {integers}), Unsupported,
                   "tropical einsum: max-mul is not defined on i64");
    const tropical::EinsumPlan plan(tenferro::tensor_network::Subscripts::parse("...i,...i->..."),
                                    std::vector<Dims>{{1, 3}, {2, 3}});
    const Tensor matrix = Tensor::zeros(tenferro::DType::F64, Dims{2, 3}),
                 vector = Tensor::zeros(tenferro::DType::F64, Dims{2});
    tenferro::default_engine().backend().with_backend_session([&](BackendSession& session) {
        // The plan has the first axis of the first operand broadcast.
        const std::vector<TensorRead> wide{matrix, matrix};
        expect_refused(
            [&] { static_cast<void>(tropical::einsum_vjp(Algebra::MaxPlus, plan, session, wide, vector)); },
            ShapeMismatch, "tropical einsum: operand 0 axis 0 has extent 2 but its plan axis 0 has extent 1");
    });
}

/// A question is asked while one long product goes on, forward and back; what is told is each step.
TEST(TropicalEinsum, IsWatchedWhileItRuns) {
    using tenferro::CancellationToken;
    constexpr Index kSide = 600;
    std::vector<double> values(kSide * kSide);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * 7919 % 101);
    const Tensor a = Tensor::from_data<double>(values, Dims{kSide, kSide});
    const std::vector<TensorRead> pair{a, a}, chain{a, a, a};
    for (const bool back : {false, true})
        for (const bool long_chain : {false, true})
            for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MaxMul}) {
                const Machine machine(0, 1);
                const auto run = [&](const tropical::RunOptions& options) {
                    const std::string_view text = long_chain ? "ij,jk,kl->il" : "ij,jk->ik";
                    const std::vector<TensorRead>& operands = long_chain ? chain : pair;
                    if (back)
                        static_cast<void>(tropical::einsum_vjp(algebra, text, operands, a, options));
                    else
                        static_cast<void>(tropical::einsum(algebra, text, operands, options));
                };
                std::vector<std::size_t> told;
                const auto watch = [&](std::size_t done, std::size_t total) {
                    told.push_back(done);
                    EXPECT_EQ(total, long_chain ? 2U : 1U);
                };
                const tenferro::tensor_network::Progress progress(watch);
                run({.progress = &progress});
                EXPECT_EQ(told, long_chain ? (std::vector<std::size_t>{0, 1, 2})
                                           : (std::vector<std::size_t>{0, 1}));
                int asked = 0;
                run({.cancellation = CancellationToken::asking([&] { return ++asked < 0; })});
                EXPECT_GE(asked, 8) << "too rarely to end soon";
                int left = asked / 2;
                try {
                    run({.cancellation = CancellationToken::asking([&] { return --left == 0; })});
                    ADD_FAILURE() << "it went on";
                } catch (const tenferro::Error& error) {
                    EXPECT_EQ(info(error.kind()).name, info(tenferro::ErrorKind::Cancelled).name);
                }
            }
}

}  // namespace
