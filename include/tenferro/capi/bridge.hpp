// For C libraries of extensions: functions of their own on the handles of tenferro.h, which behave as the
// core's do: statuses and last errors, NULL and dead handles, outputs that stay NULL on failure, nothing that
// escapes. The library links the shared core library, whose handles, engine and last error these are.
//
//   #include "tenferro/capi/bridge.hpp"
//   namespace capi = tenferro::capi;
//
//   tfe_tensor_f64* tfx_negate_f64(const tfe_tensor_f64* tensor, tfe_status_t* status) {
//       return capi::guard(__func__, status, [&](const char* function) {
//           const capi::Borrowed a = capi::borrow<double>(function, tensor, {"tensor"});
//           return capi::publish<double>(tenferro::default_engine().backend().neg_read(*a));
//       });
//   }
//
//   tfe_tensor_f64* tfx_einsum_f64(const char* subscripts, tfe_tensor_f64* const* operands, size_t n,
//                                  tfe_status_t* status) {
//       return capi::einsum<double>(__func__, subscripts, operands, n, status, my_einsum);
//   }
//
// A function that writes handles to its caller calls clear_outputs first, and publish_all last.
#pragma once

#include "tenferro/api/engine.hpp"
#include "tenferro/capi/arguments.hpp"
#include "tenferro/capi/einsum.hpp"
#include "tenferro/capi/guard.hpp"
#include "tenferro/capi/operands.hpp"
#include "tenferro/capi/progress.hpp"
