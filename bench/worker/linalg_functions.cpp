// The functions of rows of linear algebra, and their results without the choice of phases.
#include <algorithm>
#include <complex>
#include <cstring>

#include "bench/worker/linalg.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/linalg/functions.hpp"

namespace tenferro::bench {
namespace {

using linalg::LinalgBackend;
using Traced = std::vector<TracedTensor> (*)(const TracedTensor& a, const TracedTensor& b);

struct Function {
    std::string_view name;
    PlainFunction plain;
    Traced traced;
};
template <class H>
Parts of(linalg::EigenResult<H> y) {
    return {{std::move(y.values), std::move(y.vectors)}};
}
#define TENFERRO_PLAIN [](const LinalgBackend& on, const TensorRead& a, const TensorRead& b) -> Parts
#define TENFERRO_TRACED [](const TracedTensor& a, const TracedTensor& b) -> std::vector<TracedTensor>
constexpr Function kFunctions[] = {
    {"cholesky", TENFERRO_PLAIN{return static_cast<void>(b), Parts{{on.cholesky_read(a)}};
}  // namespace
, TENFERRO_TRACED { return static_cast<void>(b), std::vector{linalg::cholesky(a)}; }
}  // namespace tenferro::bench
, {"lu", TENFERRO_PLAIN{static_cast<void>(b);
auto [p, l, u, parity] = on.lu_read(a);
return {{std::move(p), std::move(l), std::move(u)}};
}
, TENFERRO_TRACED {
    static_cast<void>(b);
    const auto [p, l, u, parity] = linalg::lu(a);
    return {l, u};
}
}
, {"solve", TENFERRO_PLAIN{const linalg::LuFactors f = on.lu_factors_read(a);
return {{on.lu_solve_read(f.lu, f.rows, f.exponent, b)}};
}
, TENFERRO_TRACED { return {linalg::solve(a, b)}; }
}
, {"qr", TENFERRO_PLAIN{static_cast<void>(b);
auto [q, r] = on.qr_read(a);
return {{std::move(q), std::move(r)}};
}
, TENFERRO_TRACED {
    static_cast<void>(b);
    const auto [q, r] = linalg::qr(a);
    return {q, r};
}
}
, {"eigh", TENFERRO_PLAIN{return static_cast<void>(b), of(on.eigh_read(a));
}
, TENFERRO_TRACED {
    static_cast<void>(b);
    const auto [values, vectors] = linalg::eigh(a);
    return {values, vectors};
}
}
, {"eig", TENFERRO_PLAIN{return static_cast<void>(b), of(on.eig_read(a));
}
, TENFERRO_TRACED {
    static_cast<void>(b);
    const auto [values, vectors] = linalg::eig(a);
    return {values, vectors};
}
}
, {"svdvals", TENFERRO_PLAIN{return static_cast<void>(b), Parts{{on.svdvals_read(a)}};
}
, TENFERRO_TRACED { return static_cast<void>(b), std::vector{linalg::svdvals(a)}; }
}
, {"svd", TENFERRO_PLAIN{static_cast<void>(b);
auto [u, s, vh] = on.svd_read(a);
return {{std::move(u), std::move(s), std::move(vh)}};
}
, TENFERRO_TRACED {
    static_cast<void>(b);
    const auto [u, s, vh] = linalg::svd(a);
    return {u, s, vh};
}
}
,
}
;
#undef TENFERRO_PLAIN
#undef TENFERRO_TRACED

const Function& function(std::string_view name) {
    for (const Function& entry : kFunctions)
        if (entry.name == name) return entry;
    throw Error(ErrorKind::Unsupported, "linalg row", text("function '", name, "' does not exist"));
}

/// Column j of every matrix of `vectors` is multiplied by the phase that makes its largest element positive,
/// row j of `partner`, if there is one, divided by it.
template <class T>
void turn(Tensor& vectors, Tensor* partner) {
    const Index rows = vectors.shape()[0], columns = vectors.shape()[1];
    const Index others = partner != nullptr ? partner->shape()[1] : 0;
    T *const v = static_cast<T*>(vectors.write().data()), *const w =
                                                              partner != nullptr
                                                                  ? static_cast<T*>(partner->write().data())
                                                                  : nullptr;
    for (Index j = 0; j < vectors.size() / rows; ++j) {
        T* const column = v + j * rows;
        const T largest =
            *std::max_element(column, column + rows, [](T x, T y) { return std::abs(x) < std::abs(y); });
        const T phase = std::abs(largest) / largest;
        for (Index i = 0; i < rows; ++i) column[i] *= phase;
        T* const row = w + j / columns * columns * others + j % columns;
        for (Index i = 0; i < others; ++i) row[i * columns] /= phase;
    }
}
void turn_any(Tensor& vectors, Tensor* partner) {
    switch (vectors.dtype()) {
        case DType::F32: return turn<float>(vectors, partner);
        case DType::F64: return turn<double>(vectors, partner);
        case DType::C32: return turn<std::complex<float>>(vectors, partner);
        default: return turn<std::complex<double>>(vectors, partner);
    }
}

}  // namespace

PlainFunction plain_function(std::string_view name) { return function(name).plain; }
std::vector<TracedTensor> traced_function(std::string_view name, const TracedTensor& a,
                                          const TracedTensor& b) {
    return function(name).traced(a, b);
}

void fix_phases(std::string_view name, Parts& parts) {
    if (name == "qr") turn_any(parts.part[0], &parts.part[1]);
    if (name == "svd") turn_any(parts.part[0], &parts.part[2]);
    if (name == "eigh" || name == "eig") turn_any(parts.part[1], nullptr);
}

Tensor joined(std::span<const Tensor> parts) {
    const bool single =
        info(parts.front().dtype()).bytes / (info(parts.front().dtype()).is_complex ? 2 : 1) == 4;
    const std::size_t element = single ? sizeof(float) : sizeof(double);
    std::size_t bytes = 0;
    for (const Tensor& part : parts)
        bytes += static_cast<std::size_t>(part.size()) * info(part.dtype()).bytes;
    Tensor all = Tensor::zeros(single ? DType::F32 : DType::F64, {static_cast<Index>(bytes / element)});
    auto* to = static_cast<std::byte*>(all.write().data());
    for (const Tensor& part : parts) {
        const std::size_t size = static_cast<std::size_t>(part.size()) * info(part.dtype()).bytes;
        std::memcpy(to, part.data(), size);
        to += size;
    }
    return all;
}

}  // namespace tenferro::bench
