// The singular values of bidiagonal matrices alone, by dqds: steps of qd.cpp with shifts below the least
// eigenvalue of what is left, so that all of them are found to high relative accuracy. Shifts and deflation
// follow Parlett and Marques (Linear Algebra Appl. 309, 2000), with one criterion more.
#include <cmath>
#include <optional>

#include "linalg/builtin/bidiagonal.hpp"
#include "linalg/builtin/qd.hpp"
#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// The square of a relative error.
constexpr double kSquaredTolerance = 1e4 * kEpsilon * kEpsilon;

/// All that was taken off the eigenvalues, as a sum of two numbers.
struct Shift {
    double sum = 0, rest = 0;

    void add(double more) noexcept {
        const double total = sum + more;
        rest += more < sum ? more - (total - sum) : sum - (total - more);
        sum = total;
    }
};

class Spectrum {
public:
    /// Both arrays have what is to be decomposed.
    Spectrum(const QdArrays& now, const QdArrays& other, double* room, double* values) noexcept
        : now_(now), other_(other), room_(room), values_(values) {}

    /// Those of the first n rows; false where it does not converge.
    [[nodiscard]] bool run(Index n) {
        while (n > 0) {
            const Index first = split(0, n, 0) + 1;
            if (!settle(first, n, Shift{})) return false;
            n = first;
        }
        return true;
    }

private:
    /// Rows [first, last), which are linked.
    [[nodiscard]] bool settle(Index first, Index last, Shift shift) {
        now_.e[last - 1] = 0;
        turn_around(first, last);
        std::optional<QdStep> step;
        for (Index most = 30 * (last - first + 1); most > 0; --most) {
            if (most % 64 == 0) CancellationScope::check_current();
            if (!deflate(first, last, shift, step)) return true;
            const std::optional<double> taken = transform(first, last, step);
            if (!taken) return false;
            shift.add(*taken);
            if (step->least_e > kSquaredTolerance * (shift.sum + step->least)) continue;
            const Index at = split(first, last - 1, shift.sum);
            if (at < first) continue;
            std::copy(now_.q + first, now_.q + at + 1, other_.q + first);  // whichever is in use then
            std::copy(now_.e + first, now_.e + at + 1, other_.e + first);
            if (!settle(at + 1, last, shift)) return false;
            last = at + 1;
            now_.e[at] = 0;
            step.reset();
            turn_around(first, last);
        }
        return false;
    }

    /// The last row of [first, last - 1) whose e is nothing beside any eigenvalue, or first - 1.
    [[nodiscard]] Index split(Index first, Index last, double shift) const noexcept {
        Index at = first - 1;
        double d = now_.q[first];
        for (Index k = first; k + 1 < last; ++k)
            if (now_.e[k] <= kSquaredTolerance * (shift + d)) {
                at = k;
                d = now_.q[k + 1];
            } else {
                d = now_.q[k + 1] * (d / (d + now_.e[k]));
            }
        return at;
    }

    /// Small values are found at the end.
    void turn_around(Index first, Index last) const noexcept {
        if (1.5 * now_.q[first] >= now_.q[last - 1]) return;
        std::reverse(now_.q + first, now_.q + last);
        std::reverse(now_.e + first, now_.e + last - 1);
    }

    void give(const Shift& shift, double value) noexcept {
        *values_++ = std::sqrt(shift.sum + (shift.rest + value));
    }
    /// Those of two rows (LAPACK's formulas, which do not cancel).
    void give_pair(const Shift& shift, double first, double second, double beside) noexcept {
        if (second > first) std::swap(first, second);
        if (beside > second * kSquaredTolerance) {
            const double half = ((first - second) + beside) / 2, ratio = second * (beside / half);
            const double more = ratio <= half
                                    ? second * (beside / (half * (1 + std::sqrt(1 + ratio / half))))
                                    : second * (beside / (half + std::sqrt(half) * std::sqrt(half + ratio)));
            const double larger = first + (more + beside);
            second *= first / larger;
            first = larger;
        }
        give(shift, first);
        give(shift, second);
    }

    /// Takes off the end what has converged; false where nothing is left.
    [[nodiscard]] bool deflate(Index first, Index& last, const Shift& shift, std::optional<QdStep>& step) {
        const double* const q = now_.q;
        double* const e = now_.e;
        while (last - first > 1) {
            if (e[last - 1] != 0) return true;  // a step takes it in
            const double end = q[last - 1], beside = e[last - 2];
            if (beside <= kSquaredTolerance * (shift.sum + end)) {
                give(shift, end);
                e[--last - 1] = 0;
            } else if (end == 0 || beside * (end / shift.sum) <= kSquaredTolerance * shift.sum) {
                // In B Bᵀ the last row is nearly alone. The others keep the column behind them.
                give(shift, end);
                --last;
            } else if (last - first == 2 ||
                       e[last - 3] <= kSquaredTolerance * std::max(shift.sum, q[last - 3])) {
                give_pair(shift, q[last - 2], end, beside);
                last -= 2;
                if (last == first) return false;
                e[last - 1] = 0;
            } else {
                return true;
            }
            if (step) step = QdStep{step->least, step->least, q[last - 1] + e[last - 1], step->least_e};
        }
        give(shift, q[first] + e[first]);
        return false;
    }

    /// A step, by the shift that it returns.
    [[nodiscard]] std::optional<double> transform(Index first, Index last, std::optional<QdStep>& step) {
        constexpr int kTries = 8, kGuesses = 5;
        double shift = step ? next_shift(first, last, *step) : 0;
        const double bound = step ? step->upper_bound() : 0;
        for (int tries = 1; tries <= kTries; ++tries) {
            const QdStep made = kernel_(last - first, now_.from(first), shift, other_.from(first), room_);
            if (made.is_positive()) {
                step = made;
                std::swap(now_, other_);
                return shift;
            }
            // Where the last alone is negative, it says by how much the shift was too large.
            const bool late = made.least > 0 && made.before_last > 0 && shift + made.last > 0;
            if (tries >= kGuesses)
                shift = 0;
            else if (late)
                shift = (shift + made.last) * (1 - 2 * kEpsilon);
            else
                shift = std::max(shift - 3 * (bound - shift), shift / 4);
        }
        return std::nullopt;
    }

    /// What is likely to be little less than the least eigenvalue.
    [[nodiscard]] double next_shift(Index first, Index last, const QdStep& step) const noexcept {
        constexpr double kFar = 0.56, kMargin = 1.05;
        const double others = std::min(step.least, step.before_last), end = step.last;
        if (!(std::min(others, end) > 0)) return 0;
        if (others < end) return others / 4;
        // The vector that Bᵀ B takes to a multiple of the last unit vector: its quotient and residual.
        double product = 1, sum = 0;
        for (Index k = last - 2; k >= first && 100 * product >= sum && sum <= kFar; --k) {
            product *= now_.e[k] / now_.q[k];
            sum += product;
        }
        sum *= kMargin;
        if (sum > kFar) return end / 4;
        const double quotient = end / (1 + sum), residual = quotient * std::sqrt(sum);
        const double gap = 0.75 * others - quotient;
        return gap > residual ? quotient - residual * residual / gap : std::max(quotient - residual, end / 3);
    }

    const QdTransform kernel_ = qd_transform();
    QdArrays now_, other_;
    double *room_, *values_;
};

}  // namespace

template <class R>
bool bidiagonal_values(Index n, R* diagonal, const R* above, Scratch& scratch) {
    if (n == 0) return true;
    const Scratch::Frame frame(scratch);
    const auto take = [&] { return QdArrays{scratch.take<double>(n), scratch.take<double>(n)}; };
    const QdArrays now = take(), other = take();
    double largest = 0;
    for (Index i = 0; i < n; ++i)
        largest = std::max<double>({largest, std::abs(diagonal[i]), i + 1 < n ? std::abs(above[i]) : R(0)});
    const int exponent = largest > 0 ? std::ilogb(largest) : 0;
    const auto squared_of = [&](R x) {
        const double scaled = std::scalbn(static_cast<double>(x), -exponent);
        return scaled * scaled;
    };
    for (Index i = 0; i < n; ++i) {
        now.q[i] = other.q[i] = squared_of(diagonal[i]);
        now.e[i] = other.e[i] = i + 1 < n ? squared_of(above[i]) : 0;
    }
    double* const values = scratch.take<double>(n);
    if (!Spectrum(now, other, scratch.take<double>(3 * n), values).run(n)) return false;
    std::sort(values, values + n);
    for (Index i = 0; i < n; ++i) diagonal[i] = static_cast<R>(std::scalbn(values[i], exponent));
    return true;
}

template bool bidiagonal_values(Index, float*, const float*, Scratch&);
template bool bidiagonal_values(Index, double*, const double*, Scratch&);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
