// Drawing contractions with arbitrary layouts, and the loop that defines their results.
#pragma once

#include <algorithm>
#include <complex>
#include <numeric>
#include <random>
#include <vector>

#include "cpu/kernels/contraction/contract.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/elementwise/arithmetic.hpp"

namespace tenferro::testing {

using Generator = std::mt19937_64;

inline Index draw(Generator& random, Index low, Index high) {
    return std::uniform_int_distribution<Index>(low, high)(random);
}

/// A shape of at most `most_axes` axes of extents 1 to `largest`.
inline Dims draw_shape(Generator& random, Index most_axes, Index largest) {
    Dims shape;
    for (Index axes = draw(random, 0, most_axes); axes > 0; --axes) shape.push_back(draw(random, 1, largest));
    return shape;
}

/// A strided tensor in memory of its own.
template <class T>
struct Strided {
    std::vector<T> memory;
    Index origin = 0;
    Dims shape, strides;

    [[nodiscard]] TensorRead read() const {
        return {storage_dtype<T>, memory.data() + origin, shape, strides};
    }
    [[nodiscard]] TensorWrite write() { return {storage_dtype<T>, memory.data() + origin, shape, strides}; }
    [[nodiscard]] T& at(const std::vector<Index>& index) {
        Index offset = origin;
        for (std::size_t i = 0; i < index.size(); ++i) offset += index[i] * strides[i];
        return memory[static_cast<std::size_t>(offset)];
    }
};

/// How wild a drawn layout is.
struct LayoutKind {
    bool permuted = false, negative = false, padded = false, repeated = false;
};

/// A tensor of `shape`; a permuted layout orders the axes in memory at random, a repeated one has zero
/// strides.
template <class T>
Strided<T> draw_layout(Generator& random, const Dims& shape, LayoutKind kind) {
    Strided<T> tensor;
    tensor.shape = shape;
    tensor.strides = Dims(shape.size(), 0);
    std::vector<std::size_t> order(shape.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (kind.permuted) std::shuffle(order.begin(), order.end(), random);
    Index size = 1;
    for (const std::size_t axis : order) {
        if (kind.repeated && draw(random, 0, 3) == 0) continue;
        const Index padding = kind.padded && draw(random, 0, 2) == 0 ? draw(random, 0, 3) : 0;
        tensor.strides[axis] = size;
        size *= std::max<Index>(shape[axis], 1) + padding;
        if (kind.negative && draw(random, 0, 2) == 0 && shape[axis] > 0) {
            tensor.origin += (shape[axis] - 1) * tensor.strides[axis];
            tensor.strides[axis] = -tensor.strides[axis];
        }
    }
    tensor.memory.resize(static_cast<std::size_t>(size));
    return tensor;
}

template <class T>
T draw_value(Generator& random, bool integers) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(draw(random, -4, 4));
    } else if constexpr (std::is_floating_point_v<T>) {
        return integers ? static_cast<T>(draw(random, -4, 4))
                        : std::uniform_real_distribution<T>(-1, 1)(random);
    } else {
        using Real = typename T::value_type;
        return {draw_value<Real>(random, integers), draw_value<Real>(random, integers)};
    }
}

template <class T>
void fill(Strided<T>& tensor, Generator& random, bool integers) {
    for (T& value : tensor.memory) value = draw_value<T>(random, integers);
}

/// A contraction and its operands. `integers` draws values whose sums are exact.
template <class T>
struct ContractionCase {
    DotGeneralConfig config;
    Strided<T> lhs, rhs, out;
    std::size_t terms = 1;

    [[nodiscard]] std::string describe() const {
        return text("lhs ", list_text(lhs.shape), " strides ", list_text(lhs.strides), " contract ",
                    list_text(config.lhs_contract), " batch ", list_text(config.lhs_batch), "; rhs ",
                    list_text(rhs.shape), " strides ", list_text(rhs.strides), " contract ",
                    list_text(config.rhs_contract), " batch ", list_text(config.rhs_batch), "; out ",
                    list_text(out.shape), " strides ", list_text(out.strides));
    }
};

struct GroupShapes {
    Dims m, n, k, batch;
};

/// The axes of one operand in random order: free axes keep theirs, as the result's order follows from them.
inline Dims place_axes(Generator& random, const Dims& free, const Dims& contract, const Dims& batch,
                       bool shuffled, Dims& contract_axes, Dims& batch_axes) {
    std::vector<int> roles;
    roles.insert(roles.end(), free.size(), 0);
    roles.insert(roles.end(), contract.size(), 1);
    roles.insert(roles.end(), batch.size(), 2);
    if (shuffled) std::shuffle(roles.begin(), roles.end(), random);
    std::vector<std::size_t> k_order(contract.size()), batch_order(batch.size());
    std::iota(k_order.begin(), k_order.end(), std::size_t{0});
    std::iota(batch_order.begin(), batch_order.end(), std::size_t{0});
    if (shuffled) std::shuffle(k_order.begin(), k_order.end(), random);
    if (shuffled) std::shuffle(batch_order.begin(), batch_order.end(), random);
    contract_axes = Dims(contract.size(), 0);
    batch_axes = Dims(batch.size(), 0);
    Dims shape;
    std::size_t used[3] = {0, 0, 0};
    for (const int role : roles) {
        const std::size_t i = used[role]++;
        const Index axis = static_cast<Index>(shape.size());
        if (role == 0) shape.push_back(free[i]);
        if (role == 1) {
            contract_axes[k_order[i]] = axis;
            shape.push_back(contract[k_order[i]]);
        }
        if (role == 2) {
            batch_axes[batch_order[i]] = axis;
            shape.push_back(batch[batch_order[i]]);
        }
    }
    return shape;
}

template <class T>
ContractionCase<T> make_case(Generator& random, const GroupShapes& groups, bool shuffled, LayoutKind kind,
                             bool integers) {
    ContractionCase<T> made;
    DotGeneralConfig& config = made.config;
    const Dims lhs =
        place_axes(random, groups.m, groups.k, groups.batch, shuffled, config.lhs_contract, config.lhs_batch);
    const Dims rhs =
        place_axes(random, groups.n, groups.k, groups.batch, shuffled, config.rhs_contract, config.rhs_batch);
    LayoutKind out_kind = kind;
    out_kind.repeated = false;
    made.lhs = draw_layout<T>(random, lhs, kind);
    made.rhs = draw_layout<T>(random, rhs, kind);
    made.out = draw_layout<T>(random, dot_general_shape(lhs, rhs, config), out_kind);
    fill(made.lhs, random, integers);
    fill(made.rhs, random, integers);
    fill(made.out, random, integers);
    for (const Index extent : groups.k) made.terms *= static_cast<std::size_t>(extent);
    return made;
}

/// Calls body(index) for every index of `shape`.
template <class Body>
void for_each_index(const Dims& shape, Body&& body) {
    std::vector<Index> index(shape.size(), 0);
    if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
    for (;;) {
        body(index);
        std::size_t axis = 0;
        while (axis < shape.size() && ++index[axis] == shape[axis]) index[axis++] = 0;
        if (axis == shape.size()) return;
    }
}

/// The definition: overwrites the elements of `out` and no other memory.
template <class T>
void naive_contract(ContractionCase<T>& made, Strided<T>& out) {
    const DotGeneralConfig& config = made.config;
    const Dims lhs_free = free_axes(made.lhs.shape.size(), config.lhs_contract, config.lhs_batch);
    const Dims rhs_free = free_axes(made.rhs.shape.size(), config.rhs_contract, config.rhs_batch);
    Dims k_shape;
    for (const Index axis : config.lhs_contract)
        k_shape.push_back(made.lhs.shape[static_cast<std::size_t>(axis)]);
    std::vector<Index> lhs(made.lhs.shape.size()), rhs(made.rhs.shape.size());
    for_each_index(out.shape, [&](const std::vector<Index>& index) {
        std::size_t next = 0;
        for (const Index axis : lhs_free) lhs[static_cast<std::size_t>(axis)] = index[next++];
        for (const Index axis : rhs_free) rhs[static_cast<std::size_t>(axis)] = index[next++];
        for (std::size_t i = 0; i < config.lhs_batch.size(); ++i)
            lhs[static_cast<std::size_t>(config.lhs_batch[i])] =
                rhs[static_cast<std::size_t>(config.rhs_batch[i])] = index[next++];
        T total{};
        for_each_index(k_shape, [&](const std::vector<Index>& k) {
            for (std::size_t i = 0; i < k.size(); ++i)
                lhs[static_cast<std::size_t>(config.lhs_contract[i])] =
                    rhs[static_cast<std::size_t>(config.rhs_contract[i])] = k[i];
            total = elementwise::Add{}(total, elementwise::Mul{}(made.lhs.at(lhs), made.rhs.at(rhs)));
        });
        out.at(index) = total;
    });
}

}  // namespace tenferro::testing
