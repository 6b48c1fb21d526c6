// Drawing, converting and comparing values.
#include "testing/value.hpp"

#include <cmath>
#include <locale>
#include <sstream>

#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace gradcheck {

namespace {

constexpr Index kGrid = Index{1} << 16;

/// Uniform in [0, high].
Index integer(std::mt19937_64& random, Index high) {
    return static_cast<Index>(random() % static_cast<std::uint64_t>(high + 1));
}

double fraction(std::mt19937_64& random) {
    return static_cast<double>(integer(random, kGrid)) / static_cast<double>(kGrid);
}

Dims permutation(std::mt19937_64& random, std::size_t count) {
    Dims order;
    for (std::size_t i = 0; i < count; ++i)
        order.insert(static_cast<std::size_t>(integer(random, static_cast<Index>(i))), static_cast<Index>(i));
    return order;
}

double part(std::mt19937_64& random, const Domain& domain) {
    const double magnitude = domain.low + (domain.high - domain.low) * fraction(random);
    return static_cast<float>(domain.signs && integer(random, 1) == 0 ? -magnitude : magnitude);
}

std::vector<double> parts(std::mt19937_64& random, std::size_t count, const Domain& domain) {
    std::vector<double> result;
    const Dims order = permutation(random, domain.distinct ? count : 0);
    const double room = (domain.high - domain.low) / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i)
        result.push_back(domain.distinct
                             ? static_cast<float>(domain.low + room * (static_cast<double>(order[i]) + 0.1 +
                                                                       0.8 * fraction(random)))
                             : part(random, domain));
    return result;
}

}  // namespace

Value drawn(std::mt19937_64& random, DType dtype, const Dims& shape, const Domain& domain) {
    Value value{dtype, shape, {}};
    const auto count = static_cast<std::size_t>(element_count(shape, "drawn"));
    // Parts of complex elements stay small and off the axes, where branch cuts are.
    const Domain used = info(dtype).is_complex && domain.low > 0 ? Domain{0.3, 0.8, true, false} : domain;
    const std::vector<double> re = parts(random, count, used);
    const std::vector<double> im =
        info(dtype).is_complex ? parts(random, count, used) : std::vector<double>(count, 0.0);
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

std::string difference_text(const Value& actual, const Value& expected, double tolerance) {
    std::ostringstream text;
    text.imbue(std::locale::classic());
    if (actual.shape != expected.shape) {
        text << "shape " << list_text(actual.shape) << ", not " << list_text(expected.shape);
        return text.str();
    }
    for (std::size_t i = 0; i < expected.elements.size(); ++i)
        if (!(std::abs(actual.elements[i] - expected.elements[i]) <= tolerance)) {
            text << "element " << i << " is " << actual.elements[i] << ", not " << expected.elements[i]
                 << " within " << tolerance;
            break;
        }
    return text.str();
}

}}}  // namespace tenferro::TENFERRO_ABI::gradcheck
