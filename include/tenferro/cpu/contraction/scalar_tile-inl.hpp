// The micro-kernel for algebras without vector forms, compiled once per instruction set: loops of constant
// length over a tile of elements, which the compiler turns into vectors where it can.
#if defined(TENFERRO_CONTRACTION_SCALAR_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_SCALAR_TILE_INL
#undef TENFERRO_CONTRACTION_SCALAR_TILE_INL
#else
#define TENFERRO_CONTRACTION_SCALAR_TILE_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

template <class Element>
inline constexpr Index kScalarRows = std::clamp<Index>(128 / sizeof(Element), 4, 64);
inline constexpr Index kScalarColumns = 4;

/// A tile on packed operands.
template <class S>
void multiply_scalars(const MicroTile& tile) {
    using Element = typename S::Element;
    constexpr Index kRows = kScalarRows<Element>;
    const Element* panel = static_cast<const Element*>(tile.a);
    Element* c = static_cast<Element*>(tile.c);
    for (Index p = 0; p < tile.panels; ++p, panel += tile.a_panel, c += kRows) {
        Element sum[kRows * kScalarColumns];
        std::fill_n(sum, kRows * kScalarColumns, S::accumulator_identity());
        for (Index s = 0; s < tile.segment_count; ++s) {
            const Element* HWY_RESTRICT a = panel + tile.segments[s].a;
            const Element* HWY_RESTRICT b = static_cast<const Element*>(tile.b) + tile.segments[s].b;
            for (Index k = tile.segments[s].length; k != 0; --k, a += kRows, b += kScalarColumns) {
                TENFERRO_ROLLED
                for (Index j = 0; j < kScalarColumns; ++j) {
                    const Element factor = b[j];
                    Element* column = sum + j * kRows;
                    TENFERRO_ROLLED
                    for (Index i = 0; i < kRows; ++i) column[i] = S::mac(column[i], a[i], factor);
                }
            }
        }
        scatter_tile<S>(tile, c, sum, kRows);
        finish_tile<S>(tile, c);
    }
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
