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

struct LinalgFunction {
    std::string_view name;
    PlainFunction plain;
    Traced traced;
};

Parts parts(Tensor y) { return {{std::move(y)}}; }
Parts parts(linalg::LuTensors y) { return {{std::move(y.p), std::move(y.l), std::move(y.u)}}; }
Parts parts(linalg::QrTensors y) { return {{std::move(y.q), std::move(y.r)}}; }
Parts parts(linalg::EigenTensors y) { return {{std::move(y.values), std::move(y.vectors)}}; }
Parts parts(linalg::SvdTensors y) { return {{std::move(y.u), std::move(y.s), std::move(y.vh)}}; }

using Results = std::vector<TracedTensor>;
Results results(const TracedTensor& y) { return {y}; }
Results results(const linalg::LuResult<TracedTensor>& y) { return {y.l, y.u}; }
Results results(const linalg::QrResult<TracedTensor>& y) { return {y.q, y.r}; }
Results results(const linalg::EigenResult<TracedTensor>& y) { return {y.values, y.vectors}; }
Results results(const linalg::SvdResult<TracedTensor>& y) { return {y.u, y.s, y.vh}; }

// clang-format off
/// A function of one matrix, of the same name in both worlds.
#define TENFERRO_OF_ONE(name)                                                                    \
    LinalgFunction{#name,                                                                              \
             [](const LinalgBackend& on, const TensorRead& a, const TensorRead&) {               \
                 return parts(on.name##_read(a));                                                \
             },                                                                                  \
             [](const TracedTensor& a, const TracedTensor&) { return results(linalg::name(a)); }}
constexpr LinalgFunction kLinalgFunctions[] = {
    TENFERRO_OF_ONE(cholesky), TENFERRO_OF_ONE(lu), TENFERRO_OF_ONE(qr), TENFERRO_OF_ONE(eigh),
    TENFERRO_OF_ONE(eig), TENFERRO_OF_ONE(svdvals), TENFERRO_OF_ONE(svd),
    {"solve",
     [](const LinalgBackend& on, const TensorRead& a, const TensorRead& b) {
         return parts(on.solve_read(a, b));
     },
     [](const TracedTensor& a, const TracedTensor& b) { return results(linalg::solve(a, b)); }}};
#undef TENFERRO_OF_ONE
// clang-format on

const LinalgFunction& linalg_function(std::string_view name) {
    for (const LinalgFunction& entry : kLinalgFunctions)
        if (entry.name == name) return entry;
    throw Error(ErrorKind::Unsupported, "linalg row", text("function '", name, "' does not exist"));
}

/// Column j of every matrix of `vectors` is multiplied by the phase that makes its largest element positive,
/// row j of `partner`, if there is one, divided by it.
template <class T>
void turn(Tensor& vectors, Tensor* partner) {
    const Index rows = vectors.shape()[0], columns = vectors.shape()[1];
    const Index others = partner != nullptr ? partner->shape()[1] : 0;
    T* const v = static_cast<T*>(vectors.write().data());
    T* const w = partner != nullptr ? static_cast<T*>(partner->write().data()) : nullptr;
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

PlainFunction plain_function(std::string_view name) { return linalg_function(name).plain; }
std::vector<TracedTensor> traced_function(std::string_view name, const TracedTensor& a,
                                          const TracedTensor& b) {
    return linalg_function(name).traced(a, b);
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
