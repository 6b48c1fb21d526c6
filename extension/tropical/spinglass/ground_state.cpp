#include "ground_state.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string_view>

#include <tenferro/base/error.hpp>
#include <tenferro/base/text.hpp>
#include <tenferro/tensor/tensor.hpp>

#include "tenferro_ext_tropical/einsum.hpp"
#include "tenferro_ext_tropical/pairs.hpp"

namespace spinglass {

namespace {

using tenferro::Dims;
using tenferro::Index;
using tenferro::Tensor;
using tenferro::TensorRead;
using tropical::Counted;

int spin(Index bits, int i) { return (bits >> i & 1) != 0 ? -1 : 1; }

std::size_t states_of(int spins) { return std::size_t{1} << spins; }

/// An element of the engine's tensors from a value, in units of two, and how often it is attained.
template <class Element>
Element element_of(float value, double count) {
    if constexpr (std::is_same_v<Element, Counted>)
        return {value, count};
    else
        return value;
}

/// The sum over all that has been absorbed, as a function of the spins of the last row, spin i at bit i. All
/// values are odd or all are even, and two of them differ by at most 2 (2 columns - 1), which is what
/// flipping spins of one row can change: so they lie in bytes, in units of two. A block of columns is
/// absorbed in place, a few states of the other columns at a time, and only these are elements of the engine.
template <class Element>
class Boundary {
public:
    Boundary(const Lattice& lattice, int block)
        : lattice_(lattice), block_(block), values_(states_of(lattice.columns)) {
        if constexpr (kCounts) counts_.assign(values_.size(), 1);
    }
    /// As it was when `rows` rows had been absorbed; `half` is what relative() gave.
    Boundary(const Lattice& lattice, int block, int rows, const std::vector<std::int8_t>& half)
        : Boundary(lattice, block) {
        row_ = rows;
        for (std::size_t bits = 0; bits < values_.size(); ++bits) values_[bits] = half[mirrored(bits)];
    }

    /// Takes the next row, block by block from the left.
    void absorb_row() {
        for (int first = 0; first < lattice_.columns; first += block_)
            absorb_block(first, std::min(first + block_, lattice_.columns));
        ++row_;
    }
    /// The greatest value.
    [[nodiscard]] int most() const { return most_; }
    /// How often it is attained.
    [[nodiscard]] double count() const {
        double sum = 0;
        for (std::size_t bits = 0; bits < values_.size(); ++bits)
            if (values_[bits] == shift_) sum += counts_[bits];
        return sum;
    }
    /// Values less the greatest, in units of two, of the states whose last spin is up: the others mirror
    /// them.
    [[nodiscard]] std::vector<std::int8_t> relative() const {
        std::vector<std::int8_t> half(values_.begin(),
                                      values_.begin() + static_cast<Index>(values_.size() / 2));
        for (std::int8_t& value : half) value = static_cast<std::int8_t>(value - shift_);
        return half;
    }
    [[nodiscard]] double multiply_adds() const { return multiply_adds_; }

private:
    static constexpr bool kCounts = std::is_same_v<Element, Counted>;

    [[nodiscard]] std::size_t mirrored(std::size_t bits) const {
        return bits < values_.size() / 2 ? bits : values_.size() - 1 - bits;
    }

    void absorb_block(int first, int last) {
        constexpr std::size_t kSliceBytes = 1 << 20;
        const std::size_t lefts = first > 0 ? 2 : 1, lower = states_of(first) / lefts,
                          inner = lefts * states_of(last - first), upper = states_of(lattice_.columns - last),
                          most = std::max<std::size_t>(kSliceBytes / sizeof(Element) / inner, 1),
                          lower_step = std::min(lower, most), upper_step = std::min(upper, most / lower_step);
        int bonds = 0;
        const Tensor factor = factor_of(first, last, bonds);
        const Dims shape{static_cast<Index>(lower_step), static_cast<Index>(lefts),
                         static_cast<Index>(inner / lefts), static_cast<Index>(upper_step)};
        std::vector<Element> slice(lower_step * inner * upper_step);
        const TensorRead above(tenferro::storage_dtype<Element>, slice.data(), shape,
                               tenferro::column_major_strides(shape));
        int greatest = INT8_MIN;
        for (std::size_t u = 0; u < upper; u += upper_step)
            for (std::size_t l = 0; l < lower; l += lower_step) {
                // All of the lower states follow each other; of some there are many runs.
                const std::size_t runs = lower_step == lower ? 1 : inner * upper_step,
                                  length = slice.size() / runs;
                for (std::size_t i = 0; i < runs; ++i)
                    load(l + lower * (inner * u + i), length, slice.data() + length * i);
                const Tensor made = einsum({above, factor});
                const Element* const sums = made.template data_as<Element>();
                for (std::size_t i = 0; i < runs; ++i)
                    greatest =
                        std::max(greatest, store(sums + length * i, length, l + lower * (inner * u + i)));
            }
        shift_ = greatest;
        most_ += bonds + 2 * greatest;
        multiply_adds_ += static_cast<double>(values_.size()) * std::exp2(last - first);
    }

    void load(std::size_t state, std::size_t count, Element* __restrict to) const {
        const std::int8_t* const __restrict from = values_.data() + state;
        const int shift = shift_;
        for (std::size_t i = 0; i < count; ++i)
            to[i] =
                element_of<Element>(static_cast<float>(from[i] - shift), kCounts ? counts_[state + i] : 1);
    }
    /// The greatest of the values.
    int store(const Element* __restrict from, std::size_t count, std::size_t state) {
        std::int8_t* const __restrict to = values_.data() + state;
        for (std::size_t i = 0; i < count; ++i) {
            if constexpr (kCounts) {
                to[i] = static_cast<std::int8_t>(static_cast<int>(from[i].value));
                counts_[state + i] = from[i].count;
            } else {
                to[i] = static_cast<std::int8_t>(static_cast<int>(from[i]));
            }
        }
        std::int8_t greatest = INT8_MIN;
        for (std::size_t i = 0; i < count; ++i) greatest = std::max(greatest, to[i]);
        return greatest;
    }

    static Tensor einsum(const std::vector<TensorRead>& operands) {
        constexpr std::string_view kAbsorb = "lasu,sat->latu";
        if constexpr (kCounts)
            return tropical::einsum<Counted>(kAbsorb, operands);
        else
            return tropical::einsum(tropical::Algebra::MaxPlus, kAbsorb, operands);
    }

    /// The bonds that columns [first, last) of the row add: to the row above, among each other, and to the
    /// column on their left. Axes: the spins above, the left neighbour if there is one, those of the row.
    /// Values are those less the number of bonds, in units of two. Above the first row there is one state.
    [[nodiscard]] Tensor factor_of(int first, int last, int& bonds) const {
        const int width = last - first, left = first > 0 ? 1 : 0;
        bonds = (row_ > 0 ? width : 0) + left + width - 1;
        std::vector<Element> values;
        for (Index bits = 0; bits < Index{1} << (width + left + width); ++bits) {
            int sum = 0;
            for (int i = 0; i < width; ++i) {
                const int own = spin(bits, width + left + i);
                if (row_ > 0) sum += lattice_.to_below(row_ - 1, first + i) * own * spin(bits, i);
                if (i > 0 || left > 0)
                    sum += lattice_.to_right(row_, first + i - 1) * own * spin(bits, width + left + i - 1);
            }
            const bool is_state = row_ > 0 || bits % (Index{1} << width) == 0;
            values.push_back(is_state ? element_of<Element>(static_cast<float>((sum - bonds) / 2), 1)
                                      : element_of<Element>(-std::numeric_limits<float>::infinity(), 0));
        }
        return Tensor::from_data<Element>(values,
                                          Dims{Index{1} << width, Index{1} << left, Index{1} << width});
    }

    const Lattice& lattice_;
    int block_, row_ = 0;
    std::vector<std::int8_t> values_;
    std::vector<double> counts_;  ///< none unless they are asked for
    int shift_ = 0;               ///< of the greatest value: values_ are relative to what was known before
    int most_ = 0;
    double multiply_adds_ = 0;
};

/// Of how many rows one has its boundary kept. Those between two of them are computed again, so that few rows
/// are held at once.
int rows_between(int rows, bool few) {
    return few ? static_cast<int>(std::ceil(std::sqrt(static_cast<double>(rows)))) : 1;
}
/// Kept ones, those between two of them, and the last.
int rows_held(int rows, bool few) {
    const int between = rows_between(rows, few);
    return between == 1 ? rows : rows / between + between + 1;
}

/// Boundaries as they were, half of their states each, from which the spins are read back row by row.
class History {
public:
    History(const Lattice& lattice, int block, bool few)
        : lattice_(lattice),
          block_(block),
          between_(rows_between(lattice.rows, few)),
          rows_(static_cast<std::size_t>(lattice.rows)) {}

    void keep(int row, const Boundary<float>& boundary) {
        if ((row + 1) % between_ == 0 || row + 1 == lattice_.rows) rows_[at(row)] = boundary.relative();
    }

    [[nodiscard]] std::vector<int> spins() {
        const Lattice& lattice = lattice_;
        std::vector<int> result(static_cast<std::size_t>(lattice.rows * lattice.columns));
        std::uint64_t below_row = 0;
        for (int r = lattice.rows; r-- > 0;) {
            std::uint64_t negative = 0;  // bits of a coupling and the spin below that ask for the other sign
            if (r + 1 < lattice.rows)
                for (int c = 0; c < lattice.columns; ++c)
                    if (lattice.to_below(r, c) < 0) negative |= std::uint64_t{1} << c;
            const std::vector<std::int8_t>& row = boundary(r);
            int best = INT32_MIN;
            std::uint64_t chosen = 0;
            for (std::uint64_t bits = 0; bits < row.size(); ++bits) {
                // The same with all signs turned is as good above, and below the opposite.
                const int bonds = r + 1 < lattice.rows
                                      ? lattice.columns - 2 * std::popcount(bits ^ below_row ^ negative)
                                      : 0,
                          value = 2 * row[bits] + std::abs(bonds);
                if (value <= best) continue;
                best = value;
                chosen = bonds < 0 ? bits ^ (states_of(lattice.columns) - 1) : bits;
            }
            for (int c = 0; c < lattice.columns; ++c)
                result[static_cast<std::size_t>(r * lattice.columns + c)] =
                    spin(static_cast<Index>(chosen), c);
            below_row = chosen;
            std::vector<std::int8_t>().swap(rows_[at(r)]);  // {} would keep the memory
        }
        return result;
    }
    /// Of what was computed again.
    [[nodiscard]] double multiply_adds() const { return multiply_adds_; }

private:
    static std::size_t at(int row) { return static_cast<std::size_t>(row); }

    const std::vector<std::int8_t>& boundary(int row) {
        int known = row;
        while (known >= 0 && rows_[at(known)].empty()) --known;
        if (known == row) return rows_[at(row)];
        Boundary<float> again = known < 0 ? Boundary<float>(lattice_, block_)
                                          : Boundary<float>(lattice_, block_, known + 1, rows_[at(known)]);
        for (int r = known + 1; r <= row; ++r) {
            again.absorb_row();
            rows_[at(r)] = again.relative();
        }
        multiply_adds_ += again.multiply_adds();
        return rows_[at(row)];
    }

    const Lattice& lattice_;
    const int block_, between_;
    std::vector<std::vector<std::int8_t>> rows_;
    double multiply_adds_ = 0;
};

std::vector<int> transposed_spins(const std::vector<int>& spins, int rows, int columns) {
    std::vector<int> result;
    for (int c = 0; c < columns; ++c)
        for (int r = 0; r < rows; ++r) result.push_back(spins[static_cast<std::size_t>(r * columns + c)]);
    return result;
}

/// Without degeneracy; the memory of boundaries ends with it.
GroundState ground_state_of(const Lattice& lattice, int block, bool few,
                            const std::function<void(int)>& progress) {
    GroundState state;
    History history(lattice, block, few);
    {
        Boundary<float> energies(lattice, block);
        for (int r = 0; r < lattice.rows; ++r) {
            energies.absorb_row();
            history.keep(r, energies);
            progress(r + 1);
        }
        state.energy = -energies.most();
        state.multiply_adds = energies.multiply_adds();
    }
    state.spins = history.spins();
    state.multiply_adds += history.multiply_adds();
    return state;
}

/// A boundary, and half of those of the rows that are held.
double bytes_of_energies(const Lattice& lattice, bool few) {
    return std::exp2(std::min(lattice.rows, lattice.columns)) *
           (1 + 0.5 * rows_held(std::max(lattice.rows, lattice.columns), few));
}

}  // namespace

double bytes_needed(const Lattice& lattice, bool count) {
    const double energies = bytes_of_energies(lattice, true);
    const double counts =
        std::exp2(std::min(lattice.rows, lattice.columns)) * (sizeof(std::int8_t) + sizeof(double));
    return count ? std::max(energies, counts) : energies;
}

double machine_bytes() {
    return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

GroundState find_ground_state(const Lattice& lattice, bool count, const Progress& progress, double memory) {
    if (lattice.columns > lattice.rows) {
        GroundState state = find_ground_state(lattice.transposed(), count, progress, memory);
        state.spins = transposed_spins(state.spins, lattice.columns, lattice.rows);
        return state;
    }
    if (lattice.columns > kWidest)
        throw tenferro::Error(tenferro::ErrorKind::Unsupported, "spinglass",
                              tenferro::text("the narrower side has ", lattice.columns, " spins but at most ",
                                             kWidest, " are taken"));
    if (const double bytes = bytes_needed(lattice, count); bytes > memory) {
        const auto mebibytes = [](double n) { return static_cast<Index>(n / (1 << 20)); };
        throw tenferro::Error(
            tenferro::ErrorKind::Unsupported, "spinglass",
            tenferro::text("a lattice of ", lattice.rows, "x", lattice.columns, " needs ", mebibytes(bytes),
                           " MiB but this machine has ", mebibytes(memory), " MiB of memory"));
    }
    // Blocks of products as the engine likes them; elements that carry a count are slower to multiply.
    constexpr int kBlock = 6, kCountedBlock = 3;
    const int total = lattice.rows * (count ? 2 : 1);
    const bool few = 2 * bytes_of_energies(lattice, false) > memory;
    GroundState state = ground_state_of(lattice, kBlock, few, [&](int done) { progress(done, total); });
    if (!count) return state;
    Boundary<Counted> optima(lattice, kCountedBlock);
    for (int r = 0; r < lattice.rows; ++r) {
        optima.absorb_row();
        progress(lattice.rows + r + 1, total);
    }
    state.degeneracy = optima.count();
    state.multiply_adds += optima.multiply_adds();
    return state;
}

}  // namespace spinglass
