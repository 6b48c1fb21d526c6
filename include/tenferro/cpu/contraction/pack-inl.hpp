// Packing of micro-panels, compiled once per instruction set: element (line, k) of the source goes to panel[k * kWidth +
// line]. Complex panels of A are planar: kWidth real parts, then kWidth imaginary parts.
#if defined(TENFERRO_CONTRACTION_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_PACK_INL
#undef TENFERRO_CONTRACTION_PACK_INL
#else
#define TENFERRO_CONTRACTION_PACK_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Where element (line, k) goes in a panel of kWidth lines.
template <class T, int kWidth, bool kPlanar>
struct PanelWriter {
    static HWY_INLINE void put(T* panel, Index k, Index line, T value) {
        if constexpr (kPlanar) {
            auto* parts = reinterpret_cast<typename T::value_type*>(panel + k * kWidth);
            const auto* value_parts = reinterpret_cast<const typename T::value_type*>(&value);
            parts[line] = value_parts[0];
            parts[kWidth + line] = value_parts[1];
        } else {
            panel[k * kWidth + line] = value;
        }
    }
};

HWY_INLINE bool lines_are_adjacent(const PanelSource& source) {
    for (Index i = 1; i < source.line_count; ++i)
        if (source.lines[i] != source.lines[0] + i) return false;
    return true;
}

/// Adjacent lines: each k is one run of the source.
template <class T, int kWidth, bool kPlanar>
void pack_runs(const PanelSource& source, const T* HWY_RESTRICT data, Index length, T* HWY_RESTRICT panel) {
    using Writer = PanelWriter<T, kWidth, kPlanar>;
    if (source.line_count == kWidth) {
        for (Index k = 0; k < length; ++k, data += source.step)
            for (Index i = 0; i < kWidth; ++i) Writer::put(panel, k, i, data[i]);
        return;
    }
    for (Index k = 0; k < length; ++k, data += source.step)
        for (Index i = 0; i < source.line_count; ++i) Writer::put(panel, k, i, data[i]);
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
inline constexpr Index kDoubleTile = 4;
#else
inline constexpr Index kDoubleTile = 2;
#endif

#if HWY_TARGET != HWY_SCALAR
/// Transposes the square tile whose rows start at source[lines[i]] into rows of kWidth elements.
template <int kWidth>
HWY_INLINE void transpose_tile(const double* HWY_RESTRICT source, const Index* lines, Index scale, double* HWY_RESTRICT to) {
    const hn::CappedTag<double, kDoubleTile> d;
    const auto r0 = hn::LoadU(d, source + lines[0] * scale), r1 = hn::LoadU(d, source + lines[1] * scale);
    const auto low = hn::InterleaveLower(d, r0, r1), high = hn::InterleaveUpper(d, r0, r1);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    const auto r2 = hn::LoadU(d, source + lines[2] * scale), r3 = hn::LoadU(d, source + lines[3] * scale);
    const auto low2 = hn::InterleaveLower(d, r2, r3), high2 = hn::InterleaveUpper(d, r2, r3);
    hn::StoreU(hn::ConcatLowerLower(d, low2, low), d, to);
    hn::StoreU(hn::ConcatLowerLower(d, high2, high), d, to + kWidth);
    hn::StoreU(hn::ConcatUpperUpper(d, low2, low), d, to + 2 * kWidth);
    hn::StoreU(hn::ConcatUpperUpper(d, high2, high), d, to + 3 * kWidth);
#else
    hn::StoreU(low, d, to);
    hn::StoreU(high, d, to + kWidth);
#endif
}
template <int kWidth>
HWY_INLINE void transpose_tile(const float* HWY_RESTRICT source, const Index* lines, Index scale, float* HWY_RESTRICT to) {
    const hn::CappedTag<float, 4> d;
    const hn::RepartitionToWide<hn::RebindToUnsigned<decltype(d)>> wide;
    const auto pairs_low = [&](Index i) HWY_ATTR {
        return hn::BitCast(
            wide, hn::InterleaveLower(d, hn::LoadU(d, source + lines[i] * scale), hn::LoadU(d, source + lines[i + 1] * scale)));
    };
    const auto pairs_high = [&](Index i) HWY_ATTR {
        return hn::BitCast(
            wide, hn::InterleaveUpper(d, hn::LoadU(d, source + lines[i] * scale), hn::LoadU(d, source + lines[i + 1] * scale)));
    };
    const auto low0 = pairs_low(0), low2 = pairs_low(2), high0 = pairs_high(0), high2 = pairs_high(2);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, low0, low2)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, low0, low2)), d, to + kWidth);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, high0, high2)), d, to + 2 * kWidth);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, high0, high2)), d, to + 3 * kWidth);
}
#endif

/// Real numbers with unit stride along K, in blocks of a cache line so that lines are read once. A line's offset counts
/// elements of `scale` reals.
template <class Real, int kWidth>
void transpose_lines(const Real* HWY_RESTRICT data, const Index* lines, Index line_count, Index scale, Index length,
                     Real* HWY_RESTRICT panel) {
    constexpr Index kBlock = 64 / sizeof(Real);
    Index k = 0;
    for (; k + kBlock <= length; k += kBlock) {
        Index i = 0;
#if HWY_TARGET != HWY_SCALAR
        constexpr Index kTile = sizeof(Real) == 8 ? kDoubleTile : 4;
        for (; i + kTile <= line_count; i += kTile)
            for (Index j = k; j < k + kBlock; j += kTile)
                transpose_tile<kWidth>(data + j, lines + i, scale, panel + j * kWidth + i);
#endif
        for (; i < line_count; ++i)
            for (Index j = k; j < k + kBlock; ++j) panel[j * kWidth + i] = data[lines[i] * scale + j];
    }
    for (; k < length; ++k)
        for (Index i = 0; i < line_count; ++i) panel[k * kWidth + i] = data[lines[i] * scale + k];
}

/// Unit stride along K. A planar panel of complex numbers is a panel of twice as many reals along K.
template <class T, int kWidth, bool kPlanar>
void pack_transposed(const PanelSource& source, const T* HWY_RESTRICT data, Index length, T* HWY_RESTRICT panel) {
    if constexpr (kPlanar) {
        using Real = typename T::value_type;
        transpose_lines<Real, kWidth>(reinterpret_cast<const Real*>(data), source.lines, source.line_count, 2, 2 * length,
                                      reinterpret_cast<Real*>(panel));
    } else if constexpr (std::is_floating_point_v<T>) {
        transpose_lines<T, kWidth>(data, source.lines, source.line_count, 1, length, panel);
    } else {
        for (Index i = 0; i < source.line_count; ++i)
            for (Index k = 0; k < length; ++k) panel[k * kWidth + i] = data[source.lines[i] + k];
    }
}

template <class T, int kWidth, bool kPlanar>
void pack_gathered(const PanelSource& source, const T* HWY_RESTRICT data, Index length, T* HWY_RESTRICT panel) {
    for (Index k = 0; k < length; ++k, data += source.step)
        for (Index i = 0; i < source.line_count; ++i) PanelWriter<T, kWidth, kPlanar>::put(panel, k, i, data[source.lines[i]]);
}

template <class T, int kWidth, bool kPlanar>
void pack_panel(const PanelSource& source, T* panel) {
    const bool runs = lines_are_adjacent(source);
    for (Index s = 0; s < source.segment_count; ++s) {
        const Segment& segment = source.segments[s];
        const T* data = static_cast<const T*>(source.data) + segment.*source.origin;
        if (runs)
            pack_runs<T, kWidth, kPlanar>(source, data + source.lines[0], segment.length, panel);
        else if (source.step == 1)
            pack_transposed<T, kWidth, kPlanar>(source, data, segment.length, panel);
        else
            pack_gathered<T, kWidth, kPlanar>(source, data, segment.length, panel);
        for (Index k = 0; k < segment.length && source.line_count < kWidth; ++k)
            for (Index i = source.line_count; i < kWidth; ++i) PanelWriter<T, kWidth, kPlanar>::put(panel, k, i, T{});
        panel += segment.length * kWidth;
    }
}

}  // namespace tenferro::inline TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
