// One operation as a run of strips: loaded, computed and stored past the caches.
#include "cpu/kernels/elementwise/strips.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

template <StripOp op, DType dtype>
void stream_line_of(void* out, const void* const* in, Index count) {
    constexpr bool kUnary = op == StripOp::Neg || op == StripOp::Abs || op == StripOp::Sqrt;
    static constexpr std::array<StripStep, 3> kSteps{{{StripOp::Load, 1}, {op, 2}, {StripOp::Stream, 0}}};
    const auto read_only = [in](std::size_t k) {
        return const_cast<std::byte*>(static_cast<const std::byte*>(in[k]));
    };
    std::byte* const lines[] = {static_cast<std::byte*>(out), read_only(0), read_only(kUnary ? 0 : 1)};
    strip_function(dtype)(kSteps, lines, count);
}

template <StripOp op>
LineFunction streaming_line_of(DType dtype) {
    switch (dtype) {
        case DType::F32: return stream_line_of<op, DType::F32>;
        case DType::F64: return stream_line_of<op, DType::F64>;
        case DType::C32: return stream_line_of<op, DType::C32>;
        case DType::C64: return stream_line_of<op, DType::C64>;
        default: return nullptr;
    }
}

}  // namespace

LineFunction streaming_strips(OpId op, DType dtype) {
    const auto strip = strip_op(op, dtype);
    if (!strip) return nullptr;
    switch (*strip) {
        case StripOp::Add: return streaming_line_of<StripOp::Add>(dtype);
        case StripOp::Sub: return streaming_line_of<StripOp::Sub>(dtype);
        case StripOp::Mul: return streaming_line_of<StripOp::Mul>(dtype);
        case StripOp::Div: return streaming_line_of<StripOp::Div>(dtype);
        case StripOp::Maximum: return streaming_line_of<StripOp::Maximum>(dtype);
        case StripOp::Minimum: return streaming_line_of<StripOp::Minimum>(dtype);
        case StripOp::Neg: return streaming_line_of<StripOp::Neg>(dtype);
        case StripOp::Abs: return streaming_line_of<StripOp::Abs>(dtype);
        case StripOp::Sqrt: return streaming_line_of<StripOp::Sqrt>(dtype);
        default: return nullptr;
    }
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
