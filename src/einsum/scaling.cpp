// Powers of two beside tensors.
#include "einsum/scaling.hpp"

#include <algorithm>
#include <cmath>

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// The numbers of a compact tensor in a row, real and imaginary parts alike.
TensorRead real_parts(const Tensor& whole) {
    const DType dtype = whole.dtype(), part = real_dtype(dtype);
    const Index count = whole.size() * (part == dtype ? 1 : 2);
    return TensorRead::compact(part, whole.data(), {count}, whole.placement());
}

}  // namespace

double largest_part(BackendSession& session, const TensorRead& view) {
    if (view.size() == 0) return 0;
    const Tensor whole = session.to_contiguous_read(view);
    const Dims axes{0};
    const Tensor largest = session.reduce_max(session.abs_read(real_parts(whole)), axes);
    const Tensor host = session.download_to_host_read(largest);
    return host.dtype() == DType::F32 ? static_cast<double>(*host.data_as<float>()) : *host.data_as<double>();
}

/// Real and imaginary parts each, of which an infinite one leaves the other as it is; in two factors where
/// one would not be a number of the dtype.
Tensor times_two_to(BackendSession& session, const TensorRead& view, std::int64_t power) {
    const DType part_dtype = real_dtype(view.dtype());
    const auto most = std::int64_t{part_dtype == DType::F32 ? 120 : 1000};
    Tensor result = session.to_contiguous_read(view);
    for (auto rest = std::clamp(power, -4 * most, 4 * most); rest != 0;) {
        const auto part = std::clamp(rest, -most, most);
        const double value = std::ldexp(1.0, static_cast<int>(part));
        const Tensor factor =
            session.cast(session.upload_host_tensor(Tensor::from_data<double>({&value, 1}, {})), part_dtype);
        const TensorRead parts = real_parts(result);
        Tensor product = session.mul_read(parts, factor.read().broadcast_view(parts.shape(), {}));
        result = Tensor(product.buffer(), view.dtype(), product.write().data(), Dims(view.shape()),
                        column_major_strides(view.shape()));
        rest -= part;
    }
    return result;
}

ScaledTensor normalised(BackendSession& session, ScaledTensor value) {
    const double largest = largest_part(session, value.mantissa);
    if (largest == 0) return {std::move(value.mantissa), 0};
    if (!std::isfinite(largest)) return value;
    int power = 0;
    (void)std::frexp(largest, &power);
    if (power == 0) return value;
    return {times_two_to(session, value.mantissa, -power), value.exponent + power};
}

void align(BackendSession& session, ScaledTensor& a, ScaledTensor& b) {
    if (a.exponent == b.exponent) return;
    if (a.exponent < b.exponent) return align(session, b, a);
    if (largest_part(session, a.mantissa) == 0) {
        a.exponent = b.exponent;
        return;
    }
    b.mantissa = times_two_to(session, b.mantissa, b.exponent - a.exponent);
    b.exponent = a.exponent;
}

void add_to(BackendSession& session, std::optional<ScaledTensor>& sum, ScaledTensor term) {
    if (!sum) {
        sum = std::move(term);
        return;
    }
    align(session, *sum, term);
    sum->mantissa = session.add(std::move(sum->mantissa), std::move(term.mantissa));
    sum = normalised(session, std::move(*sum));
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
