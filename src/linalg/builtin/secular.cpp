// Roots by rational interpolation between two poles, one of which has its own weight, in a bracket. What is
// unknown is mu, the distance from the nearer pole, so that no distance cancels.
#include "linalg/builtin/secular.hpp"

#include <cmath>

#include "tenferro/base/cancellation.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

constexpr Index kRootsPerTask = 32;

template <class R>
class Root {
public:
    Root(const Poles<R>& poles, const R* z_squared, R constant, Index i, R* distance) noexcept
        : poles_(poles),
          z_squared_(z_squared),
          constant_(constant),
          i_(i),
          is_last_(i + 1 == poles.n),
          low_(is_last_ ? i - 1 : i),
          distance_(distance) {}

    /// The distances of the poles from the root, in place; the root.
    R solve() {
        if (poles_.n == 1) {
            origin_ = poles_.d[0];
            const R far = z_squared_[0] / constant_;
            distance_[0] = -far;
            return origin_ + moved(0, far);
        }
        begin();
        constexpr int kMost = 100, kInterpolations = 50;
        for (int step = 0; step < kMost; ++step) {
            evaluate();
            const R size = constant_ + std::abs(below_.value) + std::abs(above_.value);
            if (!(std::abs(value_) > 8 * std::numeric_limits<R>::epsilon() * size)) break;
            (value_ < 0 ? least_ : most_) = mu_;
            const R next = step < kInterpolations ? interpolate() : (least_ + most_) / 2;
            if (next == mu_ || !(next > least_ && next < most_)) break;
            mu_ = next;
        }
        return origin_ + mu_;
    }

private:
    /// pole_j - pole_i.
    [[nodiscard]] R between(Index j, Index i) const noexcept {
        const R gap = poles_.d[j] - poles_.d[i];
        return poles_.squared ? gap * (poles_.d[j] + poles_.d[i]) : gap;
    }
    /// What mu becomes where the point, or its square, moves by eta.
    [[nodiscard]] R moved(R mu, R eta) const noexcept {
        if (!poles_.squared) return mu + eta;
        const R at = origin_ + mu, square = at * at + eta;
        return square < 0 ? std::numeric_limits<R>::quiet_NaN() : mu + eta / (at + std::sqrt(square));
    }
    [[nodiscard]] bool inside(R mu) const noexcept { return mu > least_ && mu < most_; }

    void evaluate() noexcept {
        const auto& kernels = secular_kernels<R>();
        below_ = kernels.sums(poles_, 0, low_ + 1, z_squared_, origin_, mu_, distance_);
        above_ = kernels.sums(poles_, low_ + 1, poles_.n, z_squared_, origin_, mu_, distance_);
        value_ = constant_ + below_.value + above_.value;
    }

    /// The nearer pole, a bracket, and the root with all terms but two taken for constant.
    void begin() noexcept {
        const Index high = low_ + 1;
        origin_ = poles_.d[i_];
        R end;
        if (is_last_) {
            R weight = 0;
            for (Index j = 0; j < poles_.n; ++j) weight += z_squared_[j];
            end = moved(0, weight / constant_) * (1 + 4 * std::numeric_limits<R>::epsilon());
        } else {
            end = poles_.d[high] - origin_;
        }
        mu_ = end / 2;
        least_ = 0;
        most_ = end;
        evaluate();
        const R rest = value_ - z_squared_[low_] / distance_[low_] - z_squared_[high] / distance_[high];
        const R middle = mu_;
        (value_ < 0 ? least_ : most_) = middle;
        from_low_ = !is_last_ && value_ >= 0;
        if (!is_last_ && value_ < 0) {
            origin_ = poles_.d[high];
            least_ = -middle;
            most_ = 0;
        }
        const R gap = between(high, low_), weights = z_squared_[low_] + z_squared_[high];
        // rest eta² - a eta + b = 0 for the distance from the origin.
        const R guess = from_low_ ? root_of(rest, rest * gap + weights, z_squared_[low_] * gap, 0)
                                  : root_of(rest, weights - rest * gap, -z_squared_[high] * gap, 0);
        mu_ = inside(guess) ? guess : (least_ + most_) / 2;
    }

    /// moved(mu, eta) with c eta² - a eta + b = 0 that is inside the bracket, else NaN.
    [[nodiscard]] R root_of(R c, R a, R b, R mu) const noexcept {
        const R sum = (a + std::copysign(std::sqrt(std::max(R(0), a * a - 4 * b * c)), a)) / 2;
        if (const R near = moved(mu, b / sum); inside(near)) return near;
        if (const R other = moved(mu, sum / c); inside(other)) return other;
        return std::numeric_limits<R>::quiet_NaN();
    }

    [[nodiscard]] R interpolate() const noexcept {
        const R low = distance_[low_], high = distance_[low_ + 1], gap = between(low_ + 1, low_);
        const R slope = below_.derivative + above_.derivative;
        const R weight_low = z_squared_[low_] / low / low, weight_high = z_squared_[low_ + 1] / high / high;
        const R c =
            from_low_ ? value_ - high * slope + gap * weight_low : value_ - low * slope - gap * weight_high;
        const R a = (low + high) * value_ - low * high * slope, b = low * high * value_;
        if (const R next = root_of(c, a, b, mu_); inside(next)) return next;
        if (const R next = moved(mu_, -value_ / slope); inside(next)) return next;
        return (least_ + most_) / 2;
    }

    const Poles<R>& poles_;
    const R* z_squared_;
    R constant_;
    Index i_;
    bool is_last_, from_low_ = false;
    Index low_;  ///< the root is interpolated between this pole and the next
    R* distance_;
    R origin_ = 0, mu_ = 0, least_ = 0, most_ = 0, value_ = 0;
    SecularSum<R> below_{}, above_{};
};

}  // namespace

template <class R>
void solve_secular(const Poles<R>& poles, R* z, R constant, R* roots, R* norms, const Matrix<R>& vectors,
                   Scratch& scratch) {
    CancellationScope::check_current();
    const Scratch::Frame frame(scratch);
    const auto& kernels = secular_kernels<R>();
    const Index n = poles.n;
    R* const work = scratch.take<R>(n);
    for (Index j = 0; j < n; ++j) work[j] = z[j] * z[j];
    const Index tasks = (n + kRootsPerTask - 1) / kRootsPerTask;
    scratch.for_each(tasks, [&](Index task) {
        for (Index i = task * kRootsPerTask; i < std::min(n, (task + 1) * kRootsPerTask); ++i)
            roots[i] = Root<R>(poles, work, constant, i, vectors.column(i)).solve();
    });
    std::fill_n(work, n, R(1));
    for (Index i = 0; i < n; ++i) {
        const R* const distance = vectors.column(i);
        kernels.gather(poles, 0, i, i, distance, work);
        work[i] *= distance[i];
        kernels.gather(poles, i + 1, n, i, distance, work);
    }
    for (Index j = 0; j < n; ++j) z[j] = std::copysign(std::sqrt(std::abs(work[j])), z[j]);
    for (Index i = 0; i < n; ++i) norms[i] = std::sqrt(kernels.vector(n, z, vectors.column(i)));
}

template void solve_secular(const Poles<float>&, float*, float, float*, float*, const Matrix<float>&,
                            Scratch&);
template void solve_secular(const Poles<double>&, double*, double, double*, double*, const Matrix<double>&,
                            Scratch&);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
