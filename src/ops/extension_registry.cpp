// The process-local registry of extension families and the format of their ids (docs/semantics.md,
// Extensions).
#include <atomic>
#include <map>
#include <new>

#include "base/immortal.hpp"
#include "base/mutex.hpp"
#include "ops/extension_library.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/extension_op.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// Entries by family id.
template <class T>
class Registry {
public:
    void add(std::shared_ptr<const T> entry, std::string_view op) {
        if (!entry) throw Error(ErrorKind::InvalidArgument, op, "nothing to register");
        const std::string id(entry->family_id());
        static_cast<void>(FamilyId::parse(id));
        const std::lock_guard lock(mutex_);
        if (!entries_.try_emplace(id, std::move(entry)).second)
            throw Error(ErrorKind::DuplicateFamily, op, text("family_id ", id, " is already registered"));
    }
    [[nodiscard]] std::shared_ptr<const T> find(std::string_view id) const {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(id);
        return found == entries_.end() ? nullptr : found->second;
    }
    /// Any version of a family.
    [[nodiscard]] std::shared_ptr<const T> find(std::string_view crate, std::string_view op) const {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, entry] : entries_)
            if (const FamilyId family = FamilyId::parse(id); family.crate == crate && family.op == op)
                return entry;
        return nullptr;
    }

private:
    mutable Mutex mutex_;
    std::map<std::string, std::shared_ptr<const T>, std::less<>> entries_;
};

template <class T>
Registry<T>& registry() {
    static constinit Immortal<Registry<T>> all;
    return all.get();
}

constinit std::atomic<const tfe_detail::ExtensionLibrary*> libraries{nullptr};

}  // namespace

void tfe_detail::announce(ExtensionLibrary& library) noexcept {
    library.next = libraries.load(std::memory_order_relaxed);
    while (!libraries.compare_exchange_weak(library.next, &library, std::memory_order_release)) {
    }
}
void tfe_detail::register_families(std::string_view crate) {
    for (auto* library = libraries.load(std::memory_order_acquire); library != nullptr;
         library = library->next)
        if (library->crate == crate) library->register_families();
}

FamilyId FamilyId::parse(std::string_view id) {
    if (const auto family = parsed(id)) return *family;
    throw Error(ErrorKind::MalformedFamilyId, "extension",
                text("family_id '", id, "' is not of the form <crate>.<op>.v<major>"));
}

void register_extension(std::shared_ptr<const ExtensionFactory> factory) try {
    if (factory)
        if (const FamilyId family = FamilyId::parse(factory->family_id()); family.major != factory->version())
            throw Error(ErrorKind::MalformedFamilyId, "register_extension",
                        text("family_id ", factory->family_id(), " has major version ", family.major,
                             " but the factory has ", factory->version()));
    registry<ExtensionFactory>().add(std::move(factory), "register_extension");
} catch (const std::bad_alloc&) {
    throw_out_of_memory("register_extension");
}
void register_extension_rule(std::shared_ptr<const ExtensionAdRule> rule) try {
    registry<ExtensionAdRule>().add(std::move(rule), "register_extension_rule");
} catch (const std::bad_alloc&) {
    throw_out_of_memory("register_extension_rule");
}
std::shared_ptr<const ExtensionFactory> lookup_extension_factory(std::string_view family_id) {
    return registry<ExtensionFactory>().find(family_id);
}
std::shared_ptr<const ExtensionAdRule> lookup_extension_rule(std::string_view family_id) {
    return registry<ExtensionAdRule>().find(family_id);
}
std::shared_ptr<const ExtensionFactory> lookup_extension_family(std::string_view crate, std::string_view op) {
    return registry<ExtensionFactory>().find(crate, op);
}

std::shared_ptr<const ExtensionFactory> require_extension(std::string_view family_id) {
    if (auto factory = lookup_extension_factory(family_id)) return factory;
    const FamilyId family = FamilyId::parse(family_id);
    if (const auto other = lookup_extension_family(family.crate, family.op))
        throw Error(ErrorKind::Unsupported, "extension",
                    text(family_id, ": version mismatch, graph has v", family.major, ", runtime has v",
                         other->version(), " (", other->family_id(), ")"));
    throw Error(ErrorKind::Unsupported, "extension", text(family_id, ": not registered"));
}

}}  // namespace tenferro::TENFERRO_ABI
