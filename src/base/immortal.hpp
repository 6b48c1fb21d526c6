// Values made at first use. They have no lock that a fork could leave taken: threads that come first at once
// each make a value, and one stays. An Immortal is one of the whole process and never destroyed, so that it
// serves every destructor and exit handler; a Lazy belongs to an object and dies with it.
#pragma once

#include <atomic>
#include <memory>

#include "tenferro/base/export.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Declared `static constinit`.
template <class T>
class Immortal {
public:
    constexpr Immortal() noexcept = default;
    Immortal(const Immortal&) = delete;
    Immortal& operator=(const Immortal&) = delete;

    /// The value; at first what make(), a pointer owner, gives. Throws what `make` throws, and is then as
    /// before.
    template <class Make>
    T& get(const Make& make) {
        if (T* const known = made()) [[likely]]
            return *known;
        return publish(make());
    }
    T& get() {
        return get([] { return std::make_unique<T>(); });
    }

protected:
    [[nodiscard]] T* made() const noexcept { return value_.load(std::memory_order_acquire); }

private:
    [[gnu::noinline]] T& publish(std::unique_ptr<T> fresh) {
        T* first = nullptr;
        if (!value_.compare_exchange_strong(first, fresh.get(), std::memory_order_acq_rel)) return *first;
        return *fresh.release();
    }

    std::atomic<T*> value_{nullptr};
};

template <class T>
class Lazy : public Immortal<T> {
public:
    ~Lazy() { delete this->made(); }
};

}}  // namespace tenferro::TENFERRO_ABI
