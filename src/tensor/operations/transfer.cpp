// New tensors, and moves between memories.
#include "tenferro/base/error.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

Tensor BackendSession::upload_host_tensor_read(const TensorRead& host) {
    if (host.placement() != kMainMemory)
        throw_misplaced(host, kMainMemory, "host", "upload_host_tensor", "the operand");
    Tensor out = allocate("upload_host_tensor", host.dtype(), host.shape());
    do_upload(host, out.write());
    return out;
}

Tensor BackendSession::upload_host_tensor(Tensor&& host) {
    const bool there = backend_info().placement == kMainMemory && host.placement() == kMainMemory;
    return there && host.is_compact() ? std::move(host) : upload_host_tensor_read(host);
}

Tensor BackendSession::download_to_host_read(const TensorRead& a) {
    check_place(backend_info(), a, "download_to_host", "the operand");
    Tensor out = a.placement() == kMainMemory ? allocate("download_to_host", a.dtype(), a.shape())
                                              : Tensor::zeros(a.dtype(), a.shape());
    do_download(a, out.write());
    return out;
}

Tensor BackendSession::download_to_host(Tensor&& a) {
    check_place(backend_info(), a, "download_to_host", "the operand");
    return a.placement() == kMainMemory && a.is_compact() ? std::move(a) : download_to_host_read(a);
}

Tensor BackendSession::empty(DType dtype, DimsView shape) { return allocate("empty", dtype, shape); }

Tensor BackendSession::empty_planned(std::string_view op, DType dtype, const CompactLayout& layout) {
    return {allocate(op, byte_count(layout, info(dtype).bytes, op)), dtype, layout};
}

Tensor BackendSession::zeros(DType dtype, DimsView shape) {
    Tensor out = allocate("zeros", dtype, shape);
    do_fill_zero(out.write());
    return out;
}

}}  // namespace tenferro::TENFERRO_ABI
