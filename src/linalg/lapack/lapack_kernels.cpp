// Calls of LAPACK, with the drivers that proved fastest and most robust: gesdd, then gesvd where it fails.
#include "linalg/lapack/lapack_kernels.hpp"

#include <array>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// From here on LAPACK is faster than the kernels of kind builtin.
constexpr Index kSmallestFactor = 32, kSmallestSpectral = 24, kSmallestHermitian = 128;

using Integer = std::int64_t;
constexpr std::size_t kCharacter = 1;  // the length that follows for each character argument

std::string_view name_of(Routine routine, bool complex) {
    switch (routine) {
        case Routine::Potrf: return "potrf";
        case Routine::Trsm: return "trsm";
        case Routine::Getrf: return "getrf";
        case Routine::Geqrf: return "geqrf";
        case Routine::Orgqr: return complex ? "ungqr" : "orgqr";
        case Routine::Geqp3: return "geqp3";
        case Routine::Gesdd: return "gesdd";
        case Routine::Gesvd: return "gesvd";
        case Routine::Syevd: return complex ? "heevd" : "syevd";
        case Routine::Geev: return "geev";
        case Routine::kCount: break;
    }
    __builtin_unreachable();
}

template <class T>
bool is_finite(Index count, const T* a) noexcept {
    RealOf<T> sum = 0;
    for (Index i = 0; i < count; ++i) sum += 0 * sum_of_moduli(a[i]);
    return sum == 0;
}

/// The length of an optimal work array, from what a query gave.
template <class T>
Integer work_length(T query) noexcept {
    // Single precision does not count beyond 2^24.
    return static_cast<Integer>(static_cast<double>(real_part(query)) * (1 + 1e-6)) + 1;
}

}  // namespace

template <class T>
LapackKernels<T>::LapackKernels(const Provider* provider) : provider_(provider), routines_{} {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Routine::kCount); ++i) try {
            routines_[i] =
                provider->routine<void()>(name_of(static_cast<Routine>(i), is_complex<T>), storage_dtype<T>);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::Unsupported) throw;
        }
}

template <class T>
template <class... Args>
void LapackKernels<T>::call(Routine routine, Args... args) const {
    auto* found = reinterpret_cast<void (*)(Args...)>(routines_[static_cast<std::size_t>(routine)]);
    if (found == nullptr)
        found = provider_->routine<void(Args...)>(name_of(routine, is_complex<T>), storage_dtype<T>);
    const Provider::Call call_of_library(*provider_);
    found(args...);
}

template <class T>
Index LapackKernels<T>::integers(Index count) const noexcept {
    return provider_->integer_bytes() == 8 ? count : (count + 1) / 2;
}
template <class T>
std::int64_t LapackKernels<T>::integer(const std::int64_t* values, Index i) const noexcept {
    return provider_->integer_bytes() == 8 ? values[i] : reinterpret_cast<const std::int32_t*>(values)[i];
}

template <class T>
Index LapackKernels<T>::cholesky(Index n, T* a, Scratch& scratch) const {
    if (n < kSmallestFactor) return BuiltinKernels<T>::cholesky(n, a, scratch);
    Integer info = 0;
    call(Routine::Potrf, "L", &n, a, &n, &info, kCharacter);
    for (Index j = 0; j < n; ++j) std::fill_n(a + j * n, j, T(0));
    return integer(&info, 0);
}

template <class T>
void LapackKernels<T>::triangular_solve(const TriangularOptions& options, Index n, Index k, const T* a, T* b,
                                        Scratch& scratch) const {
    if (n < kSmallestFactor) return BuiltinKernels<T>::triangular_solve(options, n, k, a, b, scratch);
    const bool adjoint = options.transpose && options.conjugate,
               conjugated = is_complex<T> && options.conjugate && !options.transpose;
    const auto conjugate_side = [&] {
        for (Index i = 0; conjugated && i < n * k; ++i) b[i] = conjugate(b[i]);
    };
    const Index rows = options.left ? n : k, columns = options.left ? k : n;
    if (columns == 0 || rows == 0) return;
    const T one = 1;
    conjugate_side();
    call(Routine::Trsm, options.left ? "L" : "R", options.lower ? "L" : "U",
         adjoint             ? "C"
         : options.transpose ? "T"
                             : "N",
         options.unit_diagonal ? "U" : "N", &rows, &columns, &one, a, &n, b, &rows, kCharacter, kCharacter,
         kCharacter, kCharacter);
    conjugate_side();
}

template <class T>
int LapackKernels<T>::lu(Index m, Index n, T* a, std::int64_t* rows, Scratch& scratch) const {
    if (std::min(m, n) < kSmallestFactor) return BuiltinKernels<T>::lu(m, n, a, rows, scratch);
    const Scratch::Frame frame(scratch);
    T* const kept = scratch.take<T>(m * n);
    std::copy_n(a, m * n, kept);
    Integer* const exchanges = scratch.take<Integer>(integers(std::min(m, n)));
    Integer info = 0;
    call(Routine::Getrf, &m, &n, a, &m, exchanges, &info);
    if (!is_finite(m * n, a)) {  // the reciprocal of a tiny pivot
        std::copy_n(kept, m * n, a);
        return BuiltinKernels<T>::lu(m, n, a, rows, scratch);
    }
    int parity = 1;
    for (Index i = 0; i < m; ++i) rows[i] = i;
    for (Index i = 0; i < std::min(m, n); ++i) {
        const Index other = integer(exchanges, i) - 1;
        if (other == i) continue;
        std::swap(rows[i], rows[other]);
        parity = -parity;
    }
    return parity;
}

template <class T>
void LapackKernels<T>::qr(Index m, Index n, Index k, T* a, T* q, T* r, std::int64_t* columns,
                          Scratch& scratch) const {
    const Index steps = std::min(m, n);
    if (steps < kSmallestFactor) return BuiltinKernels<T>::qr(m, n, k, a, q, r, columns, scratch);
    const Scratch::Frame frame(scratch);
    T* const factors = scratch.take<T>(steps);
    Integer* const order = scratch.take<Integer>(integers(n));
    std::fill_n(order, integers(n), Integer{0});
    R* const reals = scratch.take<R>(2 * n);
    const auto factorise = [&](T* work, Integer length) {
        Integer info = 0;
        if (columns == nullptr)
            call(Routine::Geqrf, &m, &n, a, &m, factors, work, &length, &info);
        else if constexpr (is_complex<T>)
            call(Routine::Geqp3, &m, &n, a, &m, order, factors, work, &length, reals, &info);
        else
            call(Routine::Geqp3, &m, &n, a, &m, order, factors, work, &length, &info);
    };
    const auto form = [&](T* work, Integer length) {
        Integer info = 0;
        call(Routine::Orgqr, &m, &k, &steps, q, &m, factors, work, &length, &info);
    };
    T most = 0, also = 0;
    factorise(&most, -1);
    form(&also, -1);
    const Integer length = std::max(work_length(most), work_length(also));
    T* const work = scratch.take<T>(length);
    factorise(work, length);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < k; ++i) r[i + j * k] = i <= j ? a[i + j * m] : T(0);
    std::copy_n(a, m * std::min(k, n), q);
    if (k > n) std::fill_n(q + m * n, m * (k - n), T(0));
    form(work, length);
    for (Index j = 0; columns != nullptr && j < n; ++j) columns[j] = integer(order, j) - 1;
}

template <class T>
bool LapackKernels<T>::svd(Index m, Index n, bool full, T* a, T* u, R* s, T* vh, Scratch& scratch) const {
    const Index k = std::min(m, n), most = std::max(m, n);
    if (k < kSmallestSpectral) return BuiltinKernels<T>::svd(m, n, full, a, u, s, vh, scratch);
    const Scratch::Frame frame(scratch);
    const char* const job = u == nullptr ? "N" : full ? "A" : "S";
    T nothing = 0;
    T *const to_u = u != nullptr ? u : &nothing, *const to_vh = vh != nullptr ? vh : &nothing;
    const Index u_rows = u != nullptr ? m : 1, vh_rows = u == nullptr ? 1 : full ? n : k;
    R* const reals =
        scratch.take<R>(is_complex<T> ? std::max(5 * k * k + 7 * k, 2 * most * k + 2 * k * k + k) : 0);
    Integer* const whole = scratch.take<Integer>(8 * k);
    T* const kept = scratch.take<T>(m * n);
    std::copy_n(a, m * n, kept);
    const auto divide = [&](T* work, Integer length) {
        Integer info = 0;
        if constexpr (is_complex<T>)
            call(Routine::Gesdd, job, &m, &n, a, &m, s, to_u, &u_rows, to_vh, &vh_rows, work, &length, reals,
                 whole, &info, kCharacter);
        else
            call(Routine::Gesdd, job, &m, &n, a, &m, s, to_u, &u_rows, to_vh, &vh_rows, work, &length, whole,
                 &info, kCharacter);
        return integer(&info, 0) == 0;
    };
    const auto iterate = [&](T* work, Integer length) {
        Integer info = 0;
        if constexpr (is_complex<T>)
            call(Routine::Gesvd, job, job, &m, &n, a, &m, s, to_u, &u_rows, to_vh, &vh_rows, work, &length,
                 reals, &info, kCharacter, kCharacter);
        else
            call(Routine::Gesvd, job, job, &m, &n, a, &m, s, to_u, &u_rows, to_vh, &vh_rows, work, &length,
                 &info, kCharacter, kCharacter);
        return integer(&info, 0) == 0;
    };
    const auto run = [&](const auto& driver) {
        T query = 0;
        static_cast<void>(driver(&query, -1));
        const Scratch::Frame room(scratch);
        const Integer length = work_length(query);
        return driver(scratch.take<T>(length), length) && std::isfinite(s[0]);
    };
    if (run(divide)) return true;
    std::copy_n(kept, m * n, a);
    return run(iterate);
}

template <class T>
bool LapackKernels<T>::eigh(Index n, bool vectors, T* a, R* w, Scratch& scratch) const {
    if (n < kSmallestHermitian) return BuiltinKernels<T>::eigh(n, vectors, a, w, scratch);
    const Scratch::Frame frame(scratch);
    const char* const job = vectors ? "V" : "N";
    const auto solve = [&](T* work, Integer length, R* reals, Integer reals_length, Integer* whole,
                           Integer whole_length) {
        Integer info = 0;
        if constexpr (is_complex<T>)
            call(Routine::Syevd, job, "L", &n, a, &n, w, work, &length, reals, &reals_length, whole,
                 &whole_length, &info, kCharacter, kCharacter);
        else
            call(Routine::Syevd, job, "L", &n, a, &n, w, work, &length, whole, &whole_length, &info,
                 kCharacter, kCharacter);
        return integer(&info, 0) == 0;
    };
    T query = 0;
    R reals_query = 0;
    Integer whole_query = 0;
    static_cast<void>(solve(&query, -1, &reals_query, -1, &whole_query, -1));
    const Integer length = work_length(query), reals_length = is_complex<T> ? work_length(reals_query) : 0,
                  whole_length = integer(&whole_query, 0);
    return solve(scratch.take<T>(length), length, scratch.take<R>(reals_length), reals_length,
                 scratch.take<Integer>(integers(whole_length)), whole_length);
}

template <class T>
bool LapackKernels<T>::eig(Index n, T* a, C* w, C* v, Scratch& scratch) const {
    if (n < kSmallestSpectral) return BuiltinKernels<T>::eig(n, a, w, v, scratch);
    const Scratch::Frame frame(scratch);
    const char* const job = v != nullptr ? "V" : "N";
    T nothing = 0;
    const Index one = 1, rows = v != nullptr ? n : 1;
    R* const real_parts = scratch.take<R>(2 * n);  // for complex matrices a work array
    R* const imaginary_parts = real_parts + n;
    T* const columns = is_complex<T>  ? reinterpret_cast<T*>(v)
                       : v != nullptr ? scratch.take<T>(n * n)
                                      : &nothing;
    const auto solve = [&](T* work, Integer length) {
        Integer info = 0;
        if constexpr (is_complex<T>)
            call(Routine::Geev, "N", job, &n, a, &n, w, &nothing, &one, v != nullptr ? columns : &nothing,
                 &rows, work, &length, real_parts, &info, kCharacter, kCharacter);
        else
            call(Routine::Geev, "N", job, &n, a, &n, real_parts, imaginary_parts, &nothing, &one, columns,
                 &rows, work, &length, &info, kCharacter, kCharacter);
        return integer(&info, 0) == 0;
    };
    T query = 0;
    static_cast<void>(solve(&query, -1));
    const Integer length = work_length(query);
    if (!solve(scratch.take<T>(length), length)) return false;
    if constexpr (!is_complex<T>) {
        for (Index j = 0; j < n; ++j) w[j] = C(real_parts[j], imaginary_parts[j]);
        // Of a conjugate pair the first column is the real part, the next the imaginary one.
        for (Index j = 0; v != nullptr && j < n; ++j) {
            const bool pair = imaginary_parts[j] > 0 && j + 1 < n;
            for (Index i = 0; i < n; ++i) {
                const T re = columns[i + j * n], im = pair ? columns[i + (j + 1) * n] : T(0);
                v[i + j * n] = C(re, im);
                if (pair) v[i + (j + 1) * n] = C(re, -im);
            }
            if (pair) ++j;
        }
    }
    return true;
}

template class LapackKernels<float>;
template class LapackKernels<double>;
template class LapackKernels<std::complex<float>>;
template class LapackKernels<std::complex<double>>;

}}}  // namespace tenferro::TENFERRO_ABI::linalg
