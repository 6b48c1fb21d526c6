// A vector of trivially copyable elements that keeps up to N of them in place: shapes, strides and axis lists
// of ordinary rank cost no allocation, ranks beyond N still work, or throw OutOfMemory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

template <class T, std::size_t N>
class SmallVector {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    using value_type = T;

    SmallVector() noexcept {}
    SmallVector(std::initializer_list<T> values) { copy(values.begin(), values.size()); }
    explicit SmallVector(std::size_t count, T value = T{}) { resize(count, value); }
    SmallVector(std::span<const T> values) { copy(values.data(), values.size()); }
    template <std::input_iterator It>
    SmallVector(It first, It last) {
        assign(first, last);
    }
    SmallVector(const SmallVector& other) { copy_from(other); }
    SmallVector(SmallVector&& other) noexcept
        : size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, N)),
          heap_(std::move(other.heap_)) {
        if (!heap_) [[likely]]
            copy_inline(other);
    }
    SmallVector& operator=(const SmallVector& other) {
        if (this != &other) copy_from(other);
        return *this;
    }
    SmallVector& operator=(SmallVector&& other) noexcept {
        if (this != &other) take(other);
        return *this;
    }
    ~SmallVector() = default;

    template <std::input_iterator It>
    void assign(It first, It last) {
        size_ = 0;
        reserve(static_cast<std::size_t>(std::distance(first, last)));
        for (; first != last; ++first) data()[size_++] = static_cast<T>(*first);
    }
    void reserve(std::size_t capacity) {
        if (capacity > capacity_) [[unlikely]]
            grow(capacity);
    }
    void resize(std::size_t count, T value = T{}) {
        reserve(count);
        for (std::size_t i = size_; i < count; ++i) data()[i] = value;
        size_ = static_cast<std::uint32_t>(count);
    }
    void push_back(T value) {
        if (size_ == capacity_) [[unlikely]]
            grow(2 * std::size_t{capacity_});
        data()[size_++] = value;
    }
    void append(std::span<const T> values) {
        reserve(size_ + values.size());
        for (const T& v : values) data()[size_++] = v;
    }
    void insert(std::size_t position, T value) {
        push_back(value);
        std::rotate(begin() + position, end() - 1, end());
    }
    void erase(std::size_t position) {
        std::copy(begin() + position + 1, end(), begin() + position);
        --size_;
    }
    void pop_back() noexcept { --size_; }
    void clear() noexcept { size_ = 0; }

    [[nodiscard]] T* data() noexcept { return heap_ ? heap_.get() : inline_; }
    [[nodiscard]] const T* data() const noexcept { return heap_ ? heap_.get() : inline_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] T& operator[](std::size_t i) noexcept { return data()[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data()[i]; }
    [[nodiscard]] T& back() noexcept { return data()[size_ - 1]; }
    [[nodiscard]] const T& back() const noexcept { return data()[size_ - 1]; }
    [[nodiscard]] T* begin() noexcept { return data(); }
    [[nodiscard]] T* end() noexcept { return data() + size_; }
    [[nodiscard]] const T* begin() const noexcept { return data(); }
    [[nodiscard]] const T* end() const noexcept { return data() + size_; }

    friend bool operator==(const SmallVector& a, const SmallVector& b) noexcept {
        if (a.size_ != b.size_) return false;
        const T *x = a.data(), *y = b.data();
        for (std::size_t i = 0; i < a.size_; ++i)  // few elements: a call would cost more than the loop
            if (!(x[i] == y[i])) return false;
        return true;
    }

private:
    /// Not inlined: callers that rarely have that many elements keep few registers for it.
    [[gnu::noinline]] void grow(std::size_t capacity) {
        std::unique_ptr<T[]> grown;
        if (capacity <= UINT32_MAX) grown.reset(new (std::nothrow) T[capacity]);
        if (!grown) throw_out_of_memory("a list", capacity * sizeof(T));
        std::copy_n(data(), size_, grown.get());
        heap_ = std::move(grown);
        capacity_ = static_cast<std::uint32_t>(capacity);
    }
    // The elements in place are copied all at once, used or not: a fixed number of bytes is a few
    // instructions, a variable one a call. Compilers warn that unused ones have no value; nobody reads them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
    void copy_inline(const SmallVector& other) noexcept {
        std::memcpy(inline_, other.inline_, sizeof inline_);
    }
#pragma GCC diagnostic pop
    void copy(const T* values, std::size_t count) {
        size_ = 0;
        reserve(count);
        T* const to = data();
        for (std::size_t i = 0; i < count; ++i) to[i] = values[i];
        size_ = static_cast<std::uint32_t>(count);
    }
    void copy_from(const SmallVector& other) {
        if (other.heap_ || heap_) [[unlikely]] {
            copy(other.data(), other.size_);
        } else {
            copy_inline(other);
            size_ = other.size_;
        }
    }
    void take(SmallVector& other) noexcept {
        heap_ = std::move(other.heap_);
        if (!heap_) [[likely]]
            copy_inline(other);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, N);
    }

    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = N;
    std::unique_ptr<T[]> heap_;
    T inline_[N];
};

}}  // namespace tenferro::TENFERRO_ABI
