// XLA's arrays lie in rows. Operands are read through strides; a result in rows is a column-major one with
// its axes reversed, which an einsum computes in its place, and the results of other functions are written
// there.
#include "xla_handlers.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <vector>

#include "einsum/session_executor.hpp"
#include "interrupt.hpp"
#include "matrix_programs.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor_core/row_major.hpp"
#include "tensor/system_memory.hpp"
#include "xla_ffi_abi.hpp"

namespace tenferro::python {

namespace {

DType dtype_from(xla::DataType dtype) {
    switch (dtype) {
        case xla::DataType::Pred: return DType::Bool;
        case xla::DataType::S32: return DType::I32;
        case xla::DataType::S64: return DType::I64;
        case xla::DataType::F32: return DType::F32;
        case xla::DataType::F64: return DType::F64;
        case xla::DataType::C64: return DType::C32;
        case xla::DataType::C128: return DType::C64;
    }
    throw Error(ErrorKind::DTypeMismatch, "tenferro.jax",
                text("an array has XLA's dtype ", static_cast<int>(dtype), ", which is not supported"));
}

Dims shape_of(const xla::Array& array) { return Dims(array.extents, array.extents + array.rank); }

TensorRead view_of(const xla::Array& array) {
    Dims shape = shape_of(array), strides = row_major_strides(shape);
    return {dtype_from(array.dtype), array.data, std::move(shape), std::move(strides)};
}
TensorWrite target_of(const xla::Array& array) {
    Dims shape = shape_of(array), strides = row_major_strides(shape);
    return {dtype_from(array.dtype), array.data, std::move(shape), std::move(strides)};
}

std::size_t bytes_of(const xla::Array& array) {
    std::size_t bytes = info(dtype_from(array.dtype)).bytes;
    for (std::int64_t axis = 0; axis < array.rank; ++axis)
        bytes *= static_cast<std::size_t>(array.extents[axis]);
    return bytes;
}

/// XLA allocates large results anew for each call, and the system a page of them at a time.
void expect_writes_to(const xla::Array& array) {
    constexpr std::uintptr_t kPage = 4096;
    const std::size_t bytes = bytes_of(array);
    if (bytes < kHugePage + kPage) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(array.data),
               first = (begin + kPage - 1) / kPage * kPage;
    ask_for_huge_pages(reinterpret_cast<void*>(first), bytes - (first - begin));
}

/// The attribute `name`, which has this type.
template <class T>
const T& attribute(const xla::Call& call, std::string_view name, int type) {
    const xla::Attributes& all = call.attributes;
    for (std::int64_t i = 0; i < all.count; ++i)
        if (std::string_view(all.names[i]->data, all.names[i]->length) == name && all.types[i] == type)
            return *static_cast<const T*>(all.values[i]);
    throw Error(ErrorKind::InvalidArgument, "tenferro.jax", text("a call has no '", std::string(name), "'"));
}
std::string_view text_of(const xla::Call& call, std::string_view name) {
    const auto& value = attribute<xla::Text>(call, name, xla::kText);
    return {value.data, value.length};
}

/// The algebra of a session, whose first tensor of the size of the result lies where the result belongs. If
/// that was an intermediate one, the result is somewhere else and has to be copied.
class ExecutorInto final : public tensor_network::SessionExecutor {
public:
    ExecutorInto(BackendSession& session, const xla::Array& target) : SessionExecutor(session) {
        block_.data = static_cast<std::byte*>(target.data);
        block_.bytes = bytes_of(target);
        block_.release = [](BufferBlock*) noexcept {};
    }

    Tensor allocate(DType dtype, std::span<const Index> shape) override {
        std::size_t bytes = info(dtype).bytes;
        for (const Index extent : shape) bytes *= static_cast<std::size_t>(extent);
        if (is_free_ && bytes == block_.bytes) {
            is_free_ = false;
            return {Buffer(&block_), dtype, shape};
        }
        return SessionExecutor::allocate(dtype, shape);
    }

private:
    BufferBlock block_;
    bool is_free_ = true;
};

/// f(), which Ctrl-C ends if it is long: XLA's threads are none of Python's, and the main one waits for them.
template <class F>
void interruptible(bool is_long, const F& f) {
    if (!is_long) return f();
    const CtrlCWatch watch;
    const CancellationToken token = CtrlCWatch::token();
    const CancellationScope scope(token, "tenferro.jax");
    f();
}

/// Attribute `equation`: an explicit string whose output is reversed.
void einsum(const xla::Call& call) {
    std::vector<TensorRead> operands;
    for (std::int64_t i = 0; i < call.operands.count; ++i)
        operands.push_back(view_of(*call.operands.arrays[i]));
    const auto plan =
        default_engine().plans().get(text_of(call, "equation"), tensor_network::Dialect::NumPy, operands);
    const xla::Array& target = *call.results.arrays[0];
    expect_writes_to(target);
    constexpr double kLongSeconds = 1e-3;
    interruptible(plan->cost().seconds > kLongSeconds, [&] {
        default_engine().backend().with_backend_session([&](BackendSession& session) {
            ExecutorInto executor(session, target);
            const Tensor result = plan->run(executor, operands);
            const std::size_t bytes = bytes_of(target);
            if (bytes != 0 && result.data() != target.data) std::memcpy(target.data, result.data(), bytes);
        });
    });
}

/// The operands with their axes in another order. `axes` has for every operand how many axes it is seen with
/// and for each the axis of the array, or -1 for an axis of the batch along which the array is repeated.
std::vector<TensorRead> seen_operands(const xla::Call& call) {
    const auto& numbers = attribute<xla::Numbers>(call, "axes", xla::kNumbers);
    const auto* next = static_cast<const std::int64_t*>(numbers.data);
    std::vector<Dims> shapes, strides;
    Dims batch;
    for (std::int64_t i = 0; i < call.operands.count; ++i) {
        const Dims shape = shape_of(*call.operands.arrays[i]), steps = row_major_strides(shape);
        const auto rank = static_cast<std::size_t>(*next++);
        if (i == 0) batch.resize(rank - std::min<std::size_t>(rank, 2), 1);
        Dims& extents = shapes.emplace_back(rank, 1);
        Dims& seen = strides.emplace_back(rank, 0);
        for (std::size_t k = 0; k < rank; ++k) {
            const std::int64_t axis = *next++;
            if (axis < 0) continue;
            extents[k] = shape[static_cast<std::size_t>(axis)];
            seen[k] = steps[static_cast<std::size_t>(axis)];
            if (k < batch.size()) batch[k] = extents[k];
        }
    }
    std::vector<TensorRead> operands;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        for (std::size_t k = 0; k < batch.size(); ++k)
            if (strides[i][k] == 0) shapes[i][k] = batch[k];
        const xla::Array& array = *call.operands.arrays[i];
        operands.emplace_back(dtype_from(array.dtype), array.data, std::move(shapes[i]),
                              std::move(strides[i]));
    }
    return operands;
}

/// Rows of factors are I64 here, and I32 in XLA, which has no other integers in its usual mode.
void convert_rows(BackendSession& session, std::vector<TensorRead>& operands,
                  std::vector<Tensor>& converted) {
    converted.reserve(operands.size());
    for (TensorRead& operand : operands)
        if (operand.dtype() == DType::I32)
            operand = converted.emplace_back(session.convert_read(operand, DType::I64)).read();
}

/// Attributes `name` and `axes`.
void matrix_function(const xla::Call& call) {
    const std::string_view name = text_of(call, "name");
    std::vector<TensorRead> operands = seen_operands(call);
    const auto program =
        MatrixProgram::get(name, operands.front().dtype(), MatrixProgram::batch_rank(operands, name));
    interruptible(operands.front().size() >= kLongElements, [&] {
        default_engine().backend().with_backend_session([&](BackendSession& session) {
            std::vector<Tensor> converted;
            convert_rows(session, operands, converted);
            const std::vector<Tensor> results = program->run(session, operands);
            for (std::size_t i = 0; i < results.size(); ++i) {
                const xla::Array& array = *call.results.arrays[i];
                const TensorRead result = program->seen(results[i].read());
                expect_writes_to(array);
                if (dtype_from(array.dtype) == result.dtype())
                    session.to_contiguous_into(result, target_of(array));
                else
                    session.cast_into(result, target_of(array));
            }
        });
    });
}

xla::Error* failure(const xla::Call& call, const char* message, xla::ErrorCode code) noexcept {
    xla::ErrorArguments arguments{sizeof(xla::ErrorArguments), nullptr, message, code};
    return call.api->create_error(&arguments);
}

xla::ErrorCode code_of(ErrorKind kind) noexcept {
    if (kind == ErrorKind::Cancelled) return xla::ErrorCode::Cancelled;
    if (kind == ErrorKind::OutOfMemory) return xla::ErrorCode::ResourceExhausted;
    if (kind == ErrorKind::Unsupported) return xla::ErrorCode::Unimplemented;
    return info(kind).status == Status::InternalError ? xla::ErrorCode::Internal
                                                      : xla::ErrorCode::InvalidArgument;
}

/// f as XLA calls it: told what it is when it is registered, later for work.
template <auto f>
xla::Error* handler(xla::Call* call) noexcept {
    if (call->extensions != nullptr && call->extensions->type == xla::kMetadata) {
        xla::Metadata& metadata = *reinterpret_cast<xla::MetadataExtension*>(call->extensions)->metadata;
        metadata.version.major = 0;
        metadata.version.minor = call->api != nullptr ? call->api->version.minor : 0;
        metadata.traits = 0;
        return nullptr;
    }
    try {
        f(*call);
        return nullptr;
    } catch (const tenferro::Error& error) {
        return failure(*call, error.what(), code_of(error.root_kind()));
    } catch (const std::bad_alloc&) {
        return failure(*call, "tenferro: no memory is left", xla::ErrorCode::ResourceExhausted);
    } catch (const std::exception& error) {
        return failure(*call, error.what(), xla::ErrorCode::Internal);
    }
}

}  // namespace

void bind_xla_handlers(nb::module_& module) {
    module.def("_xla_handlers", [] {
        const auto capsule = [](xla::Error* (*entry)(xla::Call*) noexcept) {
            return nb::capsule(reinterpret_cast<void*>(entry), "xla._CUSTOM_CALL_TARGET");
        };
        return nb::make_tuple(capsule(handler<einsum>), capsule(handler<matrix_function>));
    });
}

}  // namespace tenferro::python
