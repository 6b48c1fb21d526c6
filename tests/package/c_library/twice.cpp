// The library's functions, on the bridge of the core.
#include "twice.h"

#include <new>
#include <stdexcept>

#include "tenferro/capi/bridge.hpp"

using namespace tenferro;

namespace {

Tensor twice(const TensorRead& tensor) { return default_engine().backend().add_read(tensor, tensor); }

void fail(int how) {
    switch (how) {
        case 0: throw std::runtime_error("on purpose");
        case 1: throw how;
        case 2: throw std::bad_alloc();
        default: throw Error(ErrorKind::ShapeMismatch, "twice", "on purpose");
    }
}

}  // namespace

tfe_tensor_f64* twice_einsum_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                                 tfe_status_t* status) {
    return capi::einsum<double>(
        __func__, subscripts, operands, n, status,
        [](auto text, auto views, const tensor_network::RunOptions& options) {
            return twice(default_engine().einsum(text, views, tensor_network::Dialect::Strict, options));
        });
}

void twice_einsum_vjp_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
                          const tfe_tensor_f64* cotangent, tfe_tensor_f64** grads_out, tfe_status_t* status) {
    capi::einsum_vjp<double>(
        __func__, subscripts, operands, n, cotangent, grads_out, status,
        [](auto text, auto views, const Tensor& pulled, const tensor_network::RunOptions& options) {
            return default_engine().einsum_vjp(text, views, twice(pulled), tensor_network::Dialect::Strict,
                                               options);
        });
}

tfe_tensor_f64* twice_einsum_jvp_f64(const char* subscripts, tfe_tensor_f64* const* primals, size_t n,
                                     tfe_tensor_f64* const* tangents, tfe_status_t* status) {
    return capi::einsum_jvp<double>(
        __func__, subscripts, primals, n, tangents, status,
        [](auto text, auto views, auto directions, const tensor_network::RunOptions& options) {
            return twice(default_engine().einsum_jvp(text, views, directions, tensor_network::Dialect::Strict,
                                                     options));
        });
}

tfe_tensor_f64* twice_f64(const tfe_tensor_f64* tensor, tfe_status_t* status) {
    return capi::guard(__func__, status, [&](const char* function) {
        return capi::publish<double>(twice(*capi::borrow<double>(function, tensor, {"tensor"})));
    });
}

void twice_fail_f64(int how, tfe_tensor_f64** out, tfe_status_t* status) {
    capi::clear_outputs<double>(out, 2);
    capi::guard(__func__, status, [&](const char* function) {
        capi::check_array(function, out, "out", 2, "2");
        if (how < 4) fail(how);
        std::vector<Tensor> results;
        results.push_back(Tensor::zeros(DType::F64, Dims{2}));
        if (how == 4) results.push_back(Tensor::zeros(DType::F32, Dims{2}));
        capi::publish_all<double>(std::move(results), out, 2);
    });
}
