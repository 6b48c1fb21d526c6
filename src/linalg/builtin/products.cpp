// The loops around the micro-kernels: blocks of K, of columns, of rows. A is packed, and B where it is read
// often or not as it is. Threads share the longer side of C.
#include "linalg/builtin/products.hpp"

#include "cpu/kernels/contraction/gemm_kernels.hpp"
#include "linalg/builtin/builtin_kernels.hpp"
#include "linalg/floating_types.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

using cpu::KernelTable;

constexpr Index kDepth = 256, kRowBlock = 192, kColumnBlock = 1024;
/// Multiply-adds from which on a second thread pays, and up to which plain loops take less time than packing.
constexpr double kParallelWork = 2e5, kPlainWork = 256;

constexpr Index round_up(Index value, Index step) { return (value + step - 1) / step * step; }

template <class T>
class Product {
public:
    Product(Sum sum, const Operand<T>& a, const Operand<T>& b, const Matrix<T>& c) noexcept
        : sum_(sum), a_(a), b_(b), c_(c) {}

    void run(Scratch& scratch) const {
        if (c_.rows == 0 || c_.columns == 0) return;
        const double work =
            static_cast<double>(c_.rows) * static_cast<double>(c_.columns) * static_cast<double>(a_.columns);
        if (work <= kPlainWork) return run_plainly();
        CancellationScope::check_current();
        const bool by_columns = c_.columns / kernels_.columns >= c_.rows / kernels_.rows;
        const Index size = by_columns ? c_.columns : c_.rows;
        const Index threads = work < kParallelWork ? 1 : scratch.threads();
        const Index step =
            round_up((size + threads - 1) / threads, by_columns ? kernels_.columns : kernels_.rows);
        const Index parts = (size + step - 1) / step;
        const Scratch::Frame frame(scratch);
        T* const memory = scratch.take<T>(parts * part_elements());
        scratch.for_each(parts, [&](Index part) {
            const Index begin = part * step, count = std::min(step, size - begin);
            T* const packed = memory + part * part_elements();
            if (by_columns)
                multiply_part(0, c_.rows, begin, count, packed);
            else
                multiply_part(begin, count, 0, c_.columns, packed);
        });
    }

private:
    void run_plainly() const noexcept {
        if (sum_ == Sum::Replace) set_zero(c_);
        for (Index j = 0; j < c_.columns; ++j)
            for (Index k = 0; k < a_.columns; ++k) {
                const T element = b_.data[k * b_.down + j * b_.right],
                        value = b_.conjugated ? conjugate(element) : element,
                        factor = sum_ == Sum::Subtract ? -value : value;
                const T* const from = a_.data + k * a_.right;
                T* const to = c_.column(j);
                if (a_.conjugated)
                    for (Index i = 0; i < c_.rows; ++i) to[i] += conjugate(from[i * a_.down]) * factor;
                else if (a_.down == 1)
                    for (Index i = 0; i < c_.rows; ++i) to[i] += from[i] * factor;
                else
                    for (Index i = 0; i < c_.rows; ++i) to[i] += from[i * a_.down] * factor;
            }
    }
    [[nodiscard]] Index depth() const noexcept { return std::min(kDepth, a_.columns); }
    [[nodiscard]] Index row_block() const noexcept {
        return round_up(std::min(kRowBlock, c_.rows), kernels_.rows);
    }
    [[nodiscard]] Index column_block() const noexcept {
        return round_up(std::min(kColumnBlock, c_.columns), kernels_.columns);
    }
    [[nodiscard]] Index part_elements() const noexcept {
        return round_up(depth() * (row_block() + column_block()), 64);
    }

    void multiply_part(Index row, Index rows, Index column, Index columns, T* packed) const {
        T* const packed_b = packed + depth() * row_block();
        for (Index k = 0; k < a_.columns; k += depth()) {
            const Index k_count = std::min(depth(), a_.columns - k);
            for (Index j = 0; j < columns; j += column_block()) {
                const Index n = std::min(column_block(), columns - j);
                if (!reads_b_) pack_columns(k, k_count, column + j, n, packed_b);
                for (Index i = 0; i < rows; i += row_block()) {
                    const Index m = std::min(row_block(), rows - i);
                    pack_rows(k, k_count, row + i, m, packed);
                    multiply_block(k, k_count, column + j, c_.block(row + i, column + j, m, n), packed,
                                   packed_b);
                }
            }
        }
    }
    /// Panels of `count` lines from `first` on, `wide` at a time.
    template <class Pack>
    static void pack_lines(const T* data, Index between, Index along, Index k, Index first, Index count,
                           Index wide, T* packed, Pack&& pack) {
        constexpr Index kMostLines = 64;
        Index lines[kMostLines];
        for (Index line = 0; line < wide; ++line) lines[line] = line * between;
        const cpu::Segment whole{0, 0, k};
        for (Index line = 0; line < count; line += wide)
            pack({data + (first + line) * between, lines, std::min(wide, count - line), &whole, 1,
                  &cpu::Segment::a, along},
                 packed + line * k);
    }
    void pack_rows(Index k, Index k_count, Index row, Index m, T* packed) const {
        pack_lines(a_.data + k * a_.right, a_.down, a_.right, k_count, row, m, kernels_.rows, packed,
                   kernels_.pack_a);
        if constexpr (is_complex<T>)
            if (a_.conjugated) {  // imaginary parts follow the real ones of a panel's rows
                auto* const parts = reinterpret_cast<RealOf<T>*>(packed);
                const Index rows = kernels_.rows;
                for (Index line = 0; line < round_up(m, rows) / rows * k_count; ++line)
                    for (Index i = 0; i < rows; ++i)
                        parts[(2 * line + 1) * rows + i] = -parts[(2 * line + 1) * rows + i];
            }
    }
    void pack_columns(Index k, Index k_count, Index column, Index n, T* packed) const {
        pack_lines(b_.data + k * b_.down, b_.right, b_.down, k_count, column, n, kernels_.columns, packed,
                   kernels_.pack_b);
        const Index count = round_up(n, kernels_.columns) * k_count;
        if (b_.conjugated)
            for (Index i = 0; i < count; ++i) packed[i] = conjugate(packed[i]);
        if (sum_ == Sum::Subtract)
            for (Index i = 0; i < count; ++i) packed[i] = -packed[i];
    }
    void multiply_block(Index k, Index k_count, Index column, const Matrix<T>& c, const T* packed_a,
                        const T* packed_b) const {
        constexpr Index kMostColumns = 64;
        Index b_columns[kMostColumns], c_columns[kMostColumns];
        for (Index j = 0; j < kernels_.columns; ++j) c_columns[j] = j * c.step;
        const cpu::Segment whole{0, 0, k_count};
        cpu::MicroTile tile{};
        tile.segments = &whole;
        tile.segment_count = 1;
        tile.a_step = kernels_.rows;
        tile.a_panel = kernels_.rows * k_count;
        tile.b_step = reads_b_ ? b_.down : kernels_.columns;
        tile.b_columns = b_columns;
        tile.c_columns = c_columns;
        tile.a_packed = true;
        tile.b_packed = !reads_b_;
        tile.accumulate = sum_ != Sum::Replace || k > 0;
        tile.last = k + k_count == a_.columns;
        for (Index j = 0; j < c.columns; j += kernels_.columns) {
            tile.columns = std::min(kernels_.columns, c.columns - j);
            tile.b = reads_b_ ? b_.data + k * b_.down + (column + j) * b_.right : packed_b + j * k_count;
            for (Index p = 0; p < kernels_.columns; ++p)  // missing columns repeat the last
                b_columns[p] = reads_b_ ? std::min(p, tile.columns - 1) * b_.right : p;
            for (Index i = 0; i < c.rows; i += tile.panels * tile.rows) {
                tile.a = packed_a + i * k_count;
                tile.c = &c(i, j);
                tile.rows = std::min(kernels_.rows, c.rows - i);
                tile.panels = (c.rows - i) / tile.rows;
                kernels_.multiply(tile);
            }
        }
    }

    const Sum sum_;
    const Operand<T>&a_, &b_;
    const Matrix<T>& c_;
    const KernelTable& kernels_ = cpu::gemm_kernels(storage_dtype<T>);
    /// Few tiles of rows read it, so it stays where it is.
    const bool reads_b_ = c_.rows <= 2 * kernels_.rows && !b_.conjugated && sum_ != Sum::Subtract;
};

}  // namespace

template <class T>
void multiply(Sum sum, const Operand<T>& a, const Operand<T>& b, const Matrix<T>& c, Scratch& scratch) {
    Product<T>(sum, a, b, c).run(scratch);
}

template <class T>
void BuiltinKernels<T>::multiply(bool add, Index n, const T* a, const T* b, T* c, Scratch& scratch) const {
    const Operand<T> left{n, n, a, 1, n}, right{n, n, b, 1, n};
    linalg::multiply(add ? Sum::Add : Sum::Replace, left, right, Matrix<T>{n, n, c, n}, scratch);
}

#define TENFERRO_INSTANCE(T)                                                                       \
    template void multiply(Sum, const Operand<T>&, const Operand<T>&, const Matrix<T>&, Scratch&); \
    template void BuiltinKernels<T>::multiply(bool, Index, const T*, const T*, T*, Scratch&) const;
TENFERRO_FLOATING_TYPES(TENFERRO_INSTANCE)
#undef TENFERRO_INSTANCE

}}}  // namespace tenferro::TENFERRO_ABI::linalg
