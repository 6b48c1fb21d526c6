// Block sizes of the packed contraction engine and the decision which operand is packed. They depend on the
// contraction and the instruction set only, never on the number of threads, so that results do not either;
// and on where A lies in memory, which is only whether it is packed: the sums are the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "cpu/caches.hpp"
#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/loops/partition.hpp"
#include "tenferro/cpu/contraction/kernel_table.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

struct Blocking {
    Index k_block;            ///< depth of packed panels
    Index m_block;            ///< rows packed at a time: with k_block half of a second-level cache
    Index n_block;            ///< columns that have offset tables at a time
    Index n_part;             ///< columns packed at a time: few where all rows meet them one after the other
    bool one_block;           ///< all rows are packed at a time
    Index m_table;            ///< rows that have offset tables at a time; a multiple of m_block
    Index tile_rows;          ///< rows of a micro-tile
    Index last_tile_rows;     ///< the most of the last one of a run of rows
    bool a_direct, b_direct;  ///< read in place instead of packed
    bool column_wise;         ///< columns are taken one at a time, and A is read in place
    bool a_near;              ///< A is, and the first caches keep it
    bool a_far;               ///< A is, and a step along K leads to another of many pages
    Index run;                ///< rows of which tiles are parts
    bool sums_apart;          ///< C is summed in the order of A, and then brought to its place
    Index joined;             ///< columns apart in B that are a line of C, and are made apart; else 1
    bool c_far;               ///< C is so large that to write it past the caches pays
};

/// Rows whose tiles are so few that B is not worth packing for their sake.
inline Index few_rows(const KernelTable& kernels) { return 2 * kernels.rows; }

/// Whether operands are always packed.
inline bool packs_all(const KernelTable& kernels) {
    return kernels.direct_granularity == 0 || kernels.regular != nullptr;
}

/// Whether a vector is a line of the caches; processors that have such registers have large second caches.
inline bool fill_lines(const KernelTable& kernels) {
    constexpr Index kLine = 64, kWideVectors = 8;
    return kernels.wide_rows * kernels.element_bytes == kWideVectors * kLine;
}

inline Index vector_bytes(const KernelTable& kernels) { return fill_lines(kernels) ? 64 : 32; }

/// Whether so many rows are one or two vectors of the parts of elements.
inline bool fill_vectors(Index lines, const KernelTable& kernels) {
    const Index parts = info(kernels.dtype).is_complex ? 2 : 1;
    const Index lanes = vector_bytes(kernels) * parts / kernels.element_bytes;
    return lines == lanes || lines == 2 * lanes;
}

/// Bytes of an operand slice up to which reading it in place again and again is cheaper than packing it.
inline Index direct_bytes(const KernelTable& kernels) { return (fill_lines(kernels) ? 320 : 128) << 10; }

/// The same for the rows of A: fewer where each of their vectors lies in two lines of the caches, as in
/// arrays of hosts that begin 16 bytes after a line does, and more than a few tiles of columns read them.
inline Index direct_bytes_of_rows(const Contraction& loops, const KernelTable& kernels) {
    constexpr std::uintptr_t kLine = 64;
    const Index step = loops.k.empty() ? 0 : loops.k[0].stride[kA];
    const auto begins =
        reinterpret_cast<std::uintptr_t>(loops.a) | static_cast<std::uintptr_t>(step * kernels.element_bytes);
    if (!fill_lines(kernels) || begins % kLine == 0) return direct_bytes(kernels);
    return (loops.n_size > 4 * kernels.columns ? 60 : 128) << 10;
}

/// Whether walking K in steps of `step` elements maps few cache sets, so that rereading in place would
/// thrash.
inline bool step_aliases(Index step, Index depth, Index element_bytes) {
    return depth > 8 && step * element_bytes % 2048 == 0;
}

/// More lines, each in a run of its own, than the processor foresees.
constexpr Index kForeseenRuns = 128;

/// Whether tiles of rows read in place would be half empty, because rows are adjacent in few, where tiles of
/// packed rows are whole, or runs of C that A breaks.
inline bool fills_tiles_when_packed(const Contraction& loops, const KernelTable& kernels) {
    constexpr Index kManyTiles = 4;  // of columns, so that packing pays
    if (loops.m.size() == 1 || loops.n_size <= kManyTiles * kernels.columns) return false;
    const Index run = loops.m[0].extent;
    const bool joined_in_c = loops.m[0].stride[kC] == 1 && loops.m[1].stride[kC] == run;
    return run * 2 == kernels.rows || (joined_in_c && run % kernels.rows != 0);
}

/// Whether rows of A are packed even for a few columns: complex doubles, which two tiles of columns read,
/// line after line in so few sets of the caches that the second finds none of them. Of other types that costs
/// less than packing.
inline bool thrashes_in_place(const Contraction& loops, const KernelTable& kernels, Index step) {
    return kernels.dtype == DType::C64 && loops.n_size > kernels.columns && loops.k_size >= kForeseenRuns &&
           std::abs(step) * kernels.element_bytes >= kPageBytes &&
           step_aliases(step, loops.k_size, kernels.element_bytes);
}

/// Bytes of A from which on it comes from far, to a processor with vectors that are lines: one that reads it
/// faster when it is asked for what comes next. Of nearer caches that would only cost, and so it does of any
/// cache beside few columns, which leave the processor time to foresee it.
inline Index far_bytes_of(const Contraction& loops) {
    constexpr Index kMemoryBytes = 16 << 20;
    return loops.n_size > kTallColumns ? far_bytes() : kMemoryBytes;
}

/// Whether that is so of A, in all slices of a batch together.
inline bool comes_from_far(const Contraction& loops, const KernelTable& kernels) {
    return fill_lines(kernels) &&
           loops.batch_size * loops.m_size * loops.k_size * kernels.element_bytes > far_bytes_of(loops);
}

/// Whether rows are better read in place than packed, beside more columns than below: where vectors are
/// lines, and of each run several are read. Packing pays where more is written than read, of several runs
/// sooner.
inline bool are_long_runs(const Contraction& loops, const KernelTable& kernels) {
    constexpr Index kMostColumns = 96;
    if (!fill_lines(kernels) || loops.k.size() != 1 || loops.n_size > kMostColumns) return false;
    return loops.m[0].extent >= kernels.rows &&
           2 * loops.k_size >= (loops.m.size() == 1 ? 2 : 3) * loops.n_size &&
           !step_aliases(loops.k[0].stride[kA], loops.k_size, kernels.element_bytes);
}

/// A may be read in place if its rows are runs that fill vectors; it pays when few tiles of columns reread it
/// or when it stays in the first caches.
inline bool read_a_directly(const Contraction& loops, const KernelTable& kernels) {
    if (loops.m.empty()) return kernels.direct_granularity == 1;
    const Index run = loops.m[0].extent;
    if (loops.m[0].stride[kA] != 1 || run % kernels.direct_granularity != 0) return false;
    if (loops.m.size() > 1 && run * 2 < kernels.rows) return false;
    const bool few_columns = loops.n_size <= 2 * kernels.columns;
    if (!few_columns && are_long_runs(loops, kernels)) return true;
    if (fills_tiles_when_packed(loops, kernels)) return false;
    const Index step = loops.k.empty() ? 1 : loops.k[0].stride[kA];
    if (few_columns) return !thrashes_in_place(loops, kernels, step);
    return loops.m_size * loops.k_size * kernels.element_bytes <= direct_bytes_of_rows(loops, kernels) &&
           !step_aliases(step, loops.k_size, kernels.element_bytes);
}

/// Of an operand beyond the second cache, of one whose pages the processor finds quickly, and of one that far
/// caches hold.
constexpr Index kNextBytes = 1 << 20, kKnownBytes = 8 << 20, kCachedBytes = 36 << 20;

/// Pages that the processor reads side by side as fast as one after the other.
constexpr Index kForeseenPages = 8;

/// Whether each step along K leads to another page of A, of which there are more than the processor finds
/// quickly, for the sake of a tile or two of columns: then all rows of a few pages are read before the next
/// ones. One run of rows beside tall tiles of columns waits for each page beyond the second cache. Half a
/// page is as far where A comes from memory, a quarter beside more than tall tiles of columns.
inline bool leads_far(const Contraction& loops, const KernelTable& kernels) {
    const Index most_columns = kernels.dtype == DType::C32 ? kernels.columns : 2 * kernels.columns;
    if (loops.k.empty() || loops.m.empty() || loops.n_size > most_columns) return false;
    const Index step = std::abs(loops.k[0].stride[kA]) * kernels.element_bytes;
    const Index bytes = loops.m_size * loops.k_size * kernels.element_bytes;
    const Index sums = loops.n_size * (info(kernels.dtype).is_complex ? 2 : 1);
    const Index known = sums <= kTallColumns && loops.m.size() == 1 ? kNextBytes : kKnownBytes;
    const Index far = kPageBytes / (bytes <= kCachedBytes ? 1 : sums <= kTallColumns ? 2 : 4);
    return step >= far && bytes > known;
}

/// Whether tiles may ask for rows that they read in place before they need them: from far, with steps along K
/// that are too long for the processor to foresee, less than a page, and lead through many sets of the
/// caches, so that the lines are still there when they are wanted. Tiles of few columns are taller.
inline bool may_ask_for_rows(const Contraction& loops, const KernelTable& kernels) {
    constexpr Index kFewSets = 256;
    const bool lines = fill_lines(kernels);
    if (loops.n_size <= (lines && loops.m.size() > 1 ? 1 : kTallColumns)) return false;
    if (loops.m.empty() || loops.k.size() != 1) return false;
    const Index step = std::abs(loops.k[0].stride[kA]) * kernels.element_bytes;
    const Index bytes = loops.m_size * loops.k_size * kernels.element_bytes;
    return step < kPageBytes && step % kFewSets != 0 &&
           (lines ? comes_from_far(loops, kernels) : bytes > kKnownBytes);
}

/// Steps along K of B, in bytes, that the processor foresees, however many.
constexpr Index kNearStep = 1 << 10;

/// Whether B lies across K beside a few tiles of rows: each column of tiles leads through a run of a line for
/// each step, which the next columns find near if K is taken in blocks of few enough.
inline bool leads_through_runs(const Contraction& loops, const KernelTable& kernels) {
    constexpr Index kTiles = 5;
    return loops.k.size() == 1 && !loops.n.empty() && loops.n[0].stride[kB] == 1 &&
           loops.m_size <= kTiles * kernels.rows &&
           std::abs(loops.k[0].stride[kB]) * kernels.element_bytes >= kNearStep;
}

/// B is read one element at a time, so any layout will do in place: columns along K are as fast there as
/// packed, which would take long beside a few tiles of rows. A column of tiles that leads through more runs
/// than the processor foresees, along several axes, is packed nevertheless: in longer runs, or asked for
/// ahead.
inline bool read_b_directly(const Contraction& loops, const KernelTable& kernels) {
    constexpr Index kTilesBesidePacking = 32;
    if (leads_through_runs(loops, kernels)) return true;
    const LoopAxis k = loops.k.empty() ? LoopAxis{1, {1, 1, 0}} : loops.k[0];
    const bool small = loops.k_size * loops.n_size * kernels.element_bytes <= direct_bytes(kernels);
    if (loops.m_size <= few_rows(kernels)) {
        const bool near = std::abs(k.stride[kB]) * kernels.element_bytes < kNearStep;
        return small || (near ? loops.k_size / k.extent : loops.k_size) < kForeseenRuns;
    }
    const bool along_k = k.stride[kB] == 1 && (loops.k.size() <= 1 || k.extent >= kForeseenRuns);
    if (along_k && loops.m_size <= kTilesBesidePacking * kernels.rows) return true;
    return small && !step_aliases(k.stride[kB], loops.k_size, kernels.element_bytes);
}

/// Steps of K that tiles go before the next rows.
inline Index wanted_depth(const Contraction& loops, const KernelTable& kernels, const Blocking& plan,
                          WinnerPass pass) {
    constexpr Index kAskedBytes = 48 << 10;  // of which the near caches hold this block and the next
    // Each block of K is a pass over C; with positions beside it that costs more than panels that leave the
    // first cache.
    if (pass == WinnerPass::Track) return 1024;
    if (plan.a_direct && loops.m.size() == 1 && !info(kernels.dtype).is_complex &&
        may_ask_for_rows(loops, kernels))
        return std::max(kAskedBytes / (std::abs(loops.k[0].stride[kA]) * kernels.element_bytes),
                        kForeseenPages);
    if (plan.a_far) return kForeseenPages;
    return plan.b_direct && leads_through_runs(loops, kernels) ? kForeseenRuns * 3 / 4 : 256;
}

/// K below which tiles gain nothing from rows that stay near.
constexpr Index kNearDepth = 20;

/// Whether rows of C that lie apart are summed beside each other first, where they are read in place: from
/// many pages, or by tiles below each other that are computed together.
inline bool sums_pay(const Contraction& loops, const KernelTable& kernels, const Blocking& plan) {
    if (!plan.a_direct || loops.m.empty() || loops.m[0].stride[kC] == 1) return false;
    return loops.n_size <= kTallColumns || (leads_far(loops, kernels) && loops.k_size > kForeseenPages);
}

/// Rows that follow each other where tiles read and write them: of C, only in packed panels or sums.
inline Index run_of_rows(const Contraction& loops, const Blocking& plan) {
    if (!plan.a_direct || loops.m.empty()) return loops.m_size;
    Index run = loops.m[0].extent;
    for (std::size_t i = 1; plan.sums_apart && i < loops.m.size() && loops.m[i].stride[kA] == run; ++i)
        run *= loops.m[i].extent;
    return run;
}

/// Whether two tiles of columns read rows in place that the second cache does not hold: then each tile of
/// rows meets both while it is near. Other types take K in blocks there (leads_far).
inline bool rereads_rows(const Contraction& loops, const KernelTable& kernels, const Blocking& plan) {
    return plan.a_direct && kernels.dtype == DType::C32 && loops.n_size > kernels.columns &&
           loops.n_size <= 2 * kernels.columns &&
           loops.m_size * loops.k_size * kernels.element_bytes > kNextBytes;
}

/// Whether rows that are read in place meet a column at a time, in tiles of many vectors: an only one, or few
/// where such a tile is a whole run of rows and its steps along K follow each other, so that memory is read
/// in order. The next column finds them in the first cache, or at least not in memory.
inline bool are_few_columns(const Contraction& loops, const KernelTable& kernels) {
    constexpr Index kFew = 2, kFewFromFar = 5, kFirstCache = 32 << 10;
    if (loops.n_size == 1) return true;
    if (info(kernels.dtype).is_complex || loops.m.size() < 2 || loops.k.size() != 1) return false;
    const Index run = loops.m[0].extent, steps = std::abs(loops.k[0].stride[kA]) * loops.k_size;
    if (run <= kernels.wide_rows || run > kernels.widest_rows) return false;
    if (std::abs(loops.m[1].stride[kA]) < steps) return false;
    if (loops.m_size * loops.k_size * kernels.element_bytes > kCachedBytes)
        return loops.n_size <= kFewFromFar;
    return loops.n_size <= kFew && steps * kernels.element_bytes <= kFirstCache;
}

/// Columns that are made apart until they are lines of C that are worth a copy: where a few rows are
/// contiguous in C and go on there along the second axis of columns, while those of the first one lie apart
/// and B leads from page to page. The processor then waits for B, and no longer for lines of C, too.
inline Index columns_to_join(const Contraction& loops, const KernelTable& kernels) {
    constexpr Index kShortLine = 256, kApartBytes = 256 << 10, kLeastBytes = 2 << 20, kLeastJoined = 4;
    const Index bytes = kernels.element_bytes;
    if (!fill_lines(kernels) || loops.m.size() != 1 || loops.k.size() != 1 || loops.n.size() < 2) return 1;
    if (loops.m[0].stride[kC] != 1 || loops.m_size * bytes > kShortLine) return 1;
    if (loops.n[0].stride[kB] != 1 || loops.n[1].stride[kC] != loops.m_size) return 1;
    if (std::abs(loops.k[0].stride[kB]) * bytes < kPageBytes) return 1;
    if (loops.m_size * loops.n_size * loops.batch_size * bytes < kLeastBytes) return 1;
    const Index extent = loops.n[1].extent;
    const Index most = std::min(kApartBytes / (loops.m_size * loops.n[0].extent * bytes), extent);
    return most < kLeastJoined ? 1 : even_part(extent, most);
}

/// Whether to write C past the caches pays, where it is written line by line: as its lines are read while
/// others are computed, that costs nothing until the third cache has them no more.
inline bool is_far_result(const Contraction& loops, const KernelTable& kernels, Index stream_bytes) {
    constexpr Index kFurther = 4;
    return loops.m_size * loops.n_size * loops.batch_size * kernels.element_bytes / kFurther >= stream_bytes;
}

inline Blocking choose_blocking(const Contraction& loops, const KernelTable& kernels, WinnerPass pass,
                                Index stream_bytes) {
    constexpr Index kBlockBytes = 480 << 10, kTableRows = 4096;
    constexpr Index kFarBytes = 4 << 20, kPartBytes = 256 << 10;  // of B, in a far cache and in a near one
    constexpr Index kSumBytes = 128 << 10;                        // of C that are summed apart
    const bool pack_all = packs_all(kernels) || pass != WinnerPass::None;
    Blocking plan;
    plan.a_direct = !pack_all && read_a_directly(loops, kernels);
    plan.b_direct = !pack_all && read_b_directly(loops, kernels);
    plan.a_near =
        plan.a_direct && loops.k_size >= kNearDepth &&
        loops.m_size * loops.k_size * kernels.element_bytes <= direct_bytes(kernels) &&
        !(loops.k.size() == 1 && step_aliases(loops.k[0].stride[kA], loops.k_size, kernels.element_bytes));
    plan.a_far = plan.a_direct && !fill_lines(kernels) && leads_far(loops, kernels);
    const Index wanted = wanted_depth(loops, kernels, plan, pass);
    plan.k_block = even_part(std::max<Index>(loops.k_size, 1), wanted + wanted / 4);
    const Index bytes = kernels.element_bytes * plan.k_block;
    plan.sums_apart = sums_pay(loops, kernels, plan);
    plan.run = run_of_rows(loops, plan);
    const Index most_rows =
        plan.sums_apart ? std::min(kTableRows, kSumBytes / kernels.element_bytes / loops.n_size) : kTableRows;
    plan.m_block =
        std::clamp<Index>(kBlockBytes / bytes / kernels.rows, 1, most_rows / kernels.rows) * kernels.rows;
    if (rereads_rows(loops, kernels, plan)) plan.m_block = kernels.rows;
    plan.m_table = std::max<Index>(most_rows / plan.m_block, 1) * plan.m_block;
    const auto columns_of = [&](Index panel_bytes) {
        return std::clamp<Index>(panel_bytes / bytes / kernels.columns, 1, kTableRows / kernels.columns) *
               kernels.columns;
    };
    plan.joined = pass == WinnerPass::None ? columns_to_join(loops, kernels) : 1;
    plan.n_block = plan.joined > 1 ? plan.joined * loops.n[0].extent : columns_of(kFarBytes);
    plan.c_far = is_far_result(loops, kernels, stream_bytes);
    plan.one_block = loops.m_size <= plan.m_block;
    plan.n_part = plan.one_block || plan.a_direct ? columns_of(kPartBytes) : plan.n_block;
    plan.column_wise = plan.a_direct && are_few_columns(loops, kernels);
    plan.tile_rows = plan.column_wise ? kernels.wide_rows : kernels.rows;
    plan.last_tile_rows = plan.column_wise ? kernels.widest_rows : kernels.rows;
    return plan;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
