// Products of a small matrix with columns in vectors, compiled once per instruction set.
#include "cpu/kernels/contraction/gate_kernels.hpp"

#include <algorithm>
#include <complex>
#include <cstdint>

#include "cpu/caches.hpp"
#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/kernels/contraction/gate_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/kernels/contraction/ordinary-inl.hpp"
#include "tenferro/cpu/contraction/kernels-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr Index kVectorBytes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>());

/// Vectors of at most kBytes bytes of numbers as they lie in memory, complex ones as pairs of reals. Sums are
/// those of products of factors with terms.
template <class T, std::size_t kBytes>
struct GateVectors {
    using Lane = T;
    using D = hn::CappedTag<Lane, kBytes / sizeof(Lane)>;
    using V = hn::Vec<D>;
    using Factor = V;
    static constexpr int kParts = 1;
    static HWY_INLINE Factor repeat(const T* number) { return hn::Set(D(), *number); }
    static HWY_INLINE Factor load(const Lane* factors) { return hn::LoadU(D(), factors); }

    template <int kRows>
    struct Sums {
        using Term = V;
        using Sum = V;
        static HWY_INLINE Term term(V b) { return b; }
        static HWY_INLINE Sum mul(Factor a, Term b) { return hn::Mul(a, b); }
        static HWY_INLINE Sum mac(Factor a, Term b, Sum c) { return hn::MulAdd(a, b, c); }
        static HWY_INLINE V join(Sum sum) { return sum; }
    };
};

template <class Real, std::size_t kBytes>
struct GateVectors<std::complex<Real>, kBytes> {
    using Lane = Real;
    using D = hn::CappedTag<Lane, kBytes / sizeof(Lane)>;
    using V = hn::Vec<D>;
    static constexpr int kParts = 2;
    using Factor = Parts<V>;
    static HWY_INLINE Factor repeat(const std::complex<Real>* number) {
        return {hn::Set(D(), number->real()), hn::Set(D(), number->imag())};
    }
    static HWY_INLINE Factor load(const Lane* factors) {
        return {hn::LoadU(D(), factors), hn::LoadU(D(), factors + hn::Lanes(D()))};
    }

    /// c + a b is c + Re(a) b + Im(a) (i b).
    template <int kRows>
    struct Sums {
        struct Term {
            V b, turned;
            HWY_INLINE Term() {}
            HWY_INLINE Term(V number, V times_i) : b(number), turned(times_i) {}
        };
        using Sum = V;
        static HWY_INLINE Term term(V b) {
            const V signs = hn::OddEven(hn::Zero(D()), hn::Set(D(), Real(-0.0)));
            return {b, hn::Xor(hn::Reverse2(D(), b), signs)};
        }
        static HWY_INLINE Sum mul(const Factor& a, const Term& b) {
            return hn::MulAdd(a.imaginary, b.turned, hn::Mul(a.real, b.b));
        }
        static HWY_INLINE Sum mac(const Factor& a, const Term& b, Sum c) {
            return hn::MulAdd(a.imaginary, b.turned, hn::MulAdd(a.real, b.b, c));
        }
        static HWY_INLINE V join(Sum sum) { return sum; }
    };

    /// The sums of few rows would wait for each other: those of Re(a) b and of Im(a) b are joined at the end.
    /// Not where few columns are left, since how many are taken together depends on threads.
    template <int kRows>
    requires(kRows <= 3) struct Sums<kRows> {
        using Term = V;
        using Sum = Factor;
        static HWY_INLINE Term term(V b) { return b; }
        static HWY_INLINE Sum mul(const Factor& a, V b) {
            return {hn::Mul(a.real, b), hn::Mul(a.imaginary, b)};
        }
        static HWY_INLINE Sum mac(const Factor& a, V b, const Sum& c) { return add_product(b, a, c); }
        static HWY_INLINE V join(const Sum& sum) { return join_numbers(D(), sum.real, sum.imaginary); }
    };
};

/// kRows times kWide vectors of C: sums over K of factor(row, k) times load(k, column).
template <class Vectors, int kRows, int kWide, class LoadB, class FactorOf, class Store>
HWY_INLINE void gate_rows(Index depth, const LoadB& load, const FactorOf& factor, const Store& store) {
    using Sums = typename Vectors::template Sums<kRows>;
    typename Sums::Sum sum[kRows * kWide];
    typename Sums::Term b[kWide];
    const auto load_all = [&](Index k) HWY_ATTR {
        TENFERRO_UNROLL
        for (int j = 0; j < kWide; ++j) b[j] = Sums::term(load(k, j));
    };
    load_all(0);
    TENFERRO_UNROLL
    for (int i = 0; i < kRows; ++i) {
        const auto a = factor(i, 0);
        TENFERRO_UNROLL
        for (int j = 0; j < kWide; ++j) sum[i * kWide + j] = Sums::mul(a, b[j]);
    }
    for (Index k = 1; k < depth; ++k) {
        load_all(k);
        TENFERRO_UNROLL
        for (int i = 0; i < kRows; ++i) {
            const auto a = factor(i, k);
            TENFERRO_UNROLL
            for (int j = 0; j < kWide; ++j) sum[i * kWide + j] = Sums::mac(a, b[j], sum[i * kWide + j]);
        }
    }
    TENFERRO_UNROLL
    for (int i = 0; i < kRows; ++i) {
        TENFERRO_UNROLL
        for (int j = 0; j < kWide; ++j) store(i, j, Sums::join(sum[i * kWide + j]));
    }
}

/// Calls some(first row, integral constant of how many) for groups of kGateRows, and one of what is left.
template <class Some>
HWY_INLINE void in_groups(Index rows, const Some& some) {
    Index row = 0;
    for (; rows - row >= kGateRows; row += kGateRows) some(row, std::integral_constant<int, kGateRows>{});
    if (rows - row == 3) return some(row, std::integral_constant<int, 3>{});
    if (rows - row == 2) return some(row, std::integral_constant<int, 2>{});
    if (rows - row == 1) return some(row, std::integral_constant<int, 1>{});
}

/// A whole vector, past the caches where that is asked for and the place is aligned.
template <class D, class Lane = hn::TFromD<D>>
HWY_INLINE void store_whole(D d, hn::Vec<D> value, Lane* to, bool streams) {
    constexpr std::size_t kBytes = hn::MaxLanes(d) * sizeof(Lane);
    if constexpr (kBytes >= 16)
        if (streams && reinterpret_cast<std::uintptr_t>(to) % kBytes == 0) return hn::Stream(value, d, to);
    hn::StoreU(value, d, to);
}

/// Not inlined: it would take registers from the sums.
template <class D>
HWY_NOINLINE void store_rest(D d, hn::Vec<D> value, hn::TFromD<D>* to, Index count) {
    store_part(d, value, to, count);
}

/// Calls piece(how many vectors, from which of `reals` numbers on, load, store) for kWide vectors at a time,
/// then for one, and for what is left.
template <int kWide, class D, class Piece>
HWY_INLINE void for_each_vectors(D d, Index reals, bool streams, const Piece& piece) {
    using Lane = hn::TFromD<D>;
    using V = hn::Vec<D>;
    constexpr std::integral_constant<int, kWide> kSome;
    constexpr std::integral_constant<int, 1> kOne;
    const Index lanes = static_cast<Index>(hn::Lanes(d));
    const auto load = [&](const Lane* from) HWY_ATTR { return hn::LoadU(d, from); };
    const auto store = [&](V value, Lane* to) HWY_ATTR { store_whole(d, value, to, streams); };
    Index x = 0;
    for (; x + kWide * lanes <= reals; x += kWide * lanes) piece(kSome, x, load, store);
    for (; x + lanes <= reals; x += lanes) piece(kOne, x, load, store);
    if (x < reals)
        piece(
            kOne, x, [&](const Lane* from) HWY_ATTR { return load_part(d, from, reals - x); },
            [&](V value, Lane* to) HWY_ATTR { store_rest(d, value, to, reals - x); });
}

/// Asks for runs, line by line in the order of memory.
template <class Real>
void prefetch_runs(const Real* runs, const Index* offsets, Index parts, Index count, Index length) {
    constexpr Index kLine = 64 / static_cast<Index>(sizeof(Real));
    for (Index i = 0; i < count; ++i)
        for (Index x = 0; x < length; x += kLine) hwy::Prefetch(runs + offsets[i] * parts + x);
}

template <class T, std::size_t kBytes>
void along_run(const Gate& given, const void* b_memory, void* c_memory, Index length, Index blocks) {
    using Vectors = GateVectors<T, kBytes>;
    using Lane = typename Vectors::Lane;
    using V = typename Vectors::V;
    constexpr Index kParts = Vectors::kParts;
    constexpr int kWide = 2;
    const typename Vectors::D d;
    const Gate gate = given;
    const Index lanes = static_cast<Index>(hn::Lanes(d)), depth = gate.depth, reals = length * kParts;
    const Index b_step = gate.b_step * kParts, c_step = gate.c_step * kParts;
    const T* const matrix = static_cast<const T*>(gate.matrix);
    const Lane* b = static_cast<const Lane*>(b_memory);
    Lane* c = static_cast<Lane*>(c_memory);
    // Several runs of a page that are read in turns hide from the processor what comes next. In the caches
    // short ones would be asked for in vain.
    const Index run_bytes = reals * static_cast<Index>(sizeof(Lane)), least_run = gate.streams ? 128 : 512;
    const bool prefetches = run_bytes >= least_run && run_bytes * depth <= kPageBytes;
    for (; blocks > 0; --blocks, b += b_step, c += c_step) {
        if (prefetches && blocks > 1) {
            prefetch_runs(b + b_step, gate.b_depth, kParts, depth, reals);
            if (!gate.streams) prefetch_runs(c + c_step, gate.c_rows, kParts, gate.rows, reals);
        }
        const auto piece = [&]<int kVectors>(std::integral_constant<int, kVectors>, Index x, const auto& load,
                                             const auto& store) HWY_ATTR {
            in_groups(gate.rows, [&]<int kRows>(Index row, std::integral_constant<int, kRows>) HWY_ATTR {
                gate_rows<Vectors, kRows, kVectors>(
                    depth,
                    [&](Index k, int j)
                        HWY_ATTR { return load(b + gate.b_depth[k] * kParts + x + j * lanes); },
                    [&](int i, Index k) HWY_ATTR { return Vectors::repeat(matrix + (row + i) * depth + k); },
                    [&](int i, int j, V total)
                        HWY_ATTR { store(total, c + gate.c_rows[row + i] * kParts + x + j * lanes); });
            });
        };
        for_each_vectors<kWide>(d, reals, gate.streams, piece);
    }
}

/// kUnit bytes, repeated through a vector.
template <std::size_t kUnit, class D, class Lane = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> repeat_unit(D d, const Lane* from) {
    if constexpr (kUnit == sizeof(Lane)) {
        return hn::Set(d, *from);
    } else if constexpr (kUnit == 2 * sizeof(Lane) && kUnit < kGateUnit) {
        const hn::Repartition<double, D> pairs;
        double pair;
        hwy::CopyBytes<kUnit>(from, &pair);
        return hn::BitCast(d, hn::Set(pairs, pair));
    } else if constexpr (kUnit == hn::MaxLanes(d) * sizeof(Lane)) {
        return hn::LoadU(d, from);
#if HWY_TARGET != HWY_SCALAR
    } else if constexpr (kUnit > kGateUnit) {
        const auto half = hn::LoadU(hn::Half<D>(), from);
        return hn::Combine(d, half, half);
#endif
    } else {
        return hn::LoadDup128(d, from);
    }
}

template <class T, std::size_t kUnit, std::size_t kBytes>
void of_units(const Gate& given, const void* b_memory, void* c_memory, Index, Index blocks) {
    using Vectors = GateVectors<T, kBytes>;
    using Lane = typename Vectors::Lane;
    using V = typename Vectors::V;
    constexpr Index kParts = Vectors::kParts;
    const typename Vectors::D d;
    const Gate gate = given;
    const Index lanes = static_cast<Index>(hn::Lanes(d)), depth = gate.depth;
    const Index b_step = gate.b_step * kParts, c_step = gate.c_step * kParts;
    const Lane* const matrix = static_cast<const Lane*>(gate.matrix);
    const Lane* const b = static_cast<const Lane*>(b_memory);
    Lane* const c = static_cast<Lane*>(c_memory);
    in_groups(gate.rows, [&]<int kRows>(Index row, std::integral_constant<int, kRows>) HWY_ATTR {
        Index places[kRows], sizes[kRows];
        TENFERRO_UNROLL
        for (int i = 0; i < kRows; ++i) {
            places[i] = gate.c_rows[row + i] * kParts;
            sizes[i] = gate.row_sizes[row + i] * kParts;
        }
        const auto some = [&]<int kBlocks>(std::integral_constant<int, kBlocks>, Index block) HWY_ATTR {
            gate_rows<Vectors, kRows, kBlocks>(
                depth,
                [&](Index k, int j) HWY_ATTR {
                    return repeat_unit<kUnit>(d, b + (block + j) * b_step + gate.b_depth[k] * kParts);
                },
                [&](int i, Index k)
                    HWY_ATTR { return Vectors::load(matrix + ((row + i) * depth + k) * kParts * lanes); },
                [&](int i, int j, V total) HWY_ATTR {
                    Lane* const to = c + (block + j) * c_step + places[i];
                    if (sizes[i] == lanes)
                        store_whole(d, total, to, gate.streams);
                    else
                        store_rest(d, total, to, sizes[i]);
                });
        };
        constexpr int kBlocks = kRows > 2 ? 2 : 8 / kRows / kParts;
        Index block = 0;
        for (; block + kBlocks <= blocks; block += kBlocks)
            some(std::integral_constant<int, kBlocks>{}, block);
        for (; block < blocks; ++block) some(std::integral_constant<int, 1>{}, block);
    });
}

template <class T>
void in_blocks(const Gate& given, const void* b_memory, void* c_memory, Index length, Index blocks) {
    using Vectors = GateVectors<T, 64>;
    using D = typename Vectors::D;
    using Lane = typename Vectors::Lane;
    using V = typename Vectors::V;
    constexpr Index kParts = Vectors::kParts;
    constexpr std::size_t kMostDepth = std::max<std::size_t>(kVectorBytes / 2 / sizeof(T), 1);
    const D d;
    const hn::RebindToUnsigned<D> places;
    using Place = hn::TFromD<decltype(places)>;
    const Gate gate = given;
    const Index lanes = static_cast<Index>(hn::Lanes(d)), reals = blocks * gate.b_step * kParts;
    const Lane* const matrix = static_cast<const Lane*>(gate.matrix);
    const Lane* const b = static_cast<const Lane*>(b_memory);
    Lane* const c = static_cast<Lane*>(c_memory);
    using Order = decltype(hn::IndicesFromVec(d, hn::Iota(places, 0)));
    Order orders[kMostDepth];
    for (Index k = 0; k < gate.depth; ++k) {
        const auto bits = hn::Set(places, static_cast<Place>(k * length * kParts));
        orders[k] = hn::IndicesFromVec(d, hn::Xor(hn::Iota(places, 0), bits));
    }
    const auto piece = [&]<int kVectors>(std::integral_constant<int, kVectors>, Index x, const auto& load,
                                         const auto& store) HWY_ATTR {
        gate_rows<Vectors, 1, kVectors>(
            gate.depth,
            [&](Index k, int j) HWY_ATTR { return hn::TableLookupLanes(load(b + x + j * lanes), orders[k]); },
            [&](int, Index k) HWY_ATTR { return Vectors::load(matrix + k * kParts * lanes); },
            [&](int, int j, V total) HWY_ATTR { store(total, c + x + j * lanes); });
    };
    for_each_vectors<4>(d, reals, gate.streams, piece);
}

template <class T>
GateKernel along_runs_of(Index bytes) {
    return bytes < 64 ? along_run<T, 32> : along_run<T, 64>;
}

template <class T, std::size_t kUnit>
GateKernel of_units_in_rows(Index row_bytes) {
    constexpr std::size_t kLeast = std::max<std::size_t>(kUnit, 8);
    if (kLeast == 8 && row_bytes == 8) return of_units<T, kUnit, kLeast>;
    if (row_bytes == 16) return of_units<T, kUnit, 16>;
    if (row_bytes == 32) return of_units<T, kUnit, 32>;
    return of_units<T, kUnit, 64>;
}

template <class T>
GateKernel of_units_in(Index unit, Index row_bytes) {
    if constexpr (sizeof(T) == 4)
        if (unit == 4) return of_units_in_rows<T, 4>(row_bytes);
    if constexpr (sizeof(T) <= 8)
        if (unit == 8) return of_units_in_rows<T, 8>(row_bytes);
    if constexpr (kVectorBytes >= 32)
        if (unit == 32) return row_bytes == 32 ? of_units<T, 32, 32> : of_units<T, 32, 64>;
    if constexpr (kVectorBytes >= 64)
        if (unit == 64) return of_units<T, 64, 64>;
    return of_units_in_rows<T, 16>(row_bytes);
}

template <class T>
inline constexpr GateKernels kGates{along_runs_of<T>, of_units_in<T>, in_blocks<T>, kVectorBytes};

const GateKernels* gates_of(DType dtype) {
    static constexpr GateKernels none{};
    if constexpr (HWY_TARGET == HWY_SCALAR) return &none;
    switch (dtype) {
        case DType::F32: return &kGates<float>;
        case DType::F64: return &kGates<double>;
        case DType::C32: return &kGates<std::complex<float>>;
        case DType::C64: return &kGates<std::complex<double>>;
        default: return &none;
    }
}

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

HWY_EXPORT(gates_of);

const GateKernels& gate_kernels(DType dtype) { return *HWY_DYNAMIC_DISPATCH(gates_of)(dtype); }

}}}  // namespace tenferro::TENFERRO_ABI::cpu
#endif
