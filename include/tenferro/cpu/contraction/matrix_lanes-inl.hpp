// Elements of several small matrices into the lanes of vectors, a matrix in each, and back, compiled once per
// instruction set: squares of as many elements as there are lanes are transposed in registers, of which the
// last one overlaps the one before it.
// clang-format off
#if defined(TENFERRO_MATRIX_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TENFERRO_MATRIX_LANES_INL
#undef TENFERRO_MATRIX_LANES_INL
#else
#define TENFERRO_MATRIX_LANES_INL
#endif
// clang-format on

#include "tenferro/cpu/contraction/lane_parts-inl.hpp"
#include "tenferro/cpu/contraction/word_square-inl.hpp"
#include "tenferro/tensor_core/layout.hpp"

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu { namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// For R float or double. Element e of lane l is at lanes[e * kLanes + l], aligned to a vector.
template <class R>
struct MatrixLanes {
    using D = hn::ScalableTag<R>;
    static constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));

    /// The elements [0, count) of each matrix[l].
    static HWY_INLINE void gather(Index count, const R* const* matrix, R* lanes) {
        Index e = 0;
        for (; e + kLanes <= count; e += kLanes) gather_square(e, matrix, lanes);
        if (e == count) return;
        if (count > kLanes) return gather_square(count - kLanes, matrix, lanes);
#if HWY_TARGET <= HWY_AVX2  // hardware masks
        Square square;
        for (Index l = 0; l < kLanes; ++l)
            square.vectors[l] = Square::words(load_part(D(), matrix[l], count));
        square.transpose();
        for (Index i = 0; i < count; ++i) Square::store(square.vectors[i], lanes + i * kLanes);
#else
        for (; e < count; ++e)
            for (Index l = 0; l < kLanes; ++l) lanes[e * kLanes + l] = matrix[l][e];
#endif
    }
    /// To each matrix[l] that is not null.
    static HWY_INLINE void scatter(Index count, const R* lanes, R* const* matrix) {
        Index e = 0;
        for (; e + kLanes <= count; e += kLanes) scatter_square(e, lanes, matrix);
        if (e == count) return;
        if (count > kLanes) return scatter_square(count - kLanes, lanes, matrix);
#if HWY_TARGET <= HWY_AVX2
        Square square;
        for (Index i = 0; i < kLanes; ++i)
            square.vectors[i] = i < count ? Square::load(lanes + i * kLanes) : Square::words(hn::Zero(D()));
        square.transpose();
        for (Index l = 0; l < kLanes; ++l)
            if (matrix[l] != nullptr) store_part(D(), hn::BitCast(D(), square.vectors[l]), matrix[l], count);
#else
        for (Index l = 0; l < kLanes; ++l)
            if (matrix[l] != nullptr)
                for (Index i = e; i < count; ++i) matrix[l][i] = lanes[i * kLanes + l];
#endif
    }

private:
#if HWY_TARGET == HWY_SCALAR
    struct Square {
        R vectors[1];
        static R load(const R* from) { return *from; }
        static void store(R value, R* to) { *to = value; }
        void transpose() const {}
    };
#else
    struct Square {
        using Words = WordSquare<sizeof(R)>;
        static_assert(Words::kSide == kLanes);
        using Vec = typename Words::Vec;
        Vec vectors[kLanes];
        HWY_INLINE Square() {}  // one that the compiler makes would be for another instruction set
        static HWY_INLINE Vec words(hn::Vec<D> numbers) {
            return hn::BitCast(typename Words::Tag(), numbers);
        }
        static HWY_INLINE Vec load(const R* from) { return words(hn::LoadU(D(), from)); }
        static HWY_INLINE void store(Vec vector, R* to) { hn::StoreU(hn::BitCast(D(), vector), D(), to); }
        HWY_INLINE void transpose() { Words::transpose(vectors); }
    };
#endif
    static HWY_INLINE void gather_square(Index e, const R* const* matrix, R* lanes) {
        Square square;
        for (Index l = 0; l < kLanes; ++l) square.vectors[l] = Square::load(matrix[l] + e);
        square.transpose();
        for (Index i = 0; i < kLanes; ++i) Square::store(square.vectors[i], lanes + (e + i) * kLanes);
    }
    static HWY_INLINE void scatter_square(Index e, const R* lanes, R* const* matrix) {
        Square square;
        for (Index i = 0; i < kLanes; ++i) square.vectors[i] = Square::load(lanes + (e + i) * kLanes);
        square.transpose();
        for (Index l = 0; l < kLanes; ++l)
            if (matrix[l] != nullptr) Square::store(square.vectors[l], matrix[l] + e);
    }
};

}}}}  // namespace tenferro::TENFERRO_ABI::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
