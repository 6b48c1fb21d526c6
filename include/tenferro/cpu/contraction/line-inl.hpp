// Rows of C without packing, compiled once per instruction set: what is left when there is too little work
// per element for tiles. K runs outside, so that the inner loop is one over elements of C.
#if defined(TENFERRO_CONTRACTION_LINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_LINE_INL
#undef TENFERRO_CONTRACTION_LINE_INL
#else
#define TENFERRO_CONTRACTION_LINE_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {

inline constexpr Index kLineChunk = 256;  ///< elements of C at a time
inline constexpr Index kShortLine = 8;    ///< below this K runs inside

template <class S>
HWY_INLINE typename S::Element finished(typename S::Element x) {
    if constexpr (FinishingSemiring<S>)
        return S::finish(x);
    else
        return x;
}

/// totals[i] = mac(totals[i], a[i * a_row], b[i * b_row])
template <class S>
void add_products(const Line& line, const typename S::Element* HWY_RESTRICT a,
                  const typename S::Element* HWY_RESTRICT b, typename S::Element* HWY_RESTRICT totals,
                  Index count) {
    const Index a_row = line.a_row, b_row = line.b_row;
    if (a_row == 1 && b_row == 1) {
        for (Index i = 0; i < count; ++i) totals[i] = S::mac(totals[i], a[i], b[i]);
    } else if (a_row == 1 && b_row == 0) {
        const auto factor = *b;
        for (Index i = 0; i < count; ++i) totals[i] = S::mac(totals[i], a[i], factor);
    } else if (a_row == 0 && b_row == 1) {
        const auto factor = *a;
        for (Index i = 0; i < count; ++i) totals[i] = S::mac(totals[i], factor, b[i]);
    } else {
        for (Index i = 0; i < count; ++i) totals[i] = S::mac(totals[i], a[i * a_row], b[i * b_row]);
    }
}

/// Calls f(a, b) with the operands of element `row` of C for each k in order, until it returns false.
template <class Element, class F>
HWY_INLINE void for_each_product(const Line& line, Index row, F&& f) {
    const Element* a = static_cast<const Element*>(line.a) + row * line.a_row;
    const Element* b = static_cast<const Element*>(line.b) + row * line.b_row;
    for (Index s = 0; s < line.segment_count; ++s)
        for (Index k = 0; k < line.segments[s].length; ++k)
            if (!f(a[line.segments[s].a + k * line.a_step], b[line.segments[s].b + k * line.b_step])) return;
}

template <class S>
void multiply_chunk(const Line& line, Index first, Index count) {
    using Element = typename S::Element;
    Element totals[kLineChunk];
    std::fill_n(totals, count, S::accumulator_identity());
    for (Index s = 0; s < line.segment_count; ++s) {
        const Element* a = static_cast<const Element*>(line.a) + line.segments[s].a + first * line.a_row;
        const Element* b = static_cast<const Element*>(line.b) + line.segments[s].b + first * line.b_row;
        for (Index k = line.segments[s].length; k != 0; --k, a += line.a_step, b += line.b_step)
            add_products<S>(line, a, b, totals, count);
    }
    Element* c = static_cast<Element*>(line.c) + first * line.c_row;
    for (Index i = 0; i < count; ++i) c[i * line.c_row] = finished<S>(totals[i]);
}

template <class S>
void multiply_line(const Line& line) {
    using Element = typename S::Element;
    Element* c = static_cast<Element*>(line.c);
    if (line.segment_count == 0) {
        for (Index i = 0; i < line.count; ++i) c[i * line.c_row] = S::zero();
    } else if (line.count < kShortLine) {
        for (Index i = 0; i < line.count; ++i) {
            Element total = S::accumulator_identity();
            for_each_product<Element>(line, i, [&total](const Element& a, const Element& b) HWY_ATTR {
                total = S::mac(total, a, b);
                return true;
            });
            c[i * line.c_row] = finished<S>(total);
        }
    } else {
        for (Index i = 0; i < line.count; i += kLineChunk)
            multiply_chunk<S>(line, i, std::min(kLineChunk, line.count - i));
    }
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
