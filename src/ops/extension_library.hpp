// Extension families that come with this library: they are registered when the first is made, or when a graph
// that is read names one. A layer above announces its families when the process loads it, which allocates
// nothing; a program that links the static library has what it refers to.
#pragma once

#include <string_view>

#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tfe_detail {

struct ExtensionLibrary {
    std::string_view crate;
    void (*register_families)();
    const ExtensionLibrary* next = nullptr;
};
/// `library` lives as long as the process.
void announce(ExtensionLibrary& library) noexcept;
/// Registers the families of `crate`, if it was announced. Throws as what registers them does.
void register_families(std::string_view crate);

}}}  // namespace tenferro::TENFERRO_ABI::tfe_detail
