// Arrays of tensor handles going in and out of a call. Operands stay pinned for the whole call, so another thread may release
// them meanwhile.
#pragma once

#include <algorithm>
#include <memory_resource>
#include <optional>
#include <type_traits>
#include <vector>

#include "capi/arguments.hpp"

namespace tenferro::inline TENFERRO_ABI::capi {

/// The operands of a call: views for the engine and the pins that keep them valid. A few cost no allocation.
class Operands {
public:
    template <class T>
    Operands(std::type_identity<T>, const char* function, Handle<T>* const* array, std::size_t n, std::string_view name,
             std::string_view element) {
        if (n == 0) throw Error(ErrorKind::InvalidArgument, function, "n is 0 but an einsum has at least one operand");
        check_array(function, array, name, n, "n");
        pins_.reserve(n);
        views_.reserve(n);
        for (std::size_t i = 0; i < n; ++i) {
            pins_.push_back(borrow<T>(function, array[i], {element, i}));
            views_.push_back(pins_.back()->read());
        }
    }
    Operands(const Operands&) = delete;
    Operands& operator=(const Operands&) = delete;
    ~Operands() = default;

    [[nodiscard]] std::span<const TensorRead> views() const noexcept { return views_; }

private:
    static constexpr std::size_t kFew = 4;
    std::byte stack_[kFew * (sizeof(HandleTable::Pin) + sizeof(TensorRead))];
    std::pmr::monotonic_buffer_resource arena_{stack_, sizeof stack_};
    std::pmr::vector<HandleTable::Pin> pins_{&arena_};
    std::pmr::vector<TensorRead> views_{&arena_};
};

template <class T>
Operands borrow_operands(const char* function, Handle<T>* const* array, std::size_t n, std::string_view name,
                         std::string_view element) {
    return {std::type_identity<T>{}, function, array, n, name, element};
}

/// The tangents of a call; those that are NULL are absent.
struct Tangents {
    std::vector<HandleTable::Pin> pins;
    std::vector<std::optional<TensorRead>> views;
};

template <class T>
Tangents borrow_tangents(const char* function, Handle<T>* const* array, std::size_t n) {
    check_array(function, array, "tangents", n, "n");
    Tangents tangents;
    tangents.pins.reserve(n);
    tangents.views.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        if (array[i] == nullptr) continue;
        tangents.pins.push_back(borrow<T>(function, array[i], {"tangent", i}));
        tangents.views[i] = tangents.pins.back()->read();
    }
    return tangents;
}

/// Handles that are released again unless the caller gets them all.
template <class T>
class PendingHandles {
public:
    explicit PendingHandles(std::size_t count) { handles_.reserve(count); }
    PendingHandles(const PendingHandles&) = delete;
    PendingHandles& operator=(const PendingHandles&) = delete;
    ~PendingHandles() {
        for (Handle<T>* handle : handles_) handles().release(reinterpret_cast<Token>(handle));
    }
    void publish(Tensor&& tensor) { handles_.push_back(capi::publish<T>(std::move(tensor))); }
    void hand_over(Handle<T>** out) noexcept {
        std::copy(handles_.begin(), handles_.end(), out);
        handles_.clear();
    }

private:
    std::vector<Handle<T>*> handles_;
};

/// Makes the gradients handles of the caller: all of them, or none.
template <class T>
void publish_all(std::vector<Tensor>&& gradients, Handle<T>** out) {
    PendingHandles<T> pending(gradients.size());
    for (Tensor& gradient : gradients) pending.publish(std::move(gradient));
    pending.hand_over(out);
}

/// Outputs are NULL from the first moment of a call on, whatever fails later.
template <class T>
void clear_outputs(Handle<T>** out, std::size_t n) noexcept {
    if (out != nullptr && n <= kLongestArray) std::fill_n(out, n, nullptr);
}

}  // namespace tenferro::inline TENFERRO_ABI::capi
