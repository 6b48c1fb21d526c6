// spectral_quotient: shape and execution.
#include "linalg/operations/spectral_quotient.hpp"

#include <cmath>

#include "linalg/backend/operand.hpp"
#include "linalg/operations/infer.hpp"
#include "linalg/operations/run.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// By how much computed copies of one of n numbers differ, beside the largest.
template <class R>
R rounding_of_copies(Index n) {
    return std::max(R(8), 3 * std::sqrt(static_cast<R>(n))) * kEps<R>;
}

/// One matrix [m, n]; dx may be null.
template <class T>
struct Quotients {
    using R = RealOf<T>;
    Index m, n, part;
    const T *x, *dx;
    const R* s;
    R eps;
    T* out;

    /// divisor(i, j), and as s moves along (1, 2, …) its derivative; size(i, j) is the larger end of a gap.
    template <class Divisor, class Derivative, class Size>
    void run(Divisor&& divisor, Derivative&& derivative, Size&& size) const {
        const auto whole = [this](const T* a, Index i, Index j) { return a[i + j * m]; };
        const auto half = static_cast<R>(part) / 2;
        const auto part_of = [this, half](const T* a, Index i, Index j) {
            return a[i + j * m] * R(0.5) + conjugate(a[j + i * m]) * half;
        };
        if (part == SpectralQuotient::kWhole)
            divide(whole, divisor, derivative, size);
        else
            divide(part_of, divisor, derivative, size);
    }
    template <class Dividend, class Divisor, class Derivative, class Size>
    void divide(Dividend&& dividend, Divisor&& divisor, Derivative&& derivative, Size&& size) const {
        R peak = 0;
        for (Index j = 0; j < n; ++j) peak = std::max(peak, std::abs(s[j]));
        const R least = std::max(eps, rounding_of_copies<R>(n)) * peak, beside = std::sqrt(kEps<T>) / 4;
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < m; ++i) {
                const R by = divisor(i, j), slope = derivative(i, j);
                const bool small =
                    std::abs(by) <= least || (dx != nullptr && std::abs(by) <= beside * size(i, j));
                if (!small)
                    out[i + j * m] = dividend(x, i, j) / by;
                else
                    out[i + j * m] = dx != nullptr && slope != 0 ? dividend(dx, i, j) / slope : T(0);
            }
    }
    void run(Index kind) const {
        const auto no_gap = [](Index, Index) { return R(0); };
        const auto number = [](Index i) { return static_cast<R>(i); };
        if (kind == SpectralQuotient::kDifference)
            run([&](Index i, Index j) { return s[j] - s[i]; },
                [&](Index i, Index j) { return number(j - i); },
                [&](Index i, Index j) { return std::max(std::abs(s[i]), std::abs(s[j])); });
        else if (kind == SpectralQuotient::kSum)
            run([&](Index i, Index j) { return s[i] + s[j]; },
                [&](Index i, Index j) { return number(i + j + 2); }, no_gap);
        else
            run([&](Index, Index j) { return s[j]; }, [&](Index, Index j) { return number(j + 1); }, no_gap);
    }
};

}  // namespace

SpectralQuotient::SpectralQuotient(Index the_kind, Index the_part, double the_eps, bool the_limit)
    : kind(the_kind), part(the_part), eps(the_eps), limit(the_limit) {
    if (kind < kDifference || kind > kColumn)
        throw Error(ErrorKind::InvalidArgument, kName, text("kind is ", kind, " but must be 0, 1 or 2"));
    if (part < kAntihermitian || part > kHermitian || (part != kWhole && kind == kColumn))
        throw Error(ErrorKind::InvalidArgument, kName,
                    text("part is ", part, " but must be -1, 0 or 1, and 0 for kind 2"));
    check_derivative_eps(eps, kName);
}

std::vector<TensorMeta> SpectralQuotient::infer(std::span<const TensorMeta> in) const {
    const MatrixShape x(in[0], kName);
    if (kind != kColumn) static_cast<void>(SquareShape(in[0], kName));
    static_cast<void>(common_meta(in[1], x.of(real_dtype(x.dtype), {x.n}), kName, "the spectrum",
                                  "that of the operand's columns"));
    return {limit ? common_meta(in[0], in[2], kName, "the operand", "its derivative") : in[0]};
}

std::vector<Tensor> SpectralQuotient::run(BackendSession& session, std::span<const TensorRead> in) const {
    return visit_floating(in[0].dtype(), [&]<class T>() {
        const Index m = in[0].shape()[0], n = in[0].shape()[1];
        const Elements<T> x(session, in[0]);
        const Elements<RealOf<T>> s(session, in[1]);
        const auto dx = limit ? std::optional<Elements<T>>(std::in_place, session, in[2]) : std::nullopt;
        const Dims batch = batch_extents(in[0], 2, kName);
        Result<T> out(session, {m, n}, batch);
        for_each_matrix(session, kName, batch, 4.0 * static_cast<double>(m * n),
                        [&](Index i, Scratch&) -> MaybeProblem {
                            Quotients<T>{m,
                                         n,
                                         part,
                                         x + i * m * n,
                                         dx ? *dx + i * m * n : nullptr,
                                         s + i * n,
                                         static_cast<RealOf<T>>(eps),
                                         out[i]}
                                .run(kind);
                            return std::nullopt;
                        });
        return outputs(std::move(out.tensor));
    });
}

MatrixPlan::MaybeValue SpectralQuotient::matrix_step(MatrixPlan& plan, MatrixPlan::Values in) const {
    if (limit) return std::nullopt;
    const Index n = plan.extents(in[0]).columns;
    const double rounding = plan.dtype() == DType::F32 ? static_cast<double>(rounding_of_copies<float>(n))
                                                       : rounding_of_copies<double>(n);
    const double sign = kind == kDifference ? -1 : kind == kSum ? 1 : 0, half = static_cast<double>(part) / 2;
    return plan.divide({in[0], in[1], part == kWhole ? 1 : 0.5, half, sign, std::max(eps, rounding)});
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
