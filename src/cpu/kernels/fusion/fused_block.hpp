// FusedBlock: the elements that a fused program computes at a time. Pieces of tiles are added until it is
// full; then every call of the program runs on its lines, which are in L1, and what is not written in place
// is stored.
#pragma once

#include <array>

#include "cpu/kernels/fusion/fused_program.hpp"
#include "cpu/kernels/loops/scratch.hpp"
#include "cpu/kernels/loops/strided_loop.hpp"
#include "cpu/kernels/movement/line_gather.hpp"
#include "cpu/kernels/movement/streaming.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

/// Some whole rows of a tile, or a part of its only one.
template <std::size_t N>
struct FusedPiece {
    Offsets<N> origin;
    const Offsets<N>* rows;
    Index row_count, length;  // of each row

    [[nodiscard]] Index size() const noexcept { return length * row_count; }
};

inline constexpr Index kShortestBlock = 128;

/// Elements per line such that all lines together take about half of L1.
[[nodiscard]] inline Index fused_block_size(const FusedProgram& program, const FusedTensors& tensors) {
    constexpr Index kBudget = 24576, kShortest = kShortestBlock, kLongest = 1024;
    Index widest = 1;
    for (const FusedTensor& tensor : tensors) widest = std::max(widest, tensor.width);
    const Index lines = static_cast<Index>(tensors.size()) + program.scratch_lines;
    return std::clamp(kBudget / (lines * widest) / kShortest * kShortest, kShortest, kLongest);
}

template <std::size_t N>
class FusedBlock {
public:
    /// Room for `size` elements.
    FusedBlock(const FusedProgram& program, const FusedTensors& tensors, Index size)
        : program_(program),
          tensors_(tensors),
          size_(size),
          lines_(tensors.size() + program.scratch_lines, nullptr) {
        constexpr std::size_t kWidest = 16, kApart = 64;  // lines do not begin at the same place of a page
        const std::size_t bytes = static_cast<std::size_t>(size) * kWidest + kApart;
        std::byte* at =
            program.scratch_lines == 0 ? nullptr : scratch(ScratchUse::Lines, program.scratch_lines * bytes);
        for (std::size_t line = tensors.size(); line < lines_.size(); ++line, at += bytes) lines_[line] = at;
        for (const auto& fill : program.fills) {
            const FusedTensor& tensor = tensors[fill.tensor];
            constexpr Index kHere = 0;
            gather(tensor.width, lines_[fill.line], tensor.data, {&kHere, 1, 1, size, 0});
        }
    }

    /// Adds a piece of at most as many elements as there is room for.
    void add(const FusedPiece<N>& piece) {
        if (filled_ + piece.size() > size_ || count_ == kMostPieces) run();
        for (const auto& load : program_.loads) {
            const FusedTensor& tensor = tensors_[load.tensor];
            gather(tensor.width, lines_[load.line] + filled_ * tensor.width, origin(tensor, piece),
                   rows_of(tensor, piece));
        }
        for (const auto& store : program_.stores) prefetch(tensors_[store.tensor], piece);
        pieces_[count_++] = piece;
        filled_ += piece.size();
    }

    /// Adds a piece whose elements lie one after the other in all tensors with lines in memory, and runs it.
    void add_alone(const FusedPiece<N>& piece) {
        for (std::size_t k = 0; k < tensors_.size(); ++k)
            if (tensors_[k].source == LineSource::Memory) lines_[k] = row(tensors_[k], piece, 0);
        add(piece);
        run();
    }

    /// Computes what was added.
    void run() {
        if (count_ == 0) return;
        const StripStep* steps = program_.steps.data();
        for (const FusedProgram::Call& call : program_.calls) {
            if (call.function == nullptr) {
                call.strips({steps, call.steps}, lines_.data(), filled_);
                steps += call.steps;
            } else {
                const void* const in[] = {lines_[call.in[0]], lines_[call.in[1]], lines_[call.in[2]]};
                call.function(lines_[call.out], in, filled_);
            }
        }
        for (const auto& store : program_.stores) {
            const FusedTensor& tensor = tensors_[store.tensor];
            const std::byte* from = lines_[store.line];
            for (std::size_t i = 0; i < count_; ++i) {
                put(tensor, pieces_[i], from);
                from += pieces_[i].size() * tensor.width;
            }
        }
        count_ = 0;
        filled_ = 0;
    }

private:
    static constexpr std::size_t kMostPieces = 64;

    [[nodiscard]] static std::byte* origin(const FusedTensor& tensor, const FusedPiece<N>& piece) {
        return tensor.data + piece.origin[tensor.layout] * tensor.width;
    }
    [[nodiscard]] static std::byte* row(const FusedTensor& tensor, const FusedPiece<N>& piece, Index r) {
        return origin(tensor, piece) + piece.rows[r][tensor.layout] * tensor.width;
    }
    [[nodiscard]] static StridedRows rows_of(const FusedTensor& tensor, const FusedPiece<N>& piece) {
        return {&piece.rows[0][tensor.layout], N, piece.row_count, piece.length, tensor.stride};
    }

    void put(const FusedTensor& tensor, const FusedPiece<N>& piece, const std::byte* from) const {
        if (!tensor.streams)
            return scatter(tensor.width, origin(tensor, piece), from, rows_of(tensor, piece));
        const Index bytes = piece.length * tensor.width;
        for (Index r = 0; r < piece.row_count; ++r, from += bytes)
            stream_line_(row(tensor, piece, r), from, bytes);
    }

    /// Fetches the cache lines of rows that will be stored.
    static void prefetch(const FusedTensor& tensor, const FusedPiece<N>& piece) {
        constexpr Index kLine = 64;
        if (tensor.stride != 1 || tensor.streams) return;
        for (Index r = 0; r < piece.row_count; ++r)
            for (Index at = 0; at < piece.length * tensor.width; at += kLine)
                __builtin_prefetch(row(tensor, piece, r) + at, 1);
    }

    const FusedProgram& program_;
    const FusedTensors& tensors_;
    const Index size_;
    const MoveLine stream_line_ = line_streamer();
    Index filled_ = 0;
    std::size_t count_ = 0;
    SmallVector<std::byte*, 24> lines_;
    std::array<FusedPiece<N>, kMostPieces> pieces_;
};

}}}  // namespace tenferro::TENFERRO_ABI::cpu
