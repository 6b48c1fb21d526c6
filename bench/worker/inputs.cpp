// The counter rule.
#include "bench/worker/inputs.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::bench {
namespace {

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

template <class T>
void fill(void* memory, Index count, const OperandRule& rule) {
    T* data = static_cast<T*>(memory);
    std::uint64_t counter = static_cast<std::uint64_t>(rule.number + 1) << 32;
    for (Index i = 0; i < count; ++i) {
        const std::uint64_t z = mix(counter += 0x9e3779b97f4a7c15U);
        const double magnitude = rule.scale * (0.5 + static_cast<double>(z >> 11) * 0x1p-53);
        data[i] = static_cast<T>(rule.is_signed && (z & 1U) != 0 ? -magnitude : magnitude);
    }
}

}  // namespace

Tensor make_operand(DType dtype, const Dims& shape, const Dims& strides, const OperandRule& rule) {
    const Index count = element_count(shape, "make_operand");
    Buffer buffer = allocate_buffer(static_cast<std::size_t>(count) * info(dtype).bytes);
    void* data = buffer.data();
    const Index numbers = info(dtype).is_complex ? 2 * count : count;
    if (dtype == DType::F64 || dtype == DType::C64)
        fill<double>(data, numbers, rule);
    else if (dtype == DType::F32 || dtype == DType::C32)
        fill<float>(data, numbers, rule);
    else if (dtype == DType::I64)
        fill<std::int64_t>(data, numbers, rule);
    else if (dtype == DType::I32)
        fill<std::int32_t>(data, numbers, rule);
    else
        throw Error(ErrorKind::Unsupported, "make_operand", text("dtype ", info(dtype).name, " has no rule"));
    return {std::move(buffer), dtype, data, shape, strides};
}

Tensor make_operand(DType dtype, const Dims& shape, const OperandRule& rule) {
    return make_operand(dtype, shape, column_major_strides(shape), rule);
}

DType dtype_of(const Json& row) {
    const auto name = row.at("dtype").get<std::string>();
    for (const DTypeInfo& entry : kDTypes)
        if (entry.name == name) return entry.dtype;
    throw Error(ErrorKind::Unsupported, "dtype_of", text("dtype '", name, "' does not exist"));
}

Dims dims_of(const Json& list) {
    Dims dims;
    for (const Json& item : list) dims.push_back(item.get<Index>());
    return dims;
}

}  // namespace tenferro::bench
