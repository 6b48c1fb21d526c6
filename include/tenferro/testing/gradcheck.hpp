// Checks of derivatives for the tests of libraries with operations of their own, and of our own operations: a
// function of traced tensors is differentiated in every way and compared with central differences, with its
// own transpose and with itself under other compilations. Needs no test framework: what is wrong is text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tenferro/runtime/traced_tensor.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace gradcheck {

/// Where elements are drawn: magnitudes of real ones, or of both parts of complex ones, and whether they have
/// signs. Elements are exact in F32. Parts of complex elements are within 0.3 and 0.8, off the axes, where
/// branch cuts are, unless `low` is 0.
struct Domain {
    double low = 0, high = 0;
    bool signs = false;
    /// Elements differ by a tenth of the range over their number at least.
    bool distinct = false;
};
inline constexpr Domain kAnywhere{0.3, 1.5, true}, kPositive{0.5, 2, false}, kUnit{0.2, 0.7, true},
    kAboveOne{1.4, 2.5, false}, kDirection{0, 1, true}, kDistinct{-2, 2, false, true};

struct Operand {
    Dims shape;
    Domain domain = kAnywhere;
    /// Of operands that do not have the dtype of the check, such as indices and predicates.
    std::optional<DType> dtype = std::nullopt;
    /// Given, in column-major order, instead of drawn.
    std::vector<double> elements = {};
};

/// A function with operands around which it is smooth: a few thousandths to each side, with derivatives up to
/// the fifth that are not huge.
struct Sample {
    std::vector<Operand> operands;
    std::function<std::vector<TracedTensor>(std::span<const TracedTensor>)> function;
    /// Shapes on which the function is defined too, one per operand: the program with symbolic extents runs
    /// on both.
    std::vector<Dims> other_shapes = {};
    /// False where a shape rule needs known extents; tracing with symbolic ones is InvalidConfig then.
    bool symbolic = true;
    /// False where the function is not defined in single precision.
    bool single = true;
};

struct Counts {
    int samples = 0;  ///< with an activity, that is which operands tangents are for
    int jvp = 0, transposes = 0, second_order = 0, programs = 0, symbolic = 0, single = 0;

    TENFERRO_API Counts& operator+=(const Counts& more);
};

struct Report {
    std::vector<std::string> failures;  ///< empty: all is well
    Counts counts;

    /// The failures, one a line.
    [[nodiscard]] TENFERRO_API std::string text() const;
};

/// Checks `sample` in `dtype`, F64 or C64, on `backend`, for every choice of operands that tangents are for:
///   jvp            against central differences of fourth order
///   vjp            <ct, jvp dx> = <vjp ct, dx>, transposed twice it is the jvp, and nothing of the tangents
///   is
///                  left in it
///   second order   of a real function of the results, against differences of its gradient
///   programs       with and without folding and fusion, on `others` too, give the same
///   symbolic       so does the graph traced with unknown extents, each operand's of its own
///   single         and, within its precision, F32 or C32
/// Values are drawn from `seed`. Throws what tracing, rules and operations throw.
[[nodiscard]] TENFERRO_API Report check(const Sample& sample, TensorBackend& backend,
                                        DType dtype = DType::F64, std::uint64_t seed = 1,
                                        std::span<TensorBackend* const> others = {});

}}}  // namespace tenferro::TENFERRO_ABI::gradcheck
