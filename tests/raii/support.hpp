// What the tests of the RAII layer share: element types, exact comparison, and the error a call throws.
#ifndef TENFERRO_TESTS_RAII_SUPPORT_HPP
#define TENFERRO_TESTS_RAII_SUPPORT_HPP

#include <gtest/gtest.h>

#include <tenferro_raii.hpp>

using ElementTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

template <class T>
std::vector<T> elements(const tfe::Tensor<T>& tensor) {
    return std::vector<T>(tensor.begin(), tensor.end());
}

// Small integers, which all types compute with exactly.
template <class T>
tfe::Tensor<T> counting(const tfe::Shape& shape) {
    std::vector<T> values(tfe::Tensor<T>::zeros(shape).size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(static_cast<float>(i + 1));
    return tfe::Tensor<T>(values, shape);
}

// sum of Re(conj(a) b).
template <class T>
double inner(const tfe::Tensor<T>& a, const tfe::Tensor<T>& b) {
    EXPECT_EQ(a.shape(), b.shape());
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += static_cast<double>(std::real(std::conj(a.data()[i]) * b.data()[i]));
    return sum;
}

template <class Call>
void expect_error(const Call& call, tfe_status_t status, tfe_error_detail_t detail, const char* text) {
    try {
        call();
        FAIL() << "nothing was thrown, expected: " << text;
    } catch (const tfe::Error& error) {
        EXPECT_EQ(error.status(), status);
        EXPECT_EQ(error.detail(), detail);
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
}

#endif
