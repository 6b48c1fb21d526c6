// SplitMix64 (Steele, Lea and Flood 2014) and the scaling rule.
#include "cli/random_tensor.hpp"

#include <cmath>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor_core/row_major.hpp"

namespace tenferro::cli {
namespace {

constexpr std::string_view kOp = "random_operands";

class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t state) : state_(state) {}
    std::uint64_t operator()() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

private:
    std::uint64_t state_;
};

double draw(SplitMix64& random, double scale) {
    const std::uint64_t r = random();
    const double magnitude = 0.5 + static_cast<double>(r >> 11) * 0x1p-53;
    return (r & 1U ? -magnitude : magnitude) * scale;
}

template <class T>
void fill(std::byte* memory, Index count, SplitMix64 random, double scale) {
    T* data = reinterpret_cast<T*>(memory);
    for (Index i = 0; i < count; ++i) data[i] = static_cast<T>(draw(random, scale));
}

/// Fills in memory order, complex numbers as pairs of reals.
Tensor random_tensor(const Dims& shape, DType dtype, AxisOrder order, SplitMix64 random, double scale) {
    const bool is_complex = info(dtype).is_complex, is_single = dtype == DType::F32 || dtype == DType::C32;
    const auto bytes = checked_mul(element_count(shape, kOp), static_cast<Index>(info(dtype).bytes));
    if (!bytes)
        throw Error(ErrorKind::InvalidArgument, kOp,
                    text("the size in bytes of shape ", list_text(shape), " overflows"));
    Buffer buffer = allocate_buffer(static_cast<std::size_t>(*bytes), kOp);
    std::byte* data = buffer.data();
    if (is_complex) scale *= std::sqrt(0.5);
    if (is_single)
        fill<float>(data, *bytes / static_cast<Index>(sizeof(float)), random, scale);
    else
        fill<double>(data, *bytes / static_cast<Index>(sizeof(double)), random, scale);
    Dims strides = order == AxisOrder::ColumnMajor ? column_major_strides(shape) : row_major_strides(shape);
    return {std::move(buffer), dtype, data, shape, std::move(strides)};
}

}  // namespace

std::vector<double> operand_scales(const tensor_network::Network& network) {
    std::vector<int> appearances(network.extents.size(), 0);
    for (const auto& labels : network.inputs)
        for (const int label : labels) ++appearances[label];
    for (const int label : network.output) appearances[label] = 0;  // not summed

    std::vector<double> scales;
    for (const auto& labels : network.inputs) {
        double log_scale = 0.5 * std::log(12.0 / 13.0);
        for (const int label : labels)
            if (appearances[label] > 0 && network.extents[label] > 0)
                log_scale -= std::log(static_cast<double>(network.extents[label])) / (2 * appearances[label]);
        scales.push_back(std::exp(log_scale));
    }
    return scales;
}

std::vector<Tensor> random_operands(const tensor_network::Network& network, std::span<const Dims> shapes,
                                    DType dtype, AxisOrder order, std::uint64_t seed) {
    if (!info(dtype).is_float && !info(dtype).is_complex)
        throw Error(ErrorKind::Unsupported, kOp, text("dtype ", info(dtype).name, " has no random tensors"));
    const std::vector<double> scales = operand_scales(network);
    std::vector<Tensor> operands;
    for (std::size_t k = 0; k < shapes.size(); ++k)
        operands.push_back(random_tensor(shapes[k], dtype, order,
                                         SplitMix64(seed + (static_cast<std::uint64_t>(k + 1) << 32)),
                                         scales[k]));
    return operands;
}

}  // namespace tenferro::cli
