#include "ground_state.hpp"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include <tenferro/base/error.hpp>
#include <tenferro/base/text.hpp>
#include <tenferro/einsum/subscripts.hpp>
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

/// An axis as it is called in subscripts.
std::string above(int column) {
    return tenferro::tensor_network::label_text(U'\u0100' + static_cast<char32_t>(column));
}
std::string below(int column) {
    return tenferro::tensor_network::label_text(U'\u0200' + static_cast<char32_t>(column));
}

template <class Element>
Element element_of(double value) {
    if constexpr (std::is_same_v<Element, Counted>)
        return {value, 1};
    else
        return static_cast<Element>(value);
}

/// The sum over all that has been absorbed, as a function of the spins of the last row.
template <class Element>
class Boundary {
public:
    Boundary(const Lattice& lattice, int block)
        : lattice_(lattice),
          block_(block),
          tensor_(Tensor::from_data<Element>({element_of<Element>(0)}, Dims{})) {}
    /// As it was when `rows` rows had been absorbed.
    Boundary(const Lattice& lattice, int block, int rows, const std::vector<std::int8_t>& values)
        : lattice_(lattice),
          block_(block),
          row_(rows),
          tensor_(Tensor::zeros(tenferro::DType::F32,
                                Dims(static_cast<std::size_t>(lattice.columns), Index{2}))) {
        std::copy(values.begin(), values.end(), tensor_.write().template data_as<Element>());
    }

    /// Takes the next row, block by block from the left.
    void absorb_row() {
        for (int first = 0; first < lattice_.columns; first += block_) {
            const int last = std::min(first + block_, lattice_.columns);
            std::string before, after, factor;
            for (int c = 0; c < lattice_.columns; ++c) {
                if (c < first) before += below(c);
                if (c >= first && row_ > 0) before += above(c);
                if (c < last) after += below(c);
                if (c >= last && row_ > 0) after += above(c);
            }
            if (row_ > 0)
                for (int c = first; c < last; ++c) factor += above(c);
            for (int c = std::max(first - 1, 0); c < last; ++c) factor += below(c);
            const Tensor block = factor_of(first, last);
            multiply_adds_ += static_cast<double>(tensor_.size()) * std::exp2(last - first);
            tensor_ = einsum(before + "," + factor + "->" + after, {tensor_, block});
        }
        ++row_;
    }
    /// Over the spins of the last row.
    [[nodiscard]] Element total() const {
        std::string all;
        for (int c = 0; c < lattice_.columns; ++c) all += below(c);
        return *einsum(all + "->", {tensor_}).template data_as<Element>();
    }
    [[nodiscard]] const Element* data() const { return tensor_.data_as<Element>(); }
    [[nodiscard]] Index size() const { return tensor_.size(); }
    [[nodiscard]] double multiply_adds() const { return multiply_adds_; }

private:
    static Tensor einsum(const std::string& subscripts, const std::vector<TensorRead>& operands) {
        if constexpr (std::is_same_v<Element, Counted>)
            return tropical::einsum<Counted>(subscripts, operands);
        else
            return tropical::einsum(tropical::Algebra::MaxPlus, subscripts, operands);
    }

    /// The bonds that columns [first, last) of the row add: to the row above, among each other, and to the
    /// column on their left. Axes: the spins above, then those of the row from the left neighbour on.
    [[nodiscard]] Tensor factor_of(int first, int last) const {
        const int width = last - first, uppers = row_ > 0 ? width : 0, left = first > 0 ? 1 : 0;
        const int rank = uppers + left + width;
        std::vector<Element> values;
        for (Index bits = 0; bits < Index{1} << rank; ++bits) {
            int sum = 0;
            for (int i = 0; i < width; ++i) {
                const int own = spin(bits, uppers + left + i);
                if (uppers > 0) sum += lattice_.to_below(row_ - 1, first + i) * own * spin(bits, i);
                if (first + i > 0 && (i > 0 || left > 0))
                    sum += lattice_.to_right(row_, first + i - 1) * own * spin(bits, uppers + left + i - 1);
            }
            values.push_back(element_of<Element>(sum));
        }
        return Tensor::from_data<Element>(values, Dims(static_cast<std::size_t>(rank), 2));
    }

    const Lattice& lattice_;
    int block_, row_ = 0;
    Tensor tensor_;
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

/// Boundaries as they were, relative to their maximum, from which the spins are read back row by row.
class History {
public:
    History(const Lattice& lattice, int block, bool few)
        : lattice_(lattice),
          block_(block),
          between_(rows_between(lattice.rows, few)),
          rows_(static_cast<std::size_t>(lattice.rows)) {}

    void keep(int row, const Boundary<float>& boundary) {
        if ((row + 1) % between_ == 0 || row + 1 == lattice_.rows) rows_[at(row)] = relative(boundary);
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
                int value = row[bits];
                if (r + 1 < lattice.rows)
                    value += lattice.columns - 2 * std::popcount(bits ^ below_row ^ negative);
                if (value <= best) continue;
                best = value;
                chosen = bits;
            }
            for (int c = 0; c < lattice.columns; ++c)
                result[static_cast<std::size_t>(r * lattice.columns + c)] =
                    spin(static_cast<Index>(chosen), c);
            below_row = chosen;
            rows_[at(r)] = {};
        }
        return result;
    }
    /// Of what was computed again.
    [[nodiscard]] double multiply_adds() const { return multiply_adds_; }

private:
    static std::size_t at(int row) { return static_cast<std::size_t>(row); }

    static std::vector<std::int8_t> relative(const Boundary<float>& boundary) {
        const float* const values = boundary.data();
        const float most = *std::max_element(values, values + boundary.size());
        std::vector<std::int8_t> row(static_cast<std::size_t>(boundary.size()));
        // Flipping spins of one row changes at most 2 (2 columns - 1), so this fits for all widths.
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::int8_t>(values[i] - most);
        return row;
    }

    const std::vector<std::int8_t>& boundary(int row) {
        int known = row;
        while (known >= 0 && rows_[at(known)].empty()) --known;
        if (known == row) return rows_[at(row)];
        Boundary<float> again = known < 0 ? Boundary<float>(lattice_, block_)
                                          : Boundary<float>(lattice_, block_, known + 1, rows_[at(known)]);
        for (int r = known + 1; r <= row; ++r) {
            again.absorb_row();
            rows_[at(r)] = relative(again);
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
        state.energy = -static_cast<int>(energies.total());
        state.multiply_adds = energies.multiply_adds();
    }
    state.spins = history.spins();
    state.multiply_adds += history.multiply_adds();
    return state;
}

double bytes_of_energies(const Lattice& lattice, bool few) {
    return std::exp2(std::min(lattice.rows, lattice.columns)) *
           (2 * sizeof(float) + rows_held(std::max(lattice.rows, lattice.columns), few));
}

}  // namespace

double bytes_needed(const Lattice& lattice, bool count) {
    const double energies = bytes_of_energies(lattice, true);
    const double counts = std::exp2(std::min(lattice.rows, lattice.columns)) * 2 * sizeof(Counted);
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
    state.degeneracy = optima.total().count;
    state.multiply_adds += optima.multiply_adds();
    return state;
}

}  // namespace spinglass
