// Packing of micro-panels, compiled once per instruction set: element (line, k) of the source goes to panel[k
// * kWidth + line]. Complex panels of A are planar: kWidth real parts, then kWidth imaginary parts.
#if defined(TENFERRO_CONTRACTION_PACK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_CONTRACTION_PACK_INL
#undef TENFERRO_CONTRACTION_PACK_INL
#else
#define TENFERRO_CONTRACTION_PACK_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Elements that vectors move.
template <class T>
inline constexpr bool kMovesInVectors = std::is_arithmetic_v<T> && sizeof(T) >= 4 && HWY_TARGET != HWY_SCALAR;
/// Complex numbers, whose parts they do.
template <class T>
inline constexpr bool kNumbersInVectors = false;
template <class Real>
inline constexpr bool kNumbersInVectors<std::complex<Real>> = HWY_TARGET != HWY_SCALAR;

/// Asks for memory that is wanted soon; any address will do.
HWY_INLINE void fetch(const void* memory) {
#if defined(__GNUC__)
    __builtin_prefetch(memory, 0, 2);
#endif
}

/// Whether vectors are lines of the caches: then packing, and tiles that take several of them at each step,
/// ask for what comes next.
inline constexpr bool kFillLines = HWY_TARGET != HWY_SCALAR && hn::MaxLanes(hn::ScalableTag<float>()) == 16;

/// Asks for the lines of the caches that hold so many bytes, some way behind an address, but for the first
/// one where the bytes begin within it: whoever reads what is before them has it.
template <Index kBytes>
HWY_INLINE void fetch_lines(const void* address, Index ahead) {
    constexpr Index kLine = 64;
    TENFERRO_UNROLL
    for (Index at = 0; at < kBytes; at += kLine)
        fetch(static_cast<const char*>(address) + ahead + at + kLine - 1);
}

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

/// The lines of a panel, completed to a number that its readers want by repeating the last one.
template <int kWidth>
struct PanelLines {
    Index offsets[kWidth];
    Index given, padded;

    PanelLines(const PanelSource& source, Index multiple)
        : given(source.line_count), padded((source.line_count + multiple - 1) / multiple * multiple) {
        std::copy_n(source.lines, given, offsets);
        std::fill(offsets + given, offsets + padded, offsets[given - 1]);
    }

    /// 1, 2, 4 or 8: how many lines in a row are adjacent, in all of the panel.
    [[nodiscard]] int group() const {
        int size = 1;
        while (size < 8 && padded % (2 * size) == 0 && pairs_are_adjacent(size)) size *= 2;
        return size;
    }

private:
    /// Whether every second group of this size follows the one before it.
    [[nodiscard]] bool pairs_are_adjacent(int size) const {
        Index i = 0;
        while (i < padded && offsets[i + size] == offsets[i] + size) i += 2 * size;
        return i >= padded;
    }
};

/// Whether lines are adjacent.
HWY_INLINE bool follow_each_other(const Index* lines, Index count) {
    Index i = 1;
    while (i < count && lines[i] == lines[0] + i) ++i;
    return i == count;
}

/// Where the part of a panel that begins at `i` is moved: if it were to end behind the panel, some lines
/// earlier, and these are moved twice.
template <Index kPart>
HWY_INLINE Index last_fits(Index i, Index lines) {
    return std::min(i, lines - kPart);
}

/// Runs of `given` elements, completed with zeros to `padded`, of at most kWidth.
template <class T, int kWidth>
void copy_runs(Index given, Index padded, const T* HWY_RESTRICT data, Index step, Index length, Index ahead,
               T* HWY_RESTRICT panel) {
    const hn::CappedTag<T, kWidth> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    if (given == kWidth) {
        for (Index k = 0; k < length; ++k, data += step, panel += kWidth) {
            if (kFillLines && ahead != 0) fetch_lines<kWidth * sizeof(T)>(data, ahead);
            TENFERRO_UNROLL
            for (Index i = 0; i < kWidth; i += kLanes) {
                const Index at = last_fits<kLanes>(i, kWidth);
                hn::StoreU(hn::LoadU(d, data + at), d, panel + at);
            }
        }
        return;
    }
    const Index whole = given / kLanes * kLanes;
    for (Index k = 0; k < length; ++k, data += step, panel += kWidth) {
        Index i = 0;
        for (; i < whole; i += kLanes) hn::StoreU(hn::LoadU(d, data + i), d, panel + i);
        if (kMasks && i < given && i + kLanes <= kWidth) {
            hn::StoreU(load_part(d, data + i, given - whole), d, panel + i);
            i += kLanes;
        }
        for (; i < given; ++i) panel[i] = data[i];
        for (; i < padded; ++i) panel[i] = T{};
    }
}

/// Runs of `given` complex numbers, taken apart and completed with zeros to kWidth, whole vectors.
template <class Real, int kWidth>
void part_runs(Index given, const Real* HWY_RESTRICT data, Index step, Index length, Index ahead,
               Real* HWY_RESTRICT panel) {
    const hn::CappedTag<Real, kWidth> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    hn::Vec<decltype(d)> re, im;
    for (Index k = 0; k < length; ++k, data += step, panel += 2 * kWidth) {
        if (kFillLines && ahead != 0) fetch_lines<2 * kWidth * sizeof(Real)>(data, ahead);
        for (Index i = 0; i < kWidth; i += kLanes) {
            if (given - i >= kLanes)
                hn::LoadInterleaved2(d, data + 2 * i, re, im);
            else if (given > i)
                load_number_part(d, data + 2 * i, given - i, re, im);
            else
                re = im = hn::Zero(d);
            hn::StoreU(re, d, panel + i);
            hn::StoreU(im, d, panel + kWidth + i);
        }
    }
}

/// Adjacent lines, of which the first begins at `data`: each k is one run of the source.
template <class T, int kWidth, bool kPlanar>
void pack_runs(Index given, Index padded, const T* HWY_RESTRICT data, Index step, Index length, Index ahead,
               T* HWY_RESTRICT panel) {
    if constexpr (kMovesInVectors<T>) {
        copy_runs<T, kWidth>(given, padded, data, step, length, ahead, panel);
    } else if constexpr (kNumbersInVectors<T>) {
        using Real = typename T::value_type;
        const Real* const parts = reinterpret_cast<const Real*>(data);
        Real* const to = reinterpret_cast<Real*>(panel);
        if constexpr (kPlanar)
            part_runs<Real, kWidth>(given, parts, 2 * step, length, ahead, to);
        else
            copy_runs<Real, 2 * kWidth>(2 * given, 2 * padded, parts, 2 * step, length, ahead, to);
    } else {
        using Writer = PanelWriter<T, kWidth, kPlanar>;
        for (Index k = 0; k < length; ++k, data += step) {
            for (Index i = 0; i < given; ++i) Writer::put(panel, k, i, data[i]);
            for (Index i = given; i < padded; ++i) Writer::put(panel, k, i, T{});
        }
    }
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
inline constexpr Index kDoubleTile = 4;
#else
inline constexpr Index kDoubleTile = 2;
#endif

#if HWY_TARGET != HWY_SCALAR
/// Transposes the square tile whose rows start at source[lines[i]] into rows of kWidth elements.
template <int kWidth>
HWY_INLINE void transpose_tile(const double* HWY_RESTRICT source, const Index* lines, Index scale,
                               double* HWY_RESTRICT to) {
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
HWY_INLINE void transpose_tile(const float* HWY_RESTRICT source, const Index* lines, Index scale,
                               float* HWY_RESTRICT to) {
    const hn::CappedTag<float, 4> d;
    const hn::RepartitionToWide<hn::RebindToUnsigned<decltype(d)>> wide;
    const auto pairs_low = [&](Index i) HWY_ATTR {
        return hn::BitCast(wide, hn::InterleaveLower(d, hn::LoadU(d, source + lines[i] * scale),
                                                     hn::LoadU(d, source + lines[i + 1] * scale)));
    };
    const auto pairs_high = [&](Index i) HWY_ATTR {
        return hn::BitCast(wide, hn::InterleaveUpper(d, hn::LoadU(d, source + lines[i] * scale),
                                                     hn::LoadU(d, source + lines[i + 1] * scale)));
    };
    const auto low0 = pairs_low(0), low2 = pairs_low(2), high0 = pairs_high(0), high2 = pairs_high(2);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, low0, low2)), d, to);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, low0, low2)), d, to + kWidth);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(wide, high0, high2)), d, to + 2 * kWidth);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(wide, high0, high2)), d, to + 3 * kWidth);
}
#endif

/// Real numbers with unit stride along K, in blocks of a cache line so that lines are read once. A line's
/// offset counts elements of `scale` reals.
template <class Real, int kWidth>
void transpose_lines(const Real* HWY_RESTRICT data, const PanelLines<kWidth>& lines, Index scale,
                     Index length, [[maybe_unused]] Index ahead, Real* HWY_RESTRICT panel) {
    Index k = 0;
#if HWY_TARGET != HWY_SCALAR
    constexpr Index kTile = sizeof(Real) == 8 ? kDoubleTile : 4;
    const auto transpose_block = [&](Index block) HWY_ATTR {
        if (lines.padded < kTile) return;
        for (; k + block <= length; k += block)
            for (Index i = 0; i < lines.padded; i += kTile) {
                const Index at = last_fits<kTile>(i, lines.padded);
                if (kFillLines && ahead != 0)
                    for (Index line = at; line < at + kTile; ++line)
                        fetch(reinterpret_cast<const char*>(data + k + lines.offsets[line] * scale) + ahead);
                for (Index j = k; j < k + block; j += kTile)
                    transpose_tile<kWidth>(data + j, lines.offsets + at, scale, panel + j * kWidth + at);
            }
    };
    transpose_block(64 / sizeof(Real));
    transpose_block(kTile);
    if (k < length && length >= kTile) {  // the last tile begins among those before it
        k = length - kTile;
        transpose_block(kTile);
    }
#endif
    for (; k < length; ++k)
        for (Index i = 0; i < lines.padded; ++i) panel[k * kWidth + i] = data[lines.offsets[i] * scale + k];
}

/// Unit stride along K. A planar panel of complex numbers is a panel of twice as many reals along K.
template <class T, int kWidth, bool kPlanar>
void pack_transposed(const PanelLines<kWidth>& lines, const T* HWY_RESTRICT data, Index length, Index ahead,
                     T* HWY_RESTRICT panel) {
    if constexpr (kPlanar) {
        using Real = typename T::value_type;
        transpose_lines<Real, kWidth>(reinterpret_cast<const Real*>(data), lines, 2, 2 * length, ahead,
                                      reinterpret_cast<Real*>(panel));
    } else if constexpr (std::is_floating_point_v<T>) {
        transpose_lines<T, kWidth>(data, lines, 1, length, ahead, panel);
    } else {
        for (Index i = 0; i < lines.padded; ++i)
            for (Index k = 0; k < length; ++k) panel[k * kWidth + i] = data[lines.offsets[i] + k];
    }
}

/// Lines in groups of kGroup adjacent ones.
template <int kGroup, class T, int kWidth>
void pack_groups(const PanelLines<kWidth>& lines, const T* HWY_RESTRICT data, Index step, Index length,
                 Index ahead, T* HWY_RESTRICT panel) {
    const hn::CappedTag<T, kGroup> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    for (Index k = 0; k < length; ++k, data += step, panel += kWidth)
        for (Index i = 0; i < lines.padded; i += kGroup) {
            const T* const from = data + lines.offsets[i];
            if (kFillLines && ahead != 0) fetch(reinterpret_cast<const char*>(from) + ahead);
            TENFERRO_UNROLL
            for (Index j = 0; j < kGroup; j += kLanes) hn::StoreU(hn::LoadU(d, from + j), d, panel + i + j);
        }
}

/// Lines that lie anywhere.
template <class T, int kWidth, bool kPlanar>
void pack_gathered(const PanelLines<kWidth>& lines, const T* HWY_RESTRICT data, Index step, Index length,
                   T* HWY_RESTRICT panel) {
    if constexpr (kMovesInVectors<T> && kMasks && sizeof(T) == sizeof(Index)) {
        const hn::CappedTag<T, kWidth> d;
        const hn::RebindToSigned<decltype(d)> di;
        constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
        if (lines.padded >= kLanes) {
            for (Index k = 0; k < length; ++k, data += step, panel += kWidth)
                for (Index i = 0; i < lines.padded; i += kLanes) {
                    const Index at = last_fits<kLanes>(i, lines.padded);
                    hn::StoreU(hn::GatherIndex(d, data, hn::LoadU(di, lines.offsets + at)), d, panel + at);
                }
            return;
        }
    }
    for (Index k = 0; k < length; ++k, data += step)
        for (Index i = 0; i < lines.padded; ++i)
            PanelWriter<T, kWidth, kPlanar>::put(panel, k, i, data[lines.offsets[i]]);
}

/// Calls pack(data, length, panel) for each segment. Where they are many and short, the processor does not
/// foresee the next one: it is told some of them ahead, each `group`-th line and the last.
template <class T, int kWidth, class Pack>
HWY_INLINE void pack_segments(const PanelSource& source, Index group, T* panel, const Pack& pack) {
    constexpr Index kMany = 64, kShort = 16, kAhead = 4;
    const auto data_of = [&](Index s) HWY_ATTR {
        return static_cast<const T*>(source.data) + source.segments[s].*source.origin;
    };
    const Index told = source.segment_count < kMany ? 0 : source.segment_count - kAhead;
    for (Index s = 0; s < source.segment_count; ++s) {
        const Index length = source.segments[s].length;
        if (s < told && length <= kShort) {
            for (Index i = 0; i < source.line_count; i += group) fetch(data_of(s + kAhead) + source.lines[i]);
            fetch(data_of(s + kAhead) + source.lines[source.line_count - 1]);
        }
        pack(data_of(s), length, panel);
        panel += length * kWidth;
    }
}

/// Packs a panel, whose lines are completed to a multiple of kPad.
template <class T, int kWidth, bool kPlanar, int kPad = kWidth>
void pack_panel(const PanelSource& source, T* panel) {
    constexpr Index kLeastTransposed = 4;  // elements along K
    if (follow_each_other(source.lines, source.line_count)) {
        const Index given = source.line_count, padded = (given + kPad - 1) / kPad * kPad;
        return pack_segments<T, kWidth>(
            source, kWidth, panel, [&](const T* data, Index length, T* to) HWY_ATTR {
                pack_runs<T, kWidth, kPlanar>(given, padded, data + source.lines[0], source.step, length,
                                              source.ahead, to);
            });
    }
    const PanelLines<kWidth> lines(source, kPad);
    const auto by_groups = [&](auto group) HWY_ATTR {
        pack_segments<T, kWidth>(source, group(), panel, [&](const T* data, Index length, T* to) HWY_ATTR {
            if (source.step == 1 && length >= kLeastTransposed)
                pack_transposed<T, kWidth, kPlanar>(lines, data, length, source.ahead, to);
            else if constexpr (group() == 1)
                pack_gathered<T, kWidth, kPlanar>(lines, data, source.step, length, to);
            else
                pack_groups<group()>(lines, data, source.step, length, source.ahead, to);
        });
    };
    if constexpr (kMovesInVectors<T>) switch (lines.group()) {
            case 8: return by_groups(std::integral_constant<int, 8>());
            case 4: return by_groups(std::integral_constant<int, 4>());
            case 2: return by_groups(std::integral_constant<int, 2>());
            default: break;
        }
    by_groups(std::integral_constant<int, 1>());
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
