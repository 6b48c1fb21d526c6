// The pair algebras against all assignments: optima with their number, the k best, sums of exponentials.
#include "tenferro_ext_tropical/pairs.hpp"

#include <gtest/gtest.h>

#include <random>

#include "oracle.hpp"

namespace {

using namespace oracle;
using tenferro::Tensor;
using tenferro::TensorRead;
using tropical::Best;
using tropical::Counted;
using tropical::LogSumExp;

/// A ring of four matrices with an open leg: enough terms for ties.
const Strings kRing{{"iaj", "jk", "kl", "li"}, "a"};

/// All terms of every element of the result.
std::vector<std::vector<double>> terms_of(const std::vector<Array<double>>& operands, Index extent,
                                          Index open) {
    std::vector<std::vector<double>> terms(static_cast<std::size_t>(open));
    for (Index a = 0; a < open; ++a)
        for (Index i = 0; i < extent; ++i)
            for (Index j = 0; j < extent; ++j)
                for (Index k = 0; k < extent; ++k)
                    for (Index l = 0; l < extent; ++l)
                        terms[static_cast<std::size_t>(a)].push_back(
                            operands[0].data[static_cast<std::size_t>(i + extent * (a + open * j))] +
                            operands[1].data[static_cast<std::size_t>(j + extent * k)] +
                            operands[2].data[static_cast<std::size_t>(k + extent * l)] +
                            operands[3].data[static_cast<std::size_t>(l + extent * i)]);
    for (auto& of_element : terms) std::sort(of_element.rbegin(), of_element.rend());
    return terms;
}

class Pairs : public testing::Test {
protected:
    static constexpr Index kExtent = 4, kOpen = 5;

    Pairs() {
        std::mt19937_64 bits(seed_ = std::random_device{}());
        for (const std::string& labels : kRing.inputs) {
            Array<double> array;
            for (const char label : labels) array.shape.push_back(label == 'a' ? kOpen : kExtent);
            for (Index i = 0; i < array.size(); ++i)
                array.data.push_back(bits() % 9 == 0 ? -HUGE_VAL : static_cast<double>(bits() % 5));
            operands_.push_back(std::move(array));
        }
        terms_ = terms_of(operands_, kExtent, kOpen);
    }

    template <class Element, class Make>
    Tensor run(const Make& make) const {
        std::vector<Tensor> tensors;
        std::vector<TensorRead> views;
        for (const Array<double>& operand : operands_) {
            std::vector<Element> elements;
            for (const double value : operand.data) elements.push_back(make(value));
            tensors.push_back(Tensor::from_data<Element>(elements, operand.shape));
        }
        for (const Tensor& tensor : tensors) views.emplace_back(tensor);
        return tropical::einsum<Element>(kRing.text(), views);
    }

    unsigned seed_;
    std::vector<Array<double>> operands_;
    std::vector<std::vector<double>> terms_;
};

TEST_F(Pairs, CountOptima) {
    SCOPED_TRACE(seed_);
    const Tensor result = run<Counted>([](double value) {
        return Counted{value, value == -HUGE_VAL ? 0.0 : 1.0};
    });
    for (std::size_t a = 0; a < kOpen; ++a) {
        const double best = terms_[a][0];
        const auto count = std::count(terms_[a].begin(), terms_[a].end(), best);
        EXPECT_EQ(result.data_as<Counted>()[a].value, best);
        EXPECT_EQ(result.data_as<Counted>()[a].count, best == -HUGE_VAL ? 0.0 : static_cast<double>(count));
    }
}

TEST_F(Pairs, CountNothingWhereATermIsNaN) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const std::size_t at : {0U, 1U, 2U}) {
        std::vector<Counted> terms{{1, 1}, {2, 1}, {2, 3}};
        terms[at].value = nan;
        const Tensor x = Tensor::from_data<Counted>(std::span<const Counted>(terms), Dims{3});
        const Tensor sum = tropical::einsum<Counted>("i->", std::vector<TensorRead>{x});
        EXPECT_TRUE(std::isnan(sum.data_as<Counted>()[0].value)) << at;
        EXPECT_EQ(sum.data_as<Counted>()[0].count, 0) << at;
    }
}

template <class T, std::size_t k>
Best<T, k> single(double value) {
    Best<T, k> best;
    best.values[0] = static_cast<T>(value);
    return best;
}

TEST_F(Pairs, KeepTheBest) {
    SCOPED_TRACE(seed_);
    const Tensor two = run<Best<double, 2>>(single<double, 2>), four = run<Best<float, 4>>(single<float, 4>);
    for (std::size_t a = 0; a < kOpen; ++a) {
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_EQ((two.data_as<Best<double, 2>>()[a].values[i]), terms_[a][i]);
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ((four.data_as<Best<float, 4>>()[a].values[i]), static_cast<float>(terms_[a][i]));
    }
}

TEST_F(Pairs, SumExponentials) {
    SCOPED_TRACE(seed_);
    const Tensor result = run<LogSumExp>([](double value) { return LogSumExp{value}; });
    for (std::size_t a = 0; a < kOpen; ++a) {
        double sum = 0;
        for (const double term : terms_[a]) sum += std::exp(term);
        // A rounding per sum along the tree, of numbers up to the result.
        const double bound = 64 * std::numeric_limits<double>::epsilon() * (1 + std::abs(std::log(sum)));
        EXPECT_NEAR(result.data_as<LogSumExp>()[a].value, std::log(sum), bound);
    }
}

template <class Element>
bool is_zero(const Tensor& result) {
    const auto* const data = result.data_as<Element>();
    return result.size() > 0 &&
           std::all_of(data, data + result.size(), [](const Element& x) { return x == Element(); });
}

/// The sum of no terms is the zero, whatever else is multiplied.
template <class Element>
void sum_no_terms(const std::vector<Element>& others) {
    const Tensor none = Tensor::from_data<Element>(std::span<const Element>(), Dims{0}),
                 some = Tensor::from_data<Element>(others, Dims{static_cast<Index>(others.size())});
    EXPECT_TRUE(is_zero<Element>(tropical::einsum<Element>("a,b->b", std::vector<TensorRead>{none, some})));
    EXPECT_TRUE(
        is_zero<Element>(tropical::einsum<Element>("b,a,b->", std::vector<TensorRead>{some, none, some})));
    const Tensor wrong = Tensor::zeros(tenferro::DType::F32, Dims{0});
    EXPECT_THROW(static_cast<void>(tropical::einsum<Element>("a->", std::vector<TensorRead>{wrong})),
                 tenferro::Error);
}

TEST_F(Pairs, SumNoTermsToTheZero) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    sum_no_terms<Counted>({{HUGE_VAL, 1}, {nan, 0}, {1, 2}});
    sum_no_terms<LogSumExp>({{HUGE_VAL}, {nan}, {1}});
    sum_no_terms<Best<double, 2>>({single<double, 2>(1), single<double, 2>(HUGE_VAL)});
    sum_no_terms<Best<float, 4>>({single<float, 4>(1), single<float, 4>(HUGE_VAL)});
}

}  // namespace
