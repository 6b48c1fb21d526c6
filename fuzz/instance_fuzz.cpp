// Any bytes as a network file: the reader either throws Error or returns an instance whose shapes have
// element counts.
#include <cstdint>
#include <string_view>

#include "cli/instance.hpp"
#include "tenferro/base/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view json(reinterpret_cast<const char*>(data), size);
    for (const auto order : {tenferro::cli::AxisOrder::ColumnMajor, tenferro::cli::AxisOrder::RowMajor}) {
        try {
            const auto instance = tenferro::cli::parse_instance(json, "fuzz", order);
            for (const auto& shape : instance.shapes)
                if (tenferro::element_count(shape, "fuzz") < 0) __builtin_trap();
        } catch (const tenferro::Error&) {
            // refused, as it should be
        }
    }
    return 0;
}
