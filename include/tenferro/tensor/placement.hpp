// Where memory is: the memory spaces of the C ABI document, a place as a value, and the one table that
// relates both to DLPack's device types.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// The kinds of memory: ordinary host memory, host memory pinned for a device, a device's own, memory that a
/// driver moves between host and device, and the absent memory of a tensor that was moved from.
enum class MemorySpace : std::uint8_t { MainMemory, PinnedMemory, GpuMemory, ManagedMemory, Nowhere };

/// A memory space and, where there are several of it, which one.
struct Placement {
    MemorySpace space = MemorySpace::MainMemory;
    std::int32_t device = 0;

    friend constexpr bool operator==(const Placement&, const Placement&) = default;
};

/// Main memory, where the host and the CPU backend compute.
inline constexpr Placement kMainMemory{};
/// Where a tensor is that was moved from: no backend computes there.
inline constexpr Placement kNowhere{MemorySpace::Nowhere, 0};

struct DlpackDevice {
    std::int32_t type;  ///< DLDeviceType
    std::string_view name;
    MemorySpace space;
};

/// The device types that we know. The first row of a space is how it is exported and named in messages.
/// Memory is imported only from kMainMemory.
inline constexpr std::array<DlpackDevice, 6> kDlpackDevices{{
    {1, "cpu", MemorySpace::MainMemory},
    {2, "cuda", MemorySpace::GpuMemory},
    {3, "cuda_host", MemorySpace::PinnedMemory},
    {10, "rocm", MemorySpace::GpuMemory},
    {11, "rocm_host", MemorySpace::PinnedMemory},
    {13, "cuda_managed", MemorySpace::ManagedMemory},
}};

/// The first row of a memory space.
[[nodiscard]] constexpr const DlpackDevice& dlpack_device(MemorySpace space) noexcept {
    for (const DlpackDevice& row : kDlpackDevices)
        if (row.space == space) return row;
    return kDlpackDevices[0];
}

/// "cpu:0", "cuda:1", …
[[nodiscard]] inline std::string place_text(const Placement& placement) {
    return std::string(dlpack_device(placement.space).name) + ":" + std::to_string(placement.device);
}

}}  // namespace tenferro::TENFERRO_ABI
