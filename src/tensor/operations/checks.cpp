// Byte ranges of strided views, and the typed errors of operands and results.
#include "tensor/operations/checks.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

void throw_misplaced(const TensorRead& a, Placement needed, std::string_view who, std::string_view op,
                     std::string_view name) {
    if (a.placement() == kNowhere)
        throw Error(ErrorKind::InvalidArgument, op, text(name, " was moved from: it has no elements"));
    std::string_view hint = "download_to_host of its backend and upload_host_tensor of this one";
    if (needed == kMainMemory) hint = "download_to_host";
    if (a.placement() == kMainMemory) hint = "upload_host_tensor";
    throw Error(ErrorKind::BackendFailure, op,
                text(name, " is on ", place_text(a.placement()), " but backend ", who, " computes on ",
                     place_text(needed), "; bring it there with ", hint));
}

void throw_unsupported(const BackendInfo& backend, OpId op, DType dtype) {
    const bool defined = info(op).dtypes.contains(dtype);
    throw Error(ErrorKind::Unsupported, info(op).name,
                text("dtype ", info(dtype).name, " is not supported",
                     defined ? text(" by backend ", backend.name) : ""));
}

ByteRange reach(const TensorRead& view) {
    Index low = 0, high = 1;
    const Index *extent = view.shape().data(), *stride = view.strides().data();
    for (const Index* const end = extent + view.rank(); extent != end; ++extent, ++stride) {
        if (*extent == 0) return {nullptr, nullptr};
        const Index span = (*extent - 1) * *stride;
        (span < 0 ? low : high) += span;
    }
    const auto width = static_cast<Index>(info(view.dtype()).bytes);
    const auto* origin = static_cast<const std::byte*>(view.data());
    return {origin + low * width, origin + high * width};
}

void check_no_overlap(const TensorRead& a, const TensorWrite& out, std::string_view op,
                      std::string_view name) {
    if (overlap(reach(a), reach(out)))
        throw Error(ErrorKind::InvalidArgument, op, text("out overlaps the memory of ", name));
}

void check_out(const BackendInfo& backend, const TensorWrite& out, DType dtype, std::span<const Index> shape,
               std::string_view op) {
    check_place(backend, out, op, "out");
    if (out.dtype() != dtype)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("out has dtype ", info(out.dtype()).name, " but the result has ", info(dtype).name));
    check_same_shape(out.shape(), shape, op, "out", "the result");
    if (!is_injective(out.shape(), out.strides()))
        throw Error(ErrorKind::InvalidArgument, op,
                    text("out has strides ", list_text(out.strides()),
                         " in which elements may coincide for shape ", list_text(out.shape())));
}

}}  // namespace tenferro::TENFERRO_ABI
