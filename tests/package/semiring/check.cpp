// Values and winners of the max-plus library against a triple loop: drawn extents, strides and batches, one
// and two threads, every instruction set that it has and this machine too, infinities and NaN. Prints the
// seed and the first difference.
#include "max_plus.hpp"

#include <tenferro/cpu/contraction/highway_targets.hpp>

#include <hwy/targets.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <random>
#include <tenferro/tensor/tensor.hpp>
#include <vector>

namespace {

using max_plus::MaxPlus;
using tenferro::Dims;
using tenferro::Index;

std::mt19937_64 random_bits;
Index draw(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(random_bits); }

template <class T>
constexpr T kZero = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                                         : std::numeric_limits<T>::min();

/// A three-dimensional array whose axes lie in memory in drawn order, with gaps and drawn signs.
template <class T>
struct Array {
    Dims shape, strides{0, 0, 0};
    Index origin = 0;
    std::vector<T> memory;

    Array(Index x, Index y, Index z) : shape{x, y, z} {
        std::size_t order[] = {0, 1, 2};
        std::shuffle(order, order + 3, random_bits);
        Index step = 1;
        for (const std::size_t axis : order) {
            strides[axis] = step;
            step *= shape[axis] + draw(0, 2);
            if (draw(0, 3) == 0) {
                origin += (shape[axis] - 1) * strides[axis];
                strides[axis] = -strides[axis];
            }
        }
        memory.resize(static_cast<std::size_t>(step + 1));
    }
    T& at(Index x, Index y, Index z) {
        return memory[static_cast<std::size_t>(origin + x * strides[0] + y * strides[1] + z * strides[2])];
    }
    tenferro::TensorWrite view() {
        using Element = std::conditional_t<std::is_same_v<T, Index>, T, MaxPlus<T>>;
        return {tenferro::storage_dtype<Element>, memory.data() + origin, shape, strides};
    }
};

template <class T>
void fill(Array<T>& array, bool wild) {
    for (T& x : array.memory) {
        x = static_cast<T>(draw(-20, 20));
        if (draw(0, 9) == 0) x = kZero<T>;
        if constexpr (std::numeric_limits<T>::has_infinity)
            if (wild && draw(0, 300) == 0)
                x = draw(0, 1) == 0 ? std::numeric_limits<T>::infinity()
                                    : std::numeric_limits<T>::quiet_NaN();
    }
}

template <class T>
T times(T a, T b) {
    return a == kZero<T> && !(b != b) && b < std::numeric_limits<T>::max()   ? kZero<T>
           : b == kZero<T> && !(a != a) && a < std::numeric_limits<T>::max() ? kZero<T>
                                                                             : a + b;
}

template <class T>
bool same(T x, T y) {
    return x == y || (x != x && y != y);
}

/// out[m, n, batch] = max over k of lhs[m, k, batch] + rhs[k, n, batch]
template <class T>
bool check(Index m, Index n, Index k, Index batch, bool wild) {
    Array<T> lhs(m, k, batch), rhs(k, n, batch), out(m, n, batch);
    Array<Index> winners(m, n, batch);
    fill(lhs, wild);
    fill(rhs, wild);
    const tenferro::DotGeneralConfig config{{1}, {0}, {2}, {2}};
    for (const int threads : {1, 2}) {
        tenferro::CpuContext context(threads);
        max_plus::contract<T>(lhs.view(), rhs.view(), config, out.view(), context);
        max_plus::winners<T>(lhs.view(), rhs.view(), config, out.view(), winners.view(), context);
        for (Index b = 0; b < batch; ++b)
            for (Index j = 0; j < n; ++j)
                for (Index i = 0; i < m; ++i) {
                    T best = kZero<T>;
                    Index winner = 0;
                    for (Index l = 0; l < k; ++l) {
                        const T x = times(lhs.at(i, l, b), rhs.at(l, j, b));
                        if (best != best || x <= best) continue;
                        best = x;
                        winner = l;
                    }
                    if (same(out.at(i, j, b), best) && winners.at(i, j, b) == winner) continue;
                    std::printf(
                        "%d threads, m %ld n %ld k %ld: [%ld, %ld, %ld] is %g at %ld, not %g at %ld\n",
                        threads, static_cast<long>(m), static_cast<long>(n), static_cast<long>(k),
                        static_cast<long>(i), static_cast<long>(j), static_cast<long>(b),
                        static_cast<double>(out.at(i, j, b)), static_cast<long>(winners.at(i, j, b)),
                        static_cast<double>(best), static_cast<long>(winner));
                    return false;
                }
    }
    return true;
}

template <class T>
bool check_shapes() {
    for (const bool wild : {false, true}) {
        if (!check<T>(100, 70, 90, 1, wild) || !check<T>(40, 33, 600, 2, wild) ||
            !check<T>(2, 3, 2, 200, wild))
            return false;
        for (int i = 0; i < 40; ++i)
            if (!check<T>(draw(0, 30), draw(0, 30), draw(0, 30), draw(0, 3), wild)) return false;
    }
    return true;
}

}  // namespace

int main() {
    const unsigned seed = std::random_device{}();
    random_bits.seed(seed);
    int targets = 0;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        if (!check_shapes<double>() || !check_shapes<float>() || !check_shapes<std::int64_t>()) {
            std::printf("target %s, seed %u\n", hwy::TargetName(target), seed);
            return 1;
        }
        ++targets;
    }
    std::printf("max-plus: right on %d instruction sets\n", targets);
    return targets == 0;
}
