// Products of reflections in compact WY form, H_0 H_1 … H_{k-1} = I - V T Vᴴ with V unit lower trapezoidal,
// zeros written out, and T upper triangular (Schreiber and Van Loan, SIAM J. Sci. Stat. Comput. 10, 1989).
#pragma once

#include "linalg/builtin/products.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

/// Reflections after which a reduction brings its matrix up to date, and that are applied together.
inline constexpr Index kReductionPanel = 16, kAppliedPanel = 48;

template <class T>
struct Reflectors {
    Matrix<T> v, t;
};

/// T of V and the coefficients of the reflections.
template <class T>
void make_factor(const Reflectors<T>& q, const T* taus, Scratch& scratch);
/// C becomes Q C, or Qᴴ C.
template <class T>
void apply(const Reflectors<T>& q, bool adjoint_of_q, const Matrix<T>& c, Scratch& scratch);
/// A [m, n] = Q R with n <= m, R over the upper triangle of A; the rest of A is lost.
template <class T>
void factor_panel(const Matrix<T>& a, const Reflectors<T>& q, Scratch& scratch);

/// The reflections of a whole matrix, `width` at a time: those of panel p begin at row `offset` + p * width.
/// Columns of V are those of the panel, from that row on.
template <class T>
class ReflectorPanels {
public:
    ReflectorPanels(Index rows, Index count, Index width, Index offset, Scratch& scratch)
        : rows_(rows),
          count_(count),
          width_(width),
          offset_(offset),
          v_(take_matrix<T>(rows, count, scratch)),
          t_(take_matrix<T>(std::min(width, count), count, scratch)) {}

    [[nodiscard]] Index panels() const noexcept { return (count_ + width_ - 1) / width_; }
    [[nodiscard]] Index first(Index panel) const noexcept { return panel * width_; }
    [[nodiscard]] Reflectors<T> operator[](Index panel) const noexcept {
        const Index at = first(panel), count = std::min(width_, count_ - at);
        return {v_.block(at + offset_, at, rows_ - at - offset_, count), t_.block(0, at, count, count)};
    }
    /// The vectors by themselves, of which a reduction fills in one after the other, from where start() says
    /// on; then come their factors.
    [[nodiscard]] const Matrix<T>& vectors() const noexcept { return v_; }
    [[nodiscard]] T* start(Index j) const noexcept {
        const Index row = first(j / width_) + offset_;
        std::fill_n(&v_(row, j), j + offset_ - row, T(0));
        return &v_(j + offset_, j);
    }
    void make_factors(const T* taus, Scratch& scratch) const {
        for (Index panel = 0; panel < panels(); ++panel)
            make_factor((*this)[panel], taus + first(panel), scratch);
    }
    /// C becomes Q C; with `is_identity` C is the identity, of which parts stay what they are.
    void apply_to(const Matrix<T>& c, bool is_identity, Scratch& scratch) const {
        for (Index panel = panels() - 1; panel >= 0; --panel) {
            const Index row = first(panel) + offset_;
            apply((*this)[panel], false, c.below(row, is_identity ? row : 0), scratch);
        }
    }

private:
    Index rows_, count_, width_, offset_;
    Matrix<T> v_, t_;
};

/// A [m, n] = Q R with min(m, n) reflections, R over the upper triangle of A; the rest of A is lost.
template <class T>
void factor(const Matrix<T>& a, const ReflectorPanels<T>& q, Scratch& scratch);

}}}  // namespace tenferro::TENFERRO_ABI::linalg
