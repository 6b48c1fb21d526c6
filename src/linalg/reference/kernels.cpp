// The kernels of the reference backend: the algorithms in double precision, whatever the dtype.
#include <algorithm>

#include "base/immortal.hpp"
#include "linalg/kernels/matrix_kernels.hpp"
#include "linalg/reference/algorithms.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

template <class T>
using Wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;

/// A matrix or vector in double precision, that is written back when asked to. One element more: there is
/// memory, unless `narrow` is null, for no elements too.
template <class W, class T>
class Widened {
public:
    Widened(T* narrow, Index count) : narrow_(narrow), values_(static_cast<std::size_t>(count) + 1) {}
    [[nodiscard]] static Widened of(const T* narrow, Index count) {
        Widened made(const_cast<T*>(narrow), count);
        std::copy_n(narrow, count, made.values_.begin());
        return made;
    }
    [[nodiscard]] W* data() noexcept { return narrow_ == nullptr ? nullptr : values_.data(); }
    void write_back() {
        if (narrow_ != nullptr)
            std::transform(values_.begin(), values_.end() - 1, narrow_,
                           [](W x) { return static_cast<T>(x); });
    }

private:
    T* narrow_;
    std::vector<W> values_;
};

template <class T>
class ReferenceKernels final : public MatrixKernels<T> {
    using typename MatrixKernels<T>::R;
    using typename MatrixKernels<T>::C;
    using W = Wide<T>;
    using Matrix = Widened<W, T>;
    using Reals = Widened<double, R>;
    using Complexes = Widened<std::complex<double>, C>;

    void multiply(bool add, Index n, const T* a, const T* b, T* c, Scratch&) const override {
        multiply_plainly(add, n, a, b, c);
    }
    [[nodiscard]] Index cholesky(Index n, T* a, Scratch&) const override {
        Matrix wide = Matrix::of(a, n * n);
        const Index minor = reference::cholesky(n, wide.data());
        wide.write_back();
        return minor;
    }
    void triangular_solve(const TriangularOptions& options, Index n, Index k, const T* a, T* b,
                          Scratch&) const override {
        Matrix wide_a = Matrix::of(a, n * n), wide_b = Matrix::of(b, n * k);
        reference::triangular_solve(options, n, k, wide_a.data(), wide_b.data());
        wide_b.write_back();
    }
    [[nodiscard]] int lu(Index m, Index n, T* a, std::int64_t* rows, Scratch&) const override {
        return eliminate(m, n, a, rows, nullptr);
    }
    [[nodiscard]] int full_piv_lu(Index m, Index n, T* a, std::int64_t* rows, std::int64_t* columns,
                                  Scratch&) const override {
        return eliminate(m, n, a, rows, columns);
    }
    void qr(Index m, Index n, Index k, T* a, T* q, T* r, std::int64_t* columns, Scratch&) const override {
        Matrix wide_a = Matrix::of(a, m * n), wide_q(q, m * k), wide_r(r, k * n);
        reference::qr(m, n, k, wide_a.data(), wide_q.data(), wide_r.data(), columns);
        wide_q.write_back();
        wide_r.write_back();
    }
    [[nodiscard]] bool svd(Index m, Index n, bool full, T* a, T* u, R* s, T* vh, Scratch&) const override {
        const Index k = std::min(m, n);
        Matrix wide_a = Matrix::of(a, m * n), wide_u(u, m * (full ? m : k)), wide_vh(vh, n * (full ? n : k));
        Reals wide_s(s, k);
        if (!reference::svd(m, n, full, wide_a.data(), wide_u.data(), wide_s.data(), wide_vh.data()))
            return false;
        wide_u.write_back();
        wide_s.write_back();
        wide_vh.write_back();
        return true;
    }
    [[nodiscard]] bool eigh(Index n, bool, T* a, R* w, Scratch&) const override {
        Matrix wide = Matrix::of(a, n * n);
        Reals wide_w(w, n);
        if (!reference::eigh(n, wide.data(), wide_w.data())) return false;
        wide.write_back();
        wide_w.write_back();
        return true;
    }
    [[nodiscard]] bool eig(Index n, T* a, C* w, C* v, Scratch&) const override {
        Matrix wide = Matrix::of(a, n * n);
        Complexes wide_w(w, n), wide_v(v, n * n);
        if (!reference::eig(n, wide.data(), wide_w.data(), wide_v.data())) return false;
        wide_w.write_back();
        wide_v.write_back();
        return true;
    }

    static int eliminate(Index m, Index n, T* a, std::int64_t* rows, std::int64_t* columns) {
        Matrix wide = Matrix::of(a, m * n);
        const int parity = reference::lu(m, n, wide.data(), rows, columns);
        wide.write_back();
        return parity;
    }
};

}  // namespace

const MatrixKernelSet& reference_kernels() {
    static constinit Immortal<KernelSetOf<ReferenceKernels>> made;
    return made.get();
}

}}}  // namespace tenferro::TENFERRO_ABI::linalg
