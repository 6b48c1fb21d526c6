// PieceGrid: an operation along one axis, cut into pieces that stay in a near cache while several passes go
// over them: whole lines along the axis, and as many of them as fit. How a tensor is cut depends on its shape
// and strides alone.
#pragma once

#include <algorithm>

#include "cpu/kernels/loops/watched.hpp"
#include "tenferro/cpu/cpu_context.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Whether a's axes, from the fastest to the slowest, are in the order of those of `out`, which has a's
/// shape.
[[nodiscard]] inline bool has_order_of(const TensorRead& a, const TensorRead& out) {
    for (std::size_t k = 0; k < a.rank(); ++k)
        for (std::size_t l = 0; l < k; ++l) {
            if (a.shape()[k] == 1 || a.shape()[l] == 1) continue;
            const bool faster = std::abs(a.strides()[k]) < std::abs(a.strides()[l]);
            if (faster != (std::abs(out.strides()[k]) < std::abs(out.strides()[l]))) return false;
        }
    return true;
}

class PieceGrid {
public:
    static constexpr Index kFew = 64;  ///< elements for which pieces would take longer to begin with

    /// `out` has a's shape.
    PieceGrid(const TensorRead& a, const TensorRead& out, Index axis)
        : shape_(out.shape()), piece_(out.shape()) {
        const std::size_t along = fastest(out, axis), across = fastest(a, axis);
        const Index width = info(out.dtype()).bytes, most = kMostBytes / width, run = kLeastRunBytes / width;
        Index size = out.size();
        while (size > most && along != static_cast<std::size_t>(axis)) {  // a single line is not cut
            Index cut = slowest(out, axis, along, across);
            const bool is_run = cut < 0;  // only the fastest axes are left: pieces have runs in both
            if (is_run) {
                cut = static_cast<Index>(piece_[along] >= piece_[across] ? along : across);
                if (piece_[cut] <= run) break;
            }
            const Index others = size / piece_[cut], fits = std::max(most / others, is_run ? run : 1);
            piece_[cut] = is_run ? std::max(fits, piece_[cut] / 2) : fits;
            size = others * piece_[cut];
        }
    }

    /// Calls body(a's piece, out's piece) for every piece, in parallel.
    template <class Body>
    void run(const TensorRead& a, const TensorWrite& out, CpuContext& context, const Body& body) const {
        Index pieces = 1;
        for (std::size_t k = 0; k < shape_.size(); ++k) pieces *= count(k);
        if (pieces == 1) return body(a, out);
        const Dims steps(shape_.size(), 1);
        context.parallel_for(pieces, [&](Index i) {
            Dims starts = shape_, limits = shape_;
            for (std::size_t k = 0; k < shape_.size(); i /= count(k++)) {
                starts[k] = i % count(k) * piece_[k];
                limits[k] = std::min(starts[k] + piece_[k], shape_[k]);
            }
            look();
            body(a.slice_view(starts, limits, steps), out.slice_view(starts, limits, steps));
        });
    }

private:
    static constexpr Index kMostBytes = 1 << 18, kLeastRunBytes = 256;

    [[nodiscard]] Index count(std::size_t k) const { return (shape_[k] + piece_[k] - 1) / piece_[k]; }

    /// The fastest axis but `axis`; `axis` where there is no other.
    static std::size_t fastest(const TensorRead& a, Index axis) {
        auto best = static_cast<std::size_t>(axis);
        for (std::size_t k = 0; k < a.rank(); ++k) {
            if (k == static_cast<std::size_t>(axis) || a.shape()[k] == 1) continue;
            const bool is_first = best == static_cast<std::size_t>(axis);
            if (is_first || std::abs(a.strides()[k]) < std::abs(a.strides()[best])) best = k;
        }
        return best;
    }
    /// The slowest axis of `out` that can be cut but those named; -1 where there is none.
    [[nodiscard]] Index slowest(const TensorRead& out, Index axis, std::size_t along,
                                std::size_t across) const {
        Index best = -1;
        for (std::size_t k = 0; k < piece_.size(); ++k) {
            if (piece_[k] == 1 || k == static_cast<std::size_t>(axis) || k == along || k == across) continue;
            if (best < 0 || std::abs(out.strides()[k]) > std::abs(out.strides()[best]))
                best = static_cast<Index>(k);
        }
        return best;
    }

    Dims shape_, piece_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
