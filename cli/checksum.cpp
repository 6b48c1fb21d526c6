// One pass in long double.
#include "cli/checksum.hpp"

#include <cmath>

namespace tenferro::cli {

Checksum checksum(const Tensor& tensor) {
    long double real = 0, imaginary = 0, absolute = 0;
    visit_dtype(tensor.dtype(), [&]<class T>() {
        const T* data = tensor.data_as<T>();
        for (Index i = 0; i < tensor.size(); ++i) {
            const auto value = static_cast<std::complex<double>>(data[i]);
            real += value.real();
            imaginary += value.imag();
            absolute += std::abs(value);
        }
    });
    return {{static_cast<double>(real), static_cast<double>(imaginary)}, static_cast<double>(absolute)};
}

}  // namespace tenferro::cli
