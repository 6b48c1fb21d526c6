// Whom every column of a matrix meets in the rounds of a tournament, for the kernels across lanes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tenferro/base/checked.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// The rounds of an even number of columns, at most N, with lanes as numbers of type Lane.
template <class Lane, std::size_t N>
class Rounds {
public:
    struct alignas(64) Round {
        Lane partner[N];  ///< behind the last column the lane itself
        std::uint8_t first[N / 2], second[N / 2];
    };

    /// The n - 1 rounds of n columns.
    static constexpr const Round* of(Index n) noexcept { return kAll.rounds[n / 2 - 1]; }
    /// All bits in one lane, 0 in the others.
    static constexpr const Lane* only(Index lane) noexcept { return kAll.only[lane]; }

private:
    struct All {
        Round rounds[N / 2][N - 1];
        alignas(64) Lane only[N][N];
    };
    /// By the circle method: the last column stays, the others meet whom a turn of their circle puts
    /// opposite.
    static constexpr All make() {
        All all{};
        for (std::size_t half = 1; half <= N / 2; ++half)
            for (std::size_t turn = 0, circle = 2 * half - 1; turn < circle; ++turn) {
                Round& round = all.rounds[half - 1][turn];
                for (std::size_t i = 0; i < N; ++i) round.partner[i] = static_cast<Lane>(i);
                for (std::size_t pair = 0; pair < half; ++pair) {
                    const std::size_t p = (turn + pair) % circle,
                                      q = pair == 0 ? circle : (turn + circle - pair) % circle;
                    round.partner[p] = static_cast<Lane>(q);
                    round.partner[q] = static_cast<Lane>(p);
                    round.first[pair] = static_cast<std::uint8_t>(p);
                    round.second[pair] = static_cast<std::uint8_t>(q);
                }
            }
        for (std::size_t i = 0; i < N; ++i) all.only[i][i] = -1;
        return all;
    }
    static constexpr All kAll = make();
};

}}}  // namespace tenferro::TENFERRO_ABI::linalg
