// Copies and zeros, which know elements only by their width.
#include "cpu/kernels/elementwise.hpp"

#include <cstring>

#include "cpu/kernels/strided_map.hpp"

namespace tenferro::inline TENFERRO_ABI::cpu {

namespace {

/// A plain word of each element width: copies need no arithmetic type.
template <std::size_t Bytes>
struct Word {
    alignas(Bytes > 8 ? 8 : Bytes) unsigned char bytes[Bytes];
};

template <std::size_t Bytes>
void copy_words(const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    map<Word<Bytes>>(a, out, context, [](Word<Bytes> w) { return w; });
}

}  // namespace

void copy(const TensorRead& a, const TensorWrite& out, CpuContext& context) {
    if (out.size() == 0) return;
    switch (info(out.dtype()).bytes) {
        case 1: return copy_words<1>(a, out, context);
        case 4: return copy_words<4>(a, out, context);
        case 8: return copy_words<8>(a, out, context);
        default: return copy_words<16>(a, out, context);
    }
}

void fill_zero(const TensorWrite& out, CpuContext& context) {
    const Index size = out.size();
    if (size == 0) return;
    if (out.is_compact()) {
        std::memset(out.data(), 0, static_cast<std::size_t>(size) * info(out.dtype()).bytes);
        return;
    }
    constexpr unsigned char zero[16] = {};
    copy(TensorRead(out.dtype(), zero, out.shape(), Dims(out.rank(), 0)), out, context);
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu
