// Everything in C++ but what libraries with an algebra or an operation of their own include beside it
// (cpu/contraction, ops/extension_op.hpp). tenferro.h, one folder up, is the C interface.
#pragma once

#include "tenferro/api/einsum.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/api/evaluate.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/einsum/plan.hpp"
#include "tenferro/reference/reference_backend.hpp"
#include "tenferro/runtime/compiler.hpp"
#include "tenferro/runtime/functional.hpp"
#include "tenferro/runtime/graph_json.hpp"
#include "tenferro/tensor/creation.hpp"
#include "tenferro/tensor/dlpack.hpp"
#include "tenferro/tensor/npy.hpp"
#include "tenferro/tensor/print.hpp"
#include "tenferro/tensor/typed_tensor.hpp"
