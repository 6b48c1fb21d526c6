// Random operands: reproducible, the same memory for both axis orders, and of the documented size.
#include "cli/random_tensor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "cli/checksum.hpp"

namespace tenferro::cli { namespace {

tensor_network::Network network_of(std::string_view subscripts, std::span<const Dims> shapes) {
    return tensor_network::resolve(tensor_network::Subscripts::parse(subscripts), shapes);
}

TEST(RandomTensor, FirstNumbersAreThoseOfTheDocumentedRule) {
    // SplitMix64 from the published state 1234567 gives 6457827717110365317, 3203168211198807973.
    const std::vector<Dims> shapes{{2}};
    const std::uint64_t seed = 1234567 - (std::uint64_t{1} << 32);
    const auto operands =
        random_operands(network_of("i->i", shapes), shapes, DType::F64, AxisOrder::ColumnMajor, seed);
    const auto expected = [](std::uint64_t r) {
        return (r % 2 == 1 ? -1 : 1) * (0.5 + static_cast<double>(r >> 11) * 0x1p-53);
    };
    const double scale = std::sqrt(12.0 / 13.0);
    EXPECT_DOUBLE_EQ(operands[0].data_as<double>()[0], scale * expected(6457827717110365317U));
    EXPECT_DOUBLE_EQ(operands[0].data_as<double>()[1], scale * expected(3203168211198807973U));
}

TEST(RandomTensor, RowMajorTensorsAreTheReversedColumnMajorOnes) {
    const std::vector<Dims> column{{3, 2, 4}}, row{{4, 2, 3}};
    const auto a =
        random_operands(network_of("ijk->", column), column, DType::F64, AxisOrder::ColumnMajor, 7);
    const auto b = random_operands(network_of("kji->", row), row, DType::F64, AxisOrder::RowMajor, 7);
    EXPECT_EQ(b[0].strides(), (Dims{6, 3, 1}));
    for (Index i = 0; i < a[0].size(); ++i) ASSERT_EQ(a[0].data_as<double>()[i], b[0].data_as<double>()[i]);
}

TEST(RandomTensor, ScalesShareEachSummedLabel) {
    const std::vector<Dims> shapes{{16, 5}, {16, 81}, {81, 16}};
    const auto scales = operand_scales(network_of("ai,ab,ba->i", shapes));
    const double base = std::sqrt(12.0 / 13.0), a = std::pow(16.0, -1.0 / 6), b = std::pow(81.0, -1.0 / 4);
    EXPECT_DOUBLE_EQ(scales[0], base * a);
    EXPECT_DOUBLE_EQ(scales[1], base * a * b);
    EXPECT_DOUBLE_EQ(scales[2], base * a * b);
}

TEST(RandomTensor, EveryDtypeHasMeanSquareOne) {
    const std::vector<Dims> shapes{{20000}};
    const auto network = network_of("i->i", shapes);
    for (const DType dtype : {DType::F32, DType::F64, DType::C32, DType::C64}) {
        const auto operands = random_operands(network, shapes, dtype, AxisOrder::ColumnMajor, 3);
        double squares = 0;
        visit_dtype(dtype, [&]<class T>() {
            for (Index i = 0; i < operands[0].size(); ++i)
                squares += std::norm(static_cast<std::complex<double>>(operands[0].data_as<T>()[i]));
        });
        // The variance of one square is below 0.5; five standard deviations of the mean of 20000.
        EXPECT_NEAR(squares / 20000, 1.0, 5 * std::sqrt(0.5 / 20000)) << info(dtype).name;
        EXPECT_LT(std::abs(checksum(operands[0]).sum), 5 * std::sqrt(20000.0)) << "the signs do not balance";
    }
}

TEST(RandomTensor, ZeroExtents) {
    const std::vector<Dims> shapes{{0, 3}, {3}};
    const auto operands =
        random_operands(network_of("ij,j->", shapes), shapes, DType::F64, AxisOrder::RowMajor, 0);
    EXPECT_EQ(operands[0].size(), 0);
    EXPECT_TRUE(std::isfinite(checksum(operands[1]).absolute));
}

}}  // namespace tenferro::cli
