// Every spin is a tensor T[up, left, down, right] of extents 2, the sum over its two values of four halves of
// bonds: T = 2 cosh(K)^((4-n)/2) sinh(K)^(n/2) where n, the number of ones among the indices, is even, else
// 0. A step splits the tensors of one sublattice between (up, left) and (down, right), those of the other
// between (left, down) and (up, right), each by a truncated SVD whose singular values go half to either side.
// The four halves around every second square of the lattice are contracted to a tensor of a lattice with
// half as many sites. Tensors are divided by their largest element f, so that
//
//   ln Z / N = sum over steps n of ln f_n / 2^n + ln(trace of the last tensor) / 2^steps.
//
// This does not depend on the f_n, which count as constants when it is differentiated: the reverse pass goes
// back through every step with tfe_einsum_vjp_f64 and tfe_svd_rrule_f64, to the derivative by K of the first
// tensor. Singular values that are equal are kept or left out together, since a cut between them has no
// derivative.
#include "cli/trg.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "cli/c_handle.hpp"

namespace tenferro::cli {
namespace {

/// The four halves around a square: the lower right of its upper left site, and on in the clock's order.
constexpr const char* kSquare = "awn,neb,esc,xws->axcb";
constexpr const char *kScaleColumns = "ija,a->ija", *kScaleRows = "aij,a->aij", *kTrace = "ulul->";

/// Axis lists of the two ways to split a tensor.
struct Split {
    std::size_t left[2], right[2];
};
constexpr Split kFalling{{0, 1}, {2, 3}}, kRising{{1, 2}, {0, 3}};

/// Smaller singular values, in the largest one, are rounding.
constexpr double kNegligible = 1e-13;
/// Values that differ by less are equal.
constexpr double kEqual = 1e-7;

CHandle tensor(const std::vector<double>& data, std::initializer_list<std::size_t> shape) {
    tfe_status_t status = TFE_SUCCESS;
    CHandle made(tfe_tensor_f64_from_data(data.data(), data.size(), shape.begin(), shape.size(), &status));
    check_status(status);
    return made;
}

std::vector<double> values(const CHandle& tensor) {
    const std::span<const double> all = elements(tensor);
    return {all.begin(), all.end()};
}

std::size_t extent(const CHandle& tensor, std::size_t axis) {
    std::array<std::size_t, 4> shape{};
    tfe_tensor_f64_shape(tensor.get(), shape.data());
    check_call(shape[axis] != 0);
    return shape[axis];
}

CHandle einsum(const char* subscripts, std::initializer_list<tfe_tensor_f64*> operands) {
    tfe_status_t status = TFE_SUCCESS;
    CHandle result(tfe_einsum_f64(subscripts, operands.begin(), operands.size(), &status));
    check_status(status);
    return result;
}

std::vector<CHandle> einsum_vjp(const char* subscripts, std::initializer_list<tfe_tensor_f64*> operands,
                                const CHandle& cotangent) {
    tfe_status_t status = TFE_SUCCESS;
    std::vector<tfe_tensor_f64*> raw(operands.size());
    std::vector<CHandle> gradients(operands.size());
    tfe_einsum_vjp_f64(subscripts, operands.begin(), operands.size(), cotangent.get(), raw.data(), &status);
    check_status(status);
    for (std::size_t i = 0; i < raw.size(); ++i) gradients[i].reset(raw[i]);
    return gradients;
}

/// A tensor as the product of two halves [.., .., a] and [a, .., ..].
struct Halves {
    CHandle u, root, vt;  ///< the SVD and the square roots of its singular values
    CHandle first, second;
};

/// How many of the singular values are kept: at most `most`, no negligible ones, and not some of several
/// equal ones.
std::size_t kept(const std::vector<double>& s, std::size_t most) {
    std::size_t k = std::min(s.size(), most);
    while (k > 1 && s[k - 1] <= kNegligible * s[0]) --k;
    const auto cuts_equal = [&](std::size_t cut) {
        return cut < s.size() && s[cut - 1] - s[cut] <= kEqual * s[cut - 1];
    };
    std::size_t lower = k;
    while (lower > 1 && cuts_equal(lower)) --lower;
    return cuts_equal(lower) ? k : lower;
}

/// `most` singular values and one more, for the cut to be seen.
Halves split(const CHandle& t, const Split& axes, std::size_t most) {
    tfe_tensor_f64 *u = nullptr, *s = nullptr, *vt = nullptr;
    tfe_status_t status = TFE_SUCCESS;
    tfe_svd_f64(t.get(), axes.left, 2, axes.right, 2, most + 1, -1, &u, &s, &vt, &status);
    Halves halves{CHandle(u), CHandle(s), CHandle(vt), nullptr, nullptr};
    check_status(status);
    std::vector<double> roots = values(halves.root), columns = values(halves.u);
    const std::vector<double> rows = values(halves.vt);
    const std::size_t all = roots.size(), k = kept(roots, most);
    const std::size_t shape[4] = {extent(halves.u, 0), extent(halves.u, 1), extent(halves.vt, 1),
                                  extent(halves.vt, 2)};
    roots.resize(k);
    for (double& root : roots) root = std::sqrt(root);
    columns.resize(shape[0] * shape[1] * k);
    std::vector<double> kept_rows(k * shape[2] * shape[3]);
    for (std::size_t column = 0; column < shape[2] * shape[3]; ++column)
        std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(column * all), k,
                    kept_rows.begin() + static_cast<std::ptrdiff_t>(column * k));
    halves.root = tensor(roots, {k});
    halves.u = tensor(columns, {shape[0], shape[1], k});
    halves.vt = tensor(kept_rows, {k, shape[2], shape[3]});
    halves.first = einsum(kScaleColumns, {halves.u.get(), halves.root.get()});
    halves.second = einsum(kScaleRows, {halves.vt.get(), halves.root.get()});
    return halves;
}

/// The gradient of what was split, for those of its halves.
std::vector<double> split_vjp(const CHandle& t, const Split& axes, const Halves& halves,
                              const CHandle& first_gradient, const CHandle& second_gradient) {
    const std::vector<CHandle> columns =
        einsum_vjp(kScaleColumns, {halves.u.get(), halves.root.get()}, first_gradient);
    const std::vector<CHandle> rows =
        einsum_vjp(kScaleRows, {halves.vt.get(), halves.root.get()}, second_gradient);
    const std::vector<double> roots = values(halves.root), by_rows = values(rows[1]);
    std::vector<double> by_s = values(columns[1]);
    for (std::size_t i = 0; i < by_s.size(); ++i) by_s[i] = (by_s[i] + by_rows[i]) / (2 * roots[i]);
    const CHandle s_gradient = tensor(by_s, {by_s.size()});
    tfe_status_t status = TFE_SUCCESS;
    const CHandle gradient(tfe_svd_rrule_f64(t.get(), axes.left, 2, axes.right, 2, roots.size(), -1,
                                             columns[0].get(), s_gradient.get(), rows[0].get(), &status));
    check_status(status);
    return values(gradient);
}

/// A step and what its reverse needs.
struct Step {
    CHandle t;     ///< the tensor before, divided by `largest`
    double scale;  ///< its largest element
    Halves falling, rising;
};

Step normalised(CHandle t) {
    std::vector<double> elements = values(t);
    double largest = 0;
    for (const double element : elements) largest = std::max(largest, std::abs(element));
    for (double& element : elements) element /= largest;
    return {tensor(elements, {extent(t, 0), extent(t, 1), extent(t, 2), extent(t, 3)}), largest, {}, {}};
}

/// The tensor of one spin and its derivative by K.
struct Spin {
    std::vector<double> tensor, derivative;
};
Spin spin(double coupling) {
    Spin made{std::vector<double>(16), std::vector<double>(16)};
    const double cosh = std::cosh(coupling), sinh = std::sinh(coupling);
    for (unsigned index = 0; index < 16; ++index) {
        const int ones = __builtin_popcount(index);
        if (ones % 2 != 0) continue;
        const int sines = ones / 2, cosines = 2 - sines;
        made.tensor[index] = 2 * std::pow(cosh, cosines) * std::pow(sinh, sines);
        made.derivative[index] = made.tensor[index] * (cosines * sinh / cosh + sines * cosh / sinh);
    }
    return made;
}

}  // namespace

TrgPoint renormalise_ising(double temperature, int rank, int steps) {
    const Spin one = spin(1 / temperature);
    std::vector<Step> done;
    CHandle t = tensor(one.tensor, {2, 2, 2, 2});
    double log_z = 0, sites = 1;
    for (int n = 0; n < steps; ++n, sites *= 2) {
        Step& step = done.emplace_back(normalised(std::move(t)));
        log_z += std::log(step.scale) / sites;
        step.falling = split(step.t, kFalling, static_cast<std::size_t>(rank));
        step.rising = split(step.t, kRising, static_cast<std::size_t>(rank));
        t = einsum(kSquare, {step.falling.second.get(), step.rising.first.get(), step.falling.first.get(),
                             step.rising.second.get()});
    }
    const CHandle trace = einsum(kTrace, {t.get()});
    const double last = elements(trace)[0];
    log_z += std::log(last) / sites;

    CHandle gradient = std::move(einsum_vjp(kTrace, {t.get()}, tensor({1 / (last * sites)}, {})).front());
    for (auto step = done.rbegin(); step != done.rend(); ++step) {
        const std::vector<CHandle> halves = einsum_vjp(kSquare,
                                                       {step->falling.second.get(), step->rising.first.get(),
                                                        step->falling.first.get(), step->rising.second.get()},
                                                       gradient);
        std::vector<double> sum = split_vjp(step->t, kFalling, step->falling, halves[2], halves[0]);
        const std::vector<double> other = split_vjp(step->t, kRising, step->rising, halves[1], halves[3]);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = (sum[i] + other[i]) / step->scale;
        gradient =
            tensor(sum, {extent(step->t, 0), extent(step->t, 1), extent(step->t, 2), extent(step->t, 3)});
    }
    const std::vector<double> by_tensor = values(gradient);
    double slope = 0;
    for (std::size_t i = 0; i < by_tensor.size(); ++i) slope += by_tensor[i] * one.derivative[i];
    return {log_z, -slope};
}

}  // namespace tenferro::cli
