// Arrays of tensor handles going in and out of a call. Operands stay pinned for the whole call, so another
// thread may release them meanwhile.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "tenferro/capi/arguments.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// Objects made one after the other, at most as many as said at first; a few cost no allocation.
template <class T, std::size_t kFew>
class FewOf {
public:
    explicit FewOf(std::size_t most) {
        if (most <= kFew) return;
        more_ = std::make_unique<Room[]>(most);
        room_ = more_.get();
    }
    FewOf(const FewOf&) = delete;
    FewOf& operator=(const FewOf&) = delete;
    ~FewOf() { std::destroy_n(at(0), size_); }

    template <class... Arguments>
    T& emplace_back(Arguments&&... arguments) {
        T* const made = std::construct_at(at(size_), std::forward<Arguments>(arguments)...);
        ++size_;
        return *made;
    }
    [[nodiscard]] std::span<const T> get() const noexcept { return {at(0), size_}; }

private:
    struct alignas(T) Room {
        std::byte bytes[sizeof(T)];
    };
    T* at(std::size_t i) const noexcept { return reinterpret_cast<T*>(room_ + i); }

    std::size_t size_ = 0;
    std::unique_ptr<Room[]> more_;
    Room few_[kFew];
    Room* room_ = few_;
};

/// The operands of a call: views for the engine and the pins that keep them valid.
class Operands {
public:
    template <class T>
    Operands(std::type_identity<T>, const char* function, Handle<T>* const* array, std::size_t n,
             std::string_view name, std::string_view element)
        : pins_(checked(function, array, n, name)), views_(n) {
        for (std::size_t i = 0; i < n; ++i)
            views_.emplace_back(pins_.emplace_back(borrow<T>(function, array[i], {element, i}))->read());
    }
    Operands(const Operands&) = delete;
    Operands& operator=(const Operands&) = delete;
    ~Operands() = default;

    [[nodiscard]] std::span<const TensorRead> views() const noexcept { return views_.get(); }

private:
    static std::size_t checked(const char* function, const void* array, std::size_t n,
                               std::string_view name) {
        if (n == 0)
            throw Error(ErrorKind::InvalidArgument, function,
                        "n is 0 but an einsum has at least one operand");
        check_array(function, array, name, n, "n");
        return n;
    }

    static constexpr std::size_t kFew = 4;
    FewOf<Borrowed, kFew> pins_;
    FewOf<TensorRead, kFew> views_;
};

template <class T>
Operands borrow_operands(const char* function, Handle<T>* const* array, std::size_t n, std::string_view name,
                         std::string_view element) {
    return {std::type_identity<T>{}, function, array, n, name, element};
}

/// The tangents of a call; those that are NULL are absent.
struct Tangents {
    std::vector<Borrowed> pins;
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
        for (Handle<T>* handle : handles_) discard(handle);
    }
    void publish(Tensor&& tensor) { handles_.push_back(capi::publish<T>(std::move(tensor))); }
    void hand_over(Handle<T>** out) noexcept {
        std::copy(handles_.begin(), handles_.end(), out);
        handles_.clear();
    }

private:
    std::vector<Handle<T>*> handles_;
};

/// Makes the tensors handles of the caller, in out[0 … n-1]: all of them, or none. There must be n (else a
/// BackendFailure).
template <class T>
void publish_all(std::vector<Tensor>&& gradients, Handle<T>** out, std::size_t n) {
    check_count(gradients.size(), n);
    PendingHandles<T> pending(n);
    for (Tensor& gradient : gradients) pending.publish(std::move(gradient));
    pending.hand_over(out);
}

/// Outputs are NULL from the first moment of a call on, whatever fails later.
template <class T>
void clear_outputs(Handle<T>** out, std::size_t n) noexcept {
    if (out != nullptr && n <= kLongestArray) std::fill_n(out, n, nullptr);
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
