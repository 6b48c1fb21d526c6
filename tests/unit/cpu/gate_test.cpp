// Gates on states, on every instruction set: shapes, places and orders of sites.
#include <gtest/gtest.h>

#include <complex>
#include <cstdint>

#include "support/instruction_sets.hpp"
#include "unit/cpu/contract_check.hpp"

namespace tenferro::testing { namespace {

/// A tensor whose axes lie in memory in this order.
template <class T>
Strided<T> ordered(const Dims& shape, const Dims& order) {
    Strided<T> tensor;
    tensor.shape = tensor.strides = shape;
    Index size = 1;
    for (const Index axis : order) {
        tensor.strides[static_cast<std::size_t>(axis)] = size;
        size *= shape[static_cast<std::size_t>(axis)];
    }
    tensor.memory.resize(static_cast<std::size_t>(size));
    return tensor;
}

/// The result of a gate whose sites change places, and so do the axes between and behind them if both are
/// there; else, behind even runs, there is room between.
template <class T>
Strided<T> exchanged_state(const Dims& extents, bool gate_first) {
    const Index m1 = extents[0], m2 = extents[1], run = extents[2], apart = extents[3], rest = extents[4];
    const Index room = apart == 1 && run % 2 == 0 ? 2 : apart;
    const bool behind = apart > 1;  // of the axes that are not sites, the last one first
    Strided<T> state = gate_first
                           ? ordered<T>({m1, m2, run, room, rest}, {2, 1, 0, behind ? 4 : 3, behind ? 3 : 4})
                           : ordered<T>({run, room, rest, m1, m2}, {0, 4, 3, behind ? 2 : 1, behind ? 1 : 2});
    state.shape[gate_first ? 3 : 1] = apart;
    return state;
}

/// A gate on one or two of the sites of a state, which is left in its order or whose sites change places:
/// runs of every length before the first site, sites side by side or apart.
template <class T>
void check_gates(Generator& random) {
    struct GateShape {
        Index m1, m2, k1, k2;
    };
    for (const auto& [m1, m2, k1, k2] : {GateShape{2, 1, 2, 1},
                                         {2, 2, 2, 2},
                                         {3, 1, 3, 1},
                                         {4, 4, 2, 2},
                                         {4, 2, 4, 2},
                                         {3, 1, 10, 1},
                                         {1, 1, 3, 1},
                                         {8, 1, 16, 1},
                                         {5, 3, 2, 3},
                                         {16, 1, 16, 1},
                                         {3, 1, 33, 1},
                                         {10, 2, 5, 4}})
        for (const Index run : {1, 2, 3, 4, 5, 8, 17, 64, 2100})
            for (const auto& [apart, exchanged] : {std::pair{1, false}, {3, false}, {1, true}, {3, true}}) {
                if (run > 1000 && (apart > 1 || k1 * k2 > 20)) continue;
                const Index rest = 66 / (run * apart) + 2;
                ContractionCase<T> made;
                const Dims gate{m1, m2, k1, k2}, state{run, k1, apart, k2, rest};
                const bool gate_first = rest % 2 == 0;
                made.lhs = gate_first ? ordered<T>(gate, {0, 1, 2, 3}) : ordered<T>(state, {0, 1, 2, 3, 4});
                made.rhs = gate_first ? ordered<T>(state, {0, 1, 2, 3, 4}) : ordered<T>(gate, {0, 1, 2, 3});
                made.config.lhs_contract = gate_first ? Dims{2, 3} : Dims{1, 3};
                made.config.rhs_contract = gate_first ? Dims{1, 3} : Dims{2, 3};
                made.out = exchanged    ? exchanged_state<T>({m1, m2, run, apart, rest}, gate_first)
                           : gate_first ? ordered<T>({m1, m2, run, apart, rest}, {2, 0, 3, 1, 4})
                                        : ordered<T>({run, apart, rest, m1, m2}, {0, 3, 1, 4, 2});
                made.terms = static_cast<std::size_t>(k1 * k2);
                fill(made.lhs, random, std::is_integral_v<T>);
                fill(made.rhs, random, std::is_integral_v<T>);
                check(made, defined(made), std::is_integral_v<T>, CpuKind::Builtin);
                if (::testing::Test::HasFatalFailure()) return;
            }
}

TEST(Gates, OnStates) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE(text("seed ", seed));
    Generator random(seed);
    on_every_instruction_set([&] {
        check_gates<float>(random);
        check_gates<double>(random);
        check_gates<std::complex<float>>(random);
        check_gates<std::complex<double>>(random);
        check_gates<std::int32_t>(random);
    });
}

}}  // namespace tenferro::testing
