// A lender of memory by DLPack, for tests of imports.
#pragma once

#include <stdexcept>

#include "tenferro/tensor/dlpack.hpp"
#include "tensor/dlpack_abi.hpp"

namespace tenferro::test {

/// A struct over borrowed memory that counts the calls of its deleter.
struct Lender {
    Dims shape, strides;
    int deleted = 0;
    bool throws = false;
    DLManagedTensorVersioned managed{};

    Lender(DType dtype, const void* data, Dims the_shape, Dims the_strides)
        : shape(std::move(the_shape)), strides(std::move(the_strides)) {
        constexpr DLDataType kTypes[] = {{2, 32, 1}, {2, 64, 1}, {5, 64, 1}, {5, 128, 1},
                                         {0, 32, 1}, {0, 64, 1}, {6, 8, 1}};
        managed.version = {1, 3};
        managed.manager_ctx = this;
        managed.deleter = [](DLManagedTensorVersioned* self) {
            auto* lender = static_cast<Lender*>(self->manager_ctx);
            ++lender->deleted;
            if (lender->throws) throw std::runtime_error("a deleter must not throw");
        };
        managed.dl_tensor = {const_cast<void*>(data),
                             {1, 0},
                             static_cast<std::int32_t>(shape.size()),
                             kTypes[static_cast<std::size_t>(dtype)],
                             shape.data(),
                             strides.data(),
                             0};
    }
    explicit Lender(const TensorRead& view)
        : Lender(view.dtype(), view.data(), view.shape(), view.strides()) {}
    Lender(const Lender&) = delete;
};

}  // namespace tenferro::test
