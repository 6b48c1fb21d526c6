// Printed tensors. The texts are those of NumPy's print for the same array (the values here are
// column-major).
#include "tenferro/tensor/print.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "support/not_finite.hpp"
#include "tenferro/tensor/creation.hpp"

namespace tenferro { namespace {

using test::kInf;
using test::kNaN;

using SingleComplex = std::complex<float>;
using Complex = std::complex<double>;

template <Scalar T>
std::string printed(std::initializer_list<T> values, DimsView shape) {
    std::ostringstream out;
    out << Tensor::from_data<T>(values, shape);
    return out.str();
}

TEST(Print, Numbers) {
    EXPECT_EQ(printed<double>({1, 2, 3, 4}, {2, 2}), "[[1. 3.]\n [2. 4.]]");
    EXPECT_EQ(printed<double>({0.5, -1.25, 100}, {3}), "[  0.5   -1.25 100.  ]");
    EXPECT_EQ(printed<double>({0.1234567891, 1}, {2}), "[0.12345679 1.        ]");
    EXPECT_EQ(printed<double>({1e-5, 1.5e10}, {2}), "[1.0e-05 1.5e+10]");
    EXPECT_EQ(printed<double>({1e100, 1e-5, 0}, {3}), "[1.e+100 1.e-005 0.e+000]");
    EXPECT_EQ(printed<double>({1, kNaN, -kInf}, {3}), "[  1.  nan -inf]");
    EXPECT_EQ(printed<double>({-0.0, 0.0}, {2}), "[-0.  0.]");
    EXPECT_EQ(printed<float>({0.1f, 1e-4f}, {2}), "[1.e-01 1.e-04]");
    EXPECT_EQ(printed<float>({0.1f, 0.7f}, {2}), "[0.1 0.7]");
    EXPECT_EQ(printed<std::int32_t>({1, -20, 300}, {3}), "[  1 -20 300]");
    EXPECT_EQ(printed<bool>({true, false}, {2}), "[ True False]");
    EXPECT_EQ(printed<Complex>({Complex(1, 2), Complex(3.5, -1)}, {2}), "[1. +2.j 3.5-1.j]");
    EXPECT_EQ(printed<SingleComplex>({SingleComplex(0, 0.25f), SingleComplex(-1, 10)}, {2}),
              "[ 0. +0.25j -1.+10.j  ]");
}

TEST(Print, LoneNumbers) {
    EXPECT_EQ(to_string(scalar(1.0)), "1.0");
    EXPECT_EQ(to_string(scalar(0.1)), "0.1");
    EXPECT_EQ(to_string(scalar(1e16)), "1e+16");
    EXPECT_EQ(to_string(scalar(1e-5)), "1e-05");
    EXPECT_EQ(to_string(scalar(-7)), "-7");
    EXPECT_EQ(to_string(scalar(Complex(1, -2.5))), "(1-2.5j)");
    EXPECT_EQ(to_string(scalar(Complex(0, 1))), "1j");
    EXPECT_EQ(to_string(scalar(true)), "True");
}

TEST(Print, Brackets) {
    EXPECT_EQ(printed<std::int32_t>({0, 1, 2, 3, 4, 5, 6, 7}, {2, 2, 2}),
              "[[[0 4]\n  [2 6]]\n\n [[1 5]\n  [3 7]]]");
    EXPECT_EQ(to_string(arange(30.)),
              "[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n"
              " 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29.]");
    const Tensor a = arange(6);
    EXPECT_EQ(to_string(a.read().reshape_view({3, 2}).transpose_view({1, 0}).reverse_view({1})),
              "[[2 1 0]\n [5 4 3]]");
}

TEST(Print, AbridgesAboveAThousandElements) {
    EXPECT_EQ(to_string(arange(1001)), "[   0    1    2 ...  998  999 1000]");
    const Tensor matrix = arange(1200);
    EXPECT_EQ(to_string(matrix.read().reshape_view({40, 30})),
              "[[   0   40   80 ... 1080 1120 1160]\n"
              " [   1   41   81 ... 1081 1121 1161]\n"
              " [   2   42   82 ... 1082 1122 1162]\n"
              " ...\n"
              " [  37   77  117 ... 1117 1157 1197]\n"
              " [  38   78  118 ... 1118 1158 1198]\n"
              " [  39   79  119 ... 1119 1159 1199]]");
}

TEST(Print, IsBoundedWhateverTheShape) {
    EXPECT_EQ(to_string(Tensor::zeros(DType::F64, {0})), "[]");
    EXPECT_EQ(to_string(Tensor::zeros(DType::F64, {Index{1} << 62, 0, Index{1} << 62})), "[]");
    const float one = 1;
    const TensorRead endless(DType::F32, &one, Dims(30, 2), Dims(30, 0));  // 2^30 elements
    EXPECT_LT(to_string(endless).size(), 20000u);
    const TensorRead wide(DType::F32, &one, Dims(30, Index{4}), Dims(30, 0));  // 2^60
    EXPECT_LT(to_string(wide).size(), 20000u);
    EXPECT_EQ(to_string(ones(DType::F32, Dims(2000, 1))), "(f32 of rank 2000 on cpu:0)");
    EXPECT_EQ(to_string(ones(DType::F32, Dims(30, 1))), std::string(30, '[') + "1." + std::string(30, ']'));
    Tensor a = arange(3);
    const Tensor b = std::move(a);
    EXPECT_EQ(to_string(a), "(a tensor that was moved from)");  // NOLINT(bugprone-use-after-move)
    const TensorRead far(DType::F64, nullptr, {2, 3}, {1, 2}, {MemorySpace::GpuMemory, 1});
    EXPECT_EQ(to_string(far), "(f64 of shape [2, 3] on cuda:1)");
}

}}  // namespace tenferro
