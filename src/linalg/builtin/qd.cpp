// The step of dqds (Fernando and Parlett, Numer. Math. 67, 1994), compiled once per instruction set.
//
// The pivots follow d' = d q' / (d + e) - shift, where each waits for the division before it. Here d is a
// fraction a / b: b' = a + e b and a' = a q' - shift b', which is two multiply-adds, and as accurate, since
// it rounds the same sum and the same difference. The divisions, q = b'/b, come after, on vectors.
#include "linalg/builtin/qd.hpp"

#include <cmath>
#include <limits>

#include "tenferro/cpu/contraction/highway_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "linalg/builtin/qd.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg { namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// With a division a row, where fractions underflow.
QdStep divide_qd(Index n, const QdArrays& from, double shift, const QdArrays& to) {
    constexpr double kMost = std::numeric_limits<double>::max();
    double d = from.q[0] - shift;
    QdStep step{kMost, d, 0, kMost};
    for (Index k = 0; k + 1 < n; ++k) {
        if (k > 0) step.least = std::min(step.least, step.before_last);
        if (k > 0) step.least_e = std::min(step.least_e, to.e[k - 1]);
        step.before_last = d;
        const double sum = d + from.e[k], ratio = from.q[k + 1] / sum;
        to.q[k] = sum;
        to.e[k] = from.e[k] * ratio;
        d = d * ratio - shift;
    }
    step.last = to.q[n - 1] = d + from.e[n - 1];
    to.e[n - 1] = 0;
    return step;
}

QdStep transform_qd(Index n, const QdArrays& from, double shift, const QdArrays& to, double* room) {
    constexpr double kLarge = 0x1p300, kMost = std::numeric_limits<double>::max();
    // Before and behind row k: b over b, and a.
    double *const above = room, *const below = room + n, *const pivot = room + 2 * n;
    double a = from.q[0] - shift, b = 1;
    below[0] = b;
    pivot[0] = a;
    for (Index k = 0; k + 1 < n; ++k) {
        const double next = a + from.e[k] * b;
        a = a * from.q[k + 1] - shift * next;
        above[k] = b = next;
        if (!(b > 1 / kLarge && b < kLarge)) {
            if (!(b > std::numeric_limits<double>::min() && b <= kMost)) return divide_qd(n, from, shift, to);
            const int exponent = -std::ilogb(b);
            a = std::scalbn(a, exponent);
            b = std::scalbn(b, exponent);
        }
        below[k + 1] = b;
        pivot[k + 1] = a;
    }
    const hn::ScalableTag<double> tag;
    const Index lanes = static_cast<Index>(hn::Lanes(tag));
    auto least = hn::Set(tag, kMost), least_e = least;
    Index k = 0;
    for (; k + lanes <= n - 2; k += lanes) {
        const auto inverse = hn::Div(hn::Set(tag, 1), hn::LoadU(tag, below + k));
        const auto q = hn::Mul(hn::LoadU(tag, above + k), inverse);
        const auto e = hn::Mul(hn::LoadU(tag, from.e + k), hn::Div(hn::LoadU(tag, from.q + k + 1), q));
        least = hn::Min(least, hn::Mul(hn::LoadU(tag, pivot + k), inverse));
        least_e = hn::Min(least_e, e);
        hn::StoreU(q, tag, to.q + k);
        hn::StoreU(e, tag, to.e + k);
    }
    QdStep step{hn::GetLane(hn::MinOfLanes(tag, least)), pivot[n - 2] / below[n - 2], 0,
                hn::GetLane(hn::MinOfLanes(tag, least_e))};
    for (; k + 1 < n; ++k) {
        to.q[k] = above[k] / below[k];
        to.e[k] = from.e[k] * (from.q[k + 1] / to.q[k]);
        if (k + 2 == n) break;
        step.least = std::min(step.least, pivot[k] / below[k]);
        step.least_e = std::min(step.least_e, to.e[k]);
    }
    step.last = to.q[n - 1] = pivot[n - 1] / below[n - 1] + from.e[n - 1];
    to.e[n - 1] = 0;
    return step;
}

QdTransform choose_qd() { return transform_qd; }

}}}}  // namespace tenferro::TENFERRO_ABI::linalg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

HWY_EXPORT(choose_qd);
QdTransform qd_transform() { return HWY_DYNAMIC_DISPATCH(choose_qd)(); }

}}}  // namespace tenferro::TENFERRO_ABI::linalg
#endif
