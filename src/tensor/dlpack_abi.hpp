// The structs of DLPack 1.x as published, under their own global names. Private, so that users may include
// any dlpack.h beside our headers; tests/unit/tensor/dlpack_test.cpp asserts the published sizes and offsets.
#pragma once

#include <cstdint>

#include "tenferro/base/export.hpp"

struct DLPackVersion {
    std::uint32_t major;
    std::uint32_t minor;
};

struct DLDevice {
    std::int32_t device_type;
    std::int32_t device_id;
};

struct DLDataType {
    std::uint8_t code;
    std::uint8_t bits;
    std::uint16_t lanes;
};

struct DLTensor {
    void* data;
    DLDevice device;
    std::int32_t ndim;
    DLDataType dtype;
    std::int64_t* shape;
    std::int64_t* strides;  // in elements
    std::uint64_t byte_offset;
};

struct DLManagedTensorVersioned {
    DLPackVersion version;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned* self);
    std::uint64_t flags;
    DLTensor dl_tensor;
};

namespace tenferro { inline namespace TENFERRO_ABI { namespace dlpack {

inline constexpr std::uint32_t kMajor = 1;
inline constexpr std::uint32_t kMinor = 0;
inline constexpr std::uint64_t kReadOnly = 1;

}}}  // namespace tenferro::TENFERRO_ABI::dlpack
