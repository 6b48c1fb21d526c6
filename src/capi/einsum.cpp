// Einsum and its derivatives on tensor handles, on the default engine, for every element type.
#include "tenferro/capi/einsum.hpp"

#include "tenferro/api/engine.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi { namespace {

constexpr tensor_network::Dialect kDialect = tensor_network::Dialect::Strict;

constexpr auto compute_einsum = [](std::string_view subscripts, std::span<const TensorRead> operands,
                                   const tensor_network::RunOptions& options) {
    return default_engine().einsum(subscripts, operands, kDialect, options);
};
constexpr auto compute_vjp = [](std::string_view subscripts, std::span<const TensorRead> operands,
                                const TensorRead& cotangent, const tensor_network::RunOptions& options) {
    return default_engine().einsum_vjp(subscripts, operands, cotangent, kDialect, options);
};
constexpr auto compute_jvp = [](std::string_view subscripts, std::span<const TensorRead> primals,
                                std::span<const std::optional<TensorRead>> tangents,
                                const tensor_network::RunOptions& options) {
    return default_engine().einsum_jvp(subscripts, primals, tangents, kDialect, options);
};

}}}}  // namespace tenferro::TENFERRO_ABI::capi

namespace capi = tenferro::capi;

/* One reverse-mode and one forward-mode function; each exists under two names. */
#define TFE_DEFINE_VJP(name, suffix, element)                                                       \
    void tfe_einsum_##name##_##suffix(const char* subscripts, tfe_tensor_##suffix* const* operands, \
                                      size_t n, const tfe_tensor_##suffix* cotangent,               \
                                      tfe_tensor_##suffix** grads_out, tfe_status_t* status) {      \
        capi::einsum_vjp<element>(__func__, subscripts, operands, n, cotangent, grads_out, status,  \
                                  capi::compute_vjp);                                               \
    }
#define TFE_DEFINE_JVP(name, suffix, element)                                                \
    tfe_tensor_##suffix* tfe_einsum_##name##_##suffix(                                       \
        const char* subscripts, tfe_tensor_##suffix* const* primals, size_t n,               \
        tfe_tensor_##suffix* const* tangents, tfe_status_t* status) {                        \
        return capi::einsum_jvp<element>(__func__, subscripts, primals, n, tangents, status, \
                                         capi::compute_jvp);                                 \
    }
#define TFE_DEFINE_EINSUM(suffix, element, c_scalar)                                                       \
    tfe_tensor_##suffix* tfe_einsum_##suffix(const char* subscripts, tfe_tensor_##suffix* const* operands, \
                                             size_t n, tfe_status_t* status) {                             \
        return capi::einsum<element>(__func__, subscripts, operands, n, status, capi::compute_einsum);     \
    }                                                                                                      \
    TFE_DEFINE_VJP(vjp, suffix, element)                                                                   \
    TFE_DEFINE_VJP(rrule, suffix, element)                                                                 \
    TFE_DEFINE_JVP(jvp, suffix, element)                                                                   \
    TFE_DEFINE_JVP(frule, suffix, element)

TFE_FOR_EACH_ELEMENT(TFE_DEFINE_EINSUM)
