// Drawing, converting and comparing values.
#include "ad/value.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tenferro::ad {

namespace {

constexpr Index kGrid = Index{1} << 16;

double fraction(test::Draw& draw) {
    return static_cast<double>(draw.integer(0, kGrid)) / static_cast<double>(kGrid);
}

double part(test::Draw& draw, const Domain& domain) {
    const double magnitude = domain.low + (domain.high - domain.low) * fraction(draw);
    return static_cast<float>(domain.signs && draw.integer(0, 1) == 0 ? -magnitude : magnitude);
}

std::vector<double> parts(test::Draw& draw, std::size_t count, const Domain& domain) {
    std::vector<double> result;
    const Dims order = draw.permutation(domain.distinct ? count : 0);
    const double room = (domain.high - domain.low) / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i)
        result.push_back(domain.distinct
                             ? static_cast<float>(domain.low + room * (static_cast<double>(order[i]) + 0.1 +
                                                                       0.8 * fraction(draw)))
                             : part(draw, domain));
    return result;
}

}  // namespace

Value drawn(test::Draw& draw, DType dtype, const Dims& shape, const Domain& domain) {
    Value value{dtype, shape, {}};
    const auto count = static_cast<std::size_t>(element_count(shape, "drawn"));
    // Parts of complex elements stay small and off the axes, where branch cuts are.
    const Domain used = info(dtype).is_complex && domain.low > 0 ? Domain{0.3, 0.8, true, false} : domain;
    const std::vector<double> re = parts(draw, count, used);
    const std::vector<double> im =
        info(dtype).is_complex ? parts(draw, count, used) : std::vector<double>(count, 0.0);
    for (std::size_t i = 0; i < count; ++i)
        value.elements.emplace_back(dtype == DType::Bool ? re[i] > 0 : re[i], im[i]);
    return value;
}

Tensor to_tensor(const Value& value) {
    Tensor tensor = Tensor::zeros(value.dtype, value.shape);
    visit_dtype(value.dtype, [&]<class T> {
        T* data = tensor.write().data_as<T>();
        for (std::size_t i = 0; i < value.elements.size(); ++i) {
            if constexpr (info(storage_dtype<T>).is_complex)
                data[i] = T(value.elements[i]);
            else
                data[i] = static_cast<T>(value.elements[i].real());
        }
    });
    return tensor;
}

Value to_value(const Tensor& tensor) {
    Value value{tensor.dtype(), tensor.shape(), {}};
    visit_dtype(tensor.dtype(), [&]<class T> {
        for (Index i = 0; i < tensor.size(); ++i) {
            const T element = tensor.data_as<T>()[i];
            if constexpr (info(storage_dtype<T>).is_complex)
                value.elements.emplace_back(element.real(), element.imag());
            else
                value.elements.emplace_back(static_cast<double>(element));
        }
    });
    return value;
}

Value moved(const Value& a, double factor, const Value& b) {
    Value result = a;
    for (std::size_t i = 0; i < a.elements.size(); ++i) result.elements[i] += factor * b.elements[i];
    return result;
}

double inner(const Value& a, const Value& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.elements.size(); ++i)
        sum += (std::conj(a.elements[i]) * b.elements[i]).real();
    return sum;
}

double norm(const Value& a) { return std::sqrt(inner(a, a)); }

double largest(std::span<const Value> values) {
    double most = 0;
    for (const Value& value : values)
        for (const std::complex<double>& element : value.elements) most = std::max(most, std::abs(element));
    return most;
}

void expect_close(const Value& actual, const Value& expected, double tolerance, const char* what) {
    ASSERT_EQ(actual.shape, expected.shape) << what;
    for (std::size_t i = 0; i < expected.elements.size(); ++i)
        ASSERT_LE(std::abs(actual.elements[i] - expected.elements[i]), tolerance)
            << what << ": element " << i << " is " << actual.elements[i] << ", not " << expected.elements[i];
}

}  // namespace tenferro::ad
