// Ground states of lattices against all configurations, and against a transfer matrix of plain loops.
#include <gtest/gtest.h>

#include <malloc.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>
#include <utility>

#include <tenferro/base/error.hpp>

#include "ground_state.hpp"
#include "picture.hpp"

namespace {

std::atomic<std::size_t> held_bytes{0}, most_bytes{0};

}  // namespace

// What is held by operator new, and the most of it.
void* operator new(std::size_t bytes) {
    void* const memory = std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    const std::size_t held = held_bytes += ::malloc_usable_size(memory);
    if (held > most_bytes) most_bytes = held;
    return memory;
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try {
    return operator new(bytes);
} catch (const std::bad_alloc&) {
    return nullptr;
}
void operator delete(void* memory) noexcept {
    held_bytes -= ::malloc_usable_size(memory);
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace {

using spinglass::GroundState;
using spinglass::Lattice;

struct Optimum {
    int energy = INT32_MAX;
    double count = 0;
    void take(int other, double times) {
        if (other < energy) *this = {other, 0};
        if (other == energy) count += times;
    }
};

Optimum of_all_configurations(const Lattice& lattice) {
    const int sites = lattice.rows * lattice.columns;
    Optimum best;
    std::vector<int> spins(static_cast<std::size_t>(sites));
    for (int bits = 0; bits < 1 << sites; ++bits) {
        for (int i = 0; i < sites; ++i) spins[static_cast<std::size_t>(i)] = (bits >> i & 1) != 0 ? -1 : 1;
        best.take(lattice.energy(spins), 1);
    }
    return best;
}

/// Site by site: states of the last `columns` spins.
Optimum of_transfer_matrix(const Lattice& lattice) {
    const int columns = lattice.columns;
    std::vector<Optimum> states{{0, 1}};
    int known = 0;  // bit 0 is the newest spin
    for (int r = 0; r < lattice.rows; ++r)
        for (int c = 0; c < columns; ++c) {
            const int kept = std::min(known + 1, columns);
            std::vector<Optimum> next(std::size_t{1} << kept);
            for (std::size_t bits = 0; bits < states.size(); ++bits)
                for (const int spin : {1, -1}) {
                    const auto at = [&](int i) { return (bits >> i & 1) != 0 ? -1 : 1; };
                    int energy = states[bits].energy;
                    if (c > 0) energy -= lattice.to_right(r, c - 1) * spin * at(0);
                    if (r > 0) energy -= lattice.to_below(r - 1, c) * spin * at(columns - 1);
                    const std::size_t to = (bits << 1 | (spin < 0 ? 1u : 0u)) & (next.size() - 1);
                    next[to].take(energy, states[bits].count);
                }
            states = std::move(next);
            known = kept;
        }
    Optimum best;
    for (const Optimum& state : states) best.take(state.energy, state.count);
    return best;
}

void check(const Lattice& lattice, const Optimum& expected) {
    int told = 0;
    const GroundState state = spinglass::find_ground_state(lattice, true, [&](int done, int total) {
        EXPECT_EQ(done, ++told);
        EXPECT_EQ(total, 2 * std::max(lattice.rows, lattice.columns));
    });
    EXPECT_EQ(state.energy, expected.energy);
    EXPECT_EQ(state.degeneracy, expected.count);
    EXPECT_EQ(lattice.energy(state.spins), expected.energy);
    EXPECT_EQ(spinglass::find_ground_state(lattice, false, [](int, int) {}).energy, expected.energy);
}

TEST(SpinGlass, SmallLatticesAgainstAllConfigurations) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed)
        for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 9}, {3, 3}, {4, 4}, {2, 7}, {8, 2}}) {
            SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(columns) + ", seed " +
                         std::to_string(seed));
            const Lattice lattice = Lattice::drawn(rows, columns, seed);
            check(lattice, of_all_configurations(lattice));
        }
}

TEST(SpinGlass, LargerOnesAgainstATransferMatrix) {
    for (const auto& [rows, columns] : {std::pair{12, 12}, {9, 13}, {30, 8}}) {
        SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(columns));
        const Lattice lattice = Lattice::drawn(rows, columns, 5);
        check(lattice, of_transfer_matrix(lattice));
    }
}

TEST(SpinGlass, RowsAreComputedAgainWhereMemoryIsShort) {
    for (const auto& [rows, columns] : {std::pair{1, 1}, {2, 2}, {9, 4}, {10, 5}, {17, 7}, {6, 11}}) {
        SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(columns));
        const Lattice lattice = Lattice::drawn(rows, columns, 9);
        const auto find = [&](double memory) {
            return spinglass::find_ground_state(
                lattice, false, [](int, int) {}, memory);
        };
        const GroundState all = find(1e9), few = find(spinglass::bytes_needed(lattice, false));
        EXPECT_EQ(few.energy, all.energy);
        EXPECT_EQ(few.spins, all.spins);
        EXPECT_EQ(few.multiply_adds > all.multiply_adds, rows > 1);
    }
}

TEST(SpinGlass, TakesTheMemoryThatItSays) {
    constexpr double kSlices = 2 << 20;
    const Lattice lattice = Lattice::drawn(30, 20, 4);
    const double needed = spinglass::bytes_needed(lattice, false);
    const auto peak = [&](double memory) {
        const std::size_t before = held_bytes;
        most_bytes = before;
        static_cast<void>(spinglass::find_ground_state(
            lattice, false, [](int, int) {}, memory));
        return static_cast<double>(most_bytes - before);
    };
    EXPECT_GT(peak(1e9), 2 * needed);
    EXPECT_GT(peak(needed), needed - kSlices);
    EXPECT_LE(peak(needed), needed + kSlices);
}

TEST(SpinGlass, WhatDoesNotFitIsRefused) {
    const Lattice lattice = Lattice::drawn(20, 12, 1);
    const double bytes = spinglass::bytes_needed(lattice, false);
    EXPECT_EQ(bytes, 4096 * (1 + (4 + 5 + 1) / 2));
    EXPECT_EQ(spinglass::bytes_needed(lattice, true), 4096 * 9);
    EXPECT_EQ(spinglass::bytes_needed(Lattice::drawn(30, 30, 1), true), 9.0 * (1 << 30));
    EXPECT_GT(spinglass::machine_bytes(), 1 << 20);
    const auto find = [&](bool count, double memory) {
        return spinglass::find_ground_state(
                   lattice, count, [](int, int) {}, memory)
            .energy;
    };
    EXPECT_EQ(find(false, bytes), of_transfer_matrix(lattice).energy);
    for (const bool count : {false, true}) {
        std::string message;
        try {
            static_cast<void>(find(count, bytes - 1));
        } catch (const tenferro::Error& error) {
            EXPECT_EQ(error.kind(), tenferro::ErrorKind::Unsupported);
            message = error.what();
        }
        EXPECT_NE(message.find("a lattice of 20x12 needs 0 MiB but this machine has 0 MiB"),
                  std::string::npos)
            << message;
    }
}

TEST(SpinGlass, FerromagnetsHaveTwoGroundStates) {
    Lattice lattice = Lattice::drawn(5, 6, 1);
    std::fill(lattice.right.begin(), lattice.right.end(), 1);
    std::fill(lattice.down.begin(), lattice.down.end(), 1);
    check(lattice, {-(5 * 5 + 4 * 6), 2});
    const GroundState state = spinglass::find_ground_state(lattice, false, [](int, int) {});
    const std::string picture = spinglass::text_picture(lattice, state.spins);
    EXPECT_EQ(picture.find('*'), std::string::npos);
    EXPECT_EQ(std::count(picture.begin(), picture.end(), '.'), 5 * 5 + 4 * 6);
    EXPECT_EQ(spinglass::svg_picture(lattice, state.spins).find("class=\"broken\""), std::string::npos);
}

TEST(SpinGlass, PicturesShowWhatIsAtOdds) {
    const Lattice lattice = Lattice::drawn(6, 7, 2);
    const GroundState state = spinglass::find_ground_state(lattice, false, [](int, int) {});
    const std::string text = spinglass::text_picture(lattice, state.spins),
                      svg = spinglass::svg_picture(lattice, state.spins);
    const auto occurrences = [](const std::string& all, const std::string& part) {
        int count = 0;
        for (std::size_t at = all.find(part); at != std::string::npos; at = all.find(part, at + 1)) ++count;
        return count;
    };
    int frustrated = 0;
    for (int r = 0; r + 1 < lattice.rows; ++r)
        for (int c = 0; c + 1 < lattice.columns; ++c) frustrated += lattice.is_frustrated(r, c) ? 1 : 0;
    EXPECT_GT(frustrated, 0);
    EXPECT_EQ(occurrences(text, "*"), frustrated);
    EXPECT_EQ(occurrences(svg, "class=\"frustrated\""), frustrated);
    const int bonds = 6 * 6 + 5 * 7, broken = (bonds + state.energy) / 2;  // E = broken - kept
    EXPECT_EQ(occurrences(svg, "class=\"broken\""), broken);
    EXPECT_EQ(occurrences(text, "."), bonds - broken);
}

}  // namespace
