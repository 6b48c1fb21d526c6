// SlotTable owns the objects that C callers hold: tensors, einsum plans. A handle is a token [tag |
// generation | slot], never an address. Slots live in chunks that are never moved or freed, so looking up any
// bit pattern reads only memory of ours. A lookup pins its slot; releasing marks the slot dead, and whoever
// is last, the releaser or the last pin, frees the object. No token is ever issued twice: a slot whose
// generations are used up is retired. Everything is lock-free, so a fork cannot inherit a lock.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "base/only_thread.hpp"
#include "capi/held_tensor.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// The bits of a handle. 0 is never one.
using Token = std::uintptr_t;
static_assert(sizeof(Token) == 8, "a handle needs 64 bits for tag, generation and slot");

using PlanPointer = std::shared_ptr<const tensor_network::EinsumPlan>;

/// A top byte that no user-space address has: bits 63 to 57 differ, which is non-canonical on x86-64 and
/// AArch64.
template <class Held>
constexpr Token kTag = 0;
template <>
inline constexpr Token kTag<HeldTensor> = 0xA7;
template <>
inline constexpr Token kTag<PlanPointer> = 0xA6;

/// Held is what a slot keeps, Given what it is made from. Instantiated in handle_table.cpp; what every call
/// does with its operands is inline.
template <class Held, class Given>
class SlotTable {
    struct Slot;

public:
    static constexpr unsigned kSlotBits = 24;
    static constexpr std::uint32_t kMaxSlots = (1u << kSlotBits) - 1;
    static constexpr std::uint32_t kMaxGeneration = UINT32_MAX;

    /// A table of at most `max_slots` live objects whose slots serve `max_generation` objects each; smaller
    /// limits than the default are for tests.
    explicit constexpr SlotTable(std::uint32_t max_slots = kMaxSlots,
                                 std::uint32_t max_generation = kMaxGeneration) noexcept
        : max_slots_(max_slots), max_generation_(max_generation) {}
    SlotTable(const SlotTable&) = delete;
    SlotTable& operator=(const SlotTable&) = delete;

    /// Frees all slots, of tables that end before the process; the table is not used again.
    void free_slots() noexcept;

    /// Keeps an object alive while it is used; empty when the handle was dead.
    class Pin {
    public:
        Pin() noexcept = default;
        Pin(Pin&& other) noexcept : table_(other.table_), slot_(std::exchange(other.slot_, nullptr)) {}
        Pin& operator=(Pin&&) = delete;
        ~Pin() {
            if (slot_ != nullptr) table_->unpin(*slot_);
        }
        explicit operator bool() const noexcept { return slot_ != nullptr; }
        const Held& operator*() const noexcept { return *slot_->object; }
        const Held* operator->() const noexcept { return &**this; }

        /// What keeps the object instead of this, until it is given to unpin or end_life.
        [[nodiscard]] void* detach() && noexcept { return std::exchange(slot_, nullptr); }

    private:
        friend class SlotTable;
        Pin(SlotTable* table, Slot* slot) noexcept : table_(table), slot_(slot) {}

        SlotTable* table_ = nullptr;
        Slot* slot_ = nullptr;
    };

    /// Takes the object over and returns its token. Throws OutOfMemory when all slots are in use,
    /// std::bad_alloc; the object is then untouched.
    [[nodiscard]] Token publish(Given&& object);
    /// The object of a live token; empty for any other bit pattern.
    [[nodiscard]] Pin pin(Token token) noexcept;
    /// Ends a pin that was detached.
    void unpin(void* detached) noexcept { unpin(*static_cast<Slot*>(detached)); }
    /// Ends the life of the token of a pin that was detached, and the pin; false when the token's life had
    /// ended before.
    bool end_life(void* detached) noexcept;
    /// Ends the token's life; false when it was not live.
    bool release(Token token) noexcept {
        Pin held = pin(token);
        return held && end_life(std::move(held).detach());
    }
    /// Number of live tokens, by counting; exact only while no other thread publishes or releases.
    [[nodiscard]] std::size_t live() const noexcept;

private:
    static constexpr unsigned kTagShift = 56;
    static constexpr std::uint64_t kLive = std::uint64_t{1} << 31;
    static constexpr std::uint64_t kPins = kLive - 1;
    static constexpr unsigned kChunks = 19;  // they double in size, so a handful reaches kMaxSlots

    static constexpr std::uint64_t generation_of(std::uint64_t state) noexcept { return state >> 32; }
    static constexpr bool is_live(std::uint64_t state, Token token) noexcept {
        return (state & kLive) != 0 && generation_of(state) == (token >> kSlotBits & UINT32_MAX);
    }
    /// Where a slot is. Chunk c holds kFirstChunk << c slots, so the highest bit of kFirstChunk + index is
    /// its chunk's and the bits below are its place there.
    struct Place {
        unsigned chunk;
        std::uint32_t at;
    };
    static constexpr unsigned kFirstBit = 6;
    static constexpr std::uint32_t kFirstChunk = 1u << kFirstBit;
    static constexpr Place place_of(std::uint32_t index) noexcept {
        const std::uint32_t number = kFirstChunk + index;
        const unsigned bit = 31u ^ static_cast<unsigned>(std::countl_zero(number));
        return {bit - kFirstBit, number ^ 1u << bit};
    }

    Slot* find(Token token) const noexcept;
    Slot& at(std::uint32_t index) const noexcept;
    void unpin(Slot& slot) noexcept;
    void recycle(Slot& slot) noexcept;
    Slot& acquire_slot();
    Slot* pop_free() noexcept;
    void push_free(Slot& slot) noexcept;
    void ensure_chunk(unsigned chunk);

    const std::uint32_t max_slots_;
    const std::uint32_t max_generation_;
    std::atomic<std::uint32_t> used_{0};  // slots below this index have been handed out at least once
    // Stack of free slots as [change count | slot]; the count keeps a stale pop from succeeding.
    std::atomic<std::uint64_t> free_{kMaxSlots};
    std::atomic<Slot*> chunks_[kChunks] = {};
};

using HandleTable = SlotTable<HeldTensor, Tensor>;
using PlanTable = SlotTable<PlanPointer, PlanPointer>;

template <class Held, class Given>
struct alignas(64) SlotTable<Held, Given>::Slot {
    std::atomic<std::uint64_t> state{std::uint64_t{1} << 32};
    std::atomic<std::uint32_t> next_free{kMaxSlots};
    std::uint32_t index = 0;
    std::optional<Held> object;  // while it is live or pinned
};

template <class Held, class Given>
inline typename SlotTable<Held, Given>::Slot* SlotTable<Held, Given>::find(Token token) const noexcept {
    if (token >> kTagShift != kTag<Held>) return nullptr;
    const auto index = static_cast<std::uint32_t>(token & kMaxSlots);
    const Place place = place_of(index);
    Slot* slots = chunks_[place.chunk].load(std::memory_order_acquire);
    return slots == nullptr ? nullptr : slots + place.at;
}

template <class Held, class Given>
inline typename SlotTable<Held, Given>::Pin SlotTable<Held, Given>::pin(Token token) noexcept {
    Slot* slot = find(token);
    if (slot == nullptr) return {};
    std::uint64_t state = slot->state.load(std::memory_order_relaxed);
    do {
        if (!is_live(state, token)) return {};
    } while (!exchange_if(slot->state, state, state + 1, std::memory_order_acquire));
    return {this, slot};
}

template <class Held, class Given>
inline void SlotTable<Held, Given>::unpin(Slot& slot) noexcept {
    const std::uint64_t before = take_away(slot.state, std::uint64_t{1}, std::memory_order_acq_rel);
    if ((before & (kLive | kPins)) == 1) recycle(slot);
}

namespace tfe_detail {
extern constinit HandleTable tensors;
extern constinit PlanTable plans;
}  // namespace tfe_detail

/// The process-wide tables. Never destroyed, so that handles may be released during process exit. A token of
/// one is none of the other.
[[nodiscard]] inline HandleTable& handles() noexcept { return tfe_detail::tensors; }
[[nodiscard]] inline PlanTable& plan_handles() noexcept { return tfe_detail::plans; }

}}}  // namespace tenferro::TENFERRO_ABI::capi
