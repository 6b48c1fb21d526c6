// Values and gradients of drawn einsums against the oracle, on every algebra and dtype: repeated labels,
// labels of one operand, extents of 0, ties, zeros, any strides, one and two threads.
#include "tenferro_ext_tropical/einsum.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <tenferro/api/engine.hpp>
#include <tenferro/tensor/typed_tensor.hpp>

#include "oracle.hpp"

namespace {

using namespace oracle;
using tenferro::Tensor;
using tenferro::TensorRead;

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
    expect_same(tropical::einsum(algebra, strings.text(), views), expected.result, "result");
    const std::vector<Tensor> gradients = tropical::einsum_vjp(algebra, strings.text(), views, pulled.view());
    ASSERT_EQ(gradients.size(), operands.size());
    for (std::size_t k = 0; k < operands.size(); ++k)
        expect_same(gradients[k], expected.gradients[k], "gradient " + std::to_string(k));
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

/// Long sums, where winners are found in two levels.
template <class T>
void check_long(Algebra algebra) {
    const Strings strings[] = {{{"ik", "kj"}, "ij"}, {{"kib", "jbk"}, "jib"}, {{"kil", "jlk"}, "ij"}};
    const Index sizes[][5] = {{70, 66, 300, 1, 1}, {130, 64, 257, 1, 2}, {64, 129, 24, 13, 1}};  // i j k l b
    const unsigned seed_drawn = seed();
    Draws draw(seed_drawn);
    for (int i = 0; i < 3; ++i) {
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

/// A plan under a memory limit runs in slices, whose sum is the algebra's.
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
            values.push_back(static_cast<double>(draw(-99, 99)));
        tensors.push_back(Tensor::from_data<double>(values, shape));
    }
    for (const Tensor& tensor : tensors) views.emplace_back(tensor);
    const auto subscripts = tenferro::tensor_network::Subscripts::parse("abc,ade,bdf,cgh,egi,fhi->a");
    const tropical::EinsumPlan whole(subscripts, shapes),
        sliced(subscripts, shapes, {.memory_limit_bytes = 20000});
    ASSERT_FALSE(sliced.sliced_labels().empty());
    tenferro::default_engine().backend().with_backend_session([&](tenferro::BackendSession& session) {
        for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MinPlus}) {
            const Tensor a = tropical::einsum(algebra, whole, session, views),
                         b = tropical::einsum(algebra, sliced, session, views);
            for (Index i = 0; i < kExtent; ++i) EXPECT_EQ(a(i), b(i));
        }
    });
}

}  // namespace
