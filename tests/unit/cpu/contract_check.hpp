// Contractions compared with the loop that defines them.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

#include "support/machines.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/testing/tolerance.hpp"
#include "unit/cpu/contract_support.hpp"

namespace tenferro::testing {

inline const cpu::Provider* provider_or_null() {
    try {
        return &cpu::Provider::load("", false);
    } catch (const Error& error) {
        std::printf("without kind blas: %s\n", error.what());
        return nullptr;
    }
}

template <class T>
void run(const ContractionCase<T>& made, Strided<T>& out, int threads, Index caches, CpuKind kind) {
    static const cpu::Provider* const provider = provider_or_null();
    CpuContext context(threads);
    context.set_stream_bytes(caches);
    cpu::contract(made.lhs.read(), made.rhs.read(), made.config, out.write(), context,
                  kind == CpuKind::Blas ? provider : nullptr);
}

template <class T>
double distance(T x, T y) {
    if constexpr (std::is_integral_v<T>)
        return x == y ? 0 : 1;
    else
        return static_cast<double>(std::abs(x - y));
}

/// The result as the definition has it.
template <class T>
Strided<T> defined(ContractionCase<T>& made) {
    Strided<T> expected = made.out;
    naive_contract(made, expected);
    return expected;
}

/// Compares all memory of the result, so that elements between those of a strided result are seen to be
/// untouched.
template <class T>
void check(ContractionCase<T>& made, const Strided<T>& expected, bool integers, CpuKind kind) {
    Strided<T> one = made.out, two = made.out;
    run(made, one, 1, kHugeCaches, kind);
    run(made, two, 2, kSmallCaches, kind);
    const double tolerance = integers ? 0 : sum_tolerance<T>(made.terms);
    for (std::size_t i = 0; i < expected.memory.size(); ++i)
        ASSERT_LE(distance(one.memory[i], expected.memory[i]), tolerance)
            << "element " << i << " of " << made.describe();
    ASSERT_EQ(std::memcmp(one.memory.data(), two.memory.data(), sizeof(T) * one.memory.size()), 0)
        << "one thread and huge caches, two and small ones differ: " << made.describe();
}

}  // namespace tenferro::testing
