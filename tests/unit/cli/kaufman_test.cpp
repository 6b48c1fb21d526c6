// Kaufman's formula against sums over all states, published values, symmetry and a numerical derivative.
#include "cli/kaufman.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace tenferro::cli { namespace {

constexpr long double kEpsilon = std::numeric_limits<long double>::epsilon();
// As many roundings as the largest sum over states has terms, 2^12.
constexpr long double kTolerance = 4096 * kEpsilon;

/// ln Z and its derivative by summing over all states.
IsingExact brute_force(int rows, int columns, long double coupling) {
    const int sites = rows * columns;
    long double z = 0, weighted = 0;
    for (unsigned state = 0; state < 1U << sites; ++state) {
        const auto spin = [&](int r, int c) {
            return (state >> (r % rows * columns + c % columns) & 1U) != 0 ? 1 : -1;
        };
        int bonds = 0;
        for (int r = 0; r < rows; ++r)
            for (int c = 0; c < columns; ++c) bonds += spin(r, c) * (spin(r + 1, c) + spin(r, c + 1));
        const long double weight = std::exp(coupling * bonds);
        z += weight;
        weighted += weight * bonds;
    }
    return {std::log(z), weighted / z};
}

void expect_near_relative(long double value, long double expected, const std::string& what) {
    EXPECT_LE(std::abs(value - expected), kTolerance * std::max(1.0L, std::abs(expected))) << what;
}

TEST(Kaufman, AgreesWithTheSumOverAllStates) {
    for (const auto& [rows, columns] :
         {std::pair{1, 1}, {1, 5}, {2, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 2}, {3, 4}})
        for (const long double coupling :
             {0.05L, 0.2L, 0.44L, critical_coupling(), 0.4407L, 0.6L, 1.0L, 2.0L}) {
            const IsingExact exact = kaufman(rows, columns, coupling),
                             summed = brute_force(rows, columns, coupling);
            const std::string what =
                std::to_string(rows) + " x " + std::to_string(columns) + ", K = " + std::to_string(coupling);
            expect_near_relative(exact.log_z, summed.log_z, what);
            expect_near_relative(exact.log_z_derivative, summed.log_z_derivative, what + ", derivative");
        }
}

TEST(Kaufman, DerivativeIsThatOfTheValue) {
    const long double h = 1e-4L;
    for (const int size : {4, 8, 10, 64})
        for (const long double coupling :
             {0.1L, critical_coupling(), critical_coupling() - 1e-6L, 0.5L, 1.0L}) {
            const auto log_z = [&](int k) { return kaufman(size, size, coupling + k * h).log_z; };
            const long double difference = (log_z(-2) - 8 * log_z(-1) + 8 * log_z(1) - log_z(2)) / (12 * h);
            const long double derivative = kaufman(size, size, coupling).log_z_derivative;
            // Fourth-order differences: an error of h^4 times the fifth derivative, which grows as N * size^3
            // near Tc.
            EXPECT_NEAR(static_cast<double>(derivative / difference), 1.0,
                        100 * std::pow(static_cast<double>(h), 4) * std::pow(size, 3))
                << size << ' ' << coupling;
        }
}

TEST(Kaufman, RowsAndColumnsMayBeExchanged) {
    for (const long double coupling : {0.1L, 0.44L, critical_coupling(), 1.0L})
        expect_near_relative(kaufman(7, 12, coupling).log_z, kaufman(12, 7, coupling).log_z, "7 x 12");
}

TEST(Kaufman, LargeLatticesDoNotOverflow) {
    // Onsager's energy of the infinite lattice at the critical point is -sqrt 2 per site.
    const IsingExact exact = kaufman(1000, 1000, critical_coupling());
    EXPECT_NEAR(static_cast<double>(exact.log_z_derivative / 1e6L), std::sqrt(2.0), 1e-3);
    EXPECT_TRUE(std::isfinite(static_cast<double>(kaufman(1000, 1000, 5.0L).log_z)));
}

TEST(Kaufman, AgreesWithTheSharedTable) {
    const auto path = std::filesystem::path(TENFERRO_SHARED_DATA) / "models" / "models_exact_small.json";
    std::ifstream in(path);
    if (!in) GTEST_SKIP() << path << " is not there";
    const auto table = nlohmann::json::parse(in).at("ising2d");
    int rows = 0;
    for (const auto& row : table) {
        if (row.at("boundary") != "torus") continue;
        // The table's K is the double that JSON gives, its ln Z has 30 digits.
        const auto exact = kaufman(row.at("L")[0], row.at("L")[1], row.at("K").get<double>());
        expect_near_relative(exact.log_z, std::stold(row.at("lnZ").get<std::string>()), row.dump());
        ++rows;
    }
    EXPECT_GE(rows, 10);
}

}}  // namespace tenferro::cli
