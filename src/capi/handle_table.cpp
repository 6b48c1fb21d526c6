// The lock-free slot table behind C handles. A slot's state word is [generation 32 | live 1 | pins 31]; every
// transition of a slot is one atomic operation on it, and the thread whose transition leaves it dead and
// unpinned owns the slot alone.
#include "capi/handle_table.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <string_view>

#include "tenferro/base/error.hpp"
#include "tenferro/base/fault.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

// A top byte that no user-space address has: bits 63 to 57 differ, which is non-canonical on x86-64 and
// AArch64.
template <class Held>
constexpr Token kTag = 0;
template <>
constexpr Token kTag<HeldTensor> = 0xA7;
template <>
constexpr Token kTag<PlanPointer> = 0xA6;
template <class Held>
constexpr std::string_view kNoun = "";
template <>
constexpr std::string_view kNoun<HeldTensor> = "tensor handles";
template <>
constexpr std::string_view kNoun<PlanPointer> = "plan handles";
constexpr unsigned kTagShift = 56;
constexpr std::uint64_t kLive = std::uint64_t{1} << 31;
constexpr std::uint64_t kPins = kLive - 1;
constexpr std::uint32_t kSlotMask = HandleTable::kMaxSlots;
constexpr std::uint32_t kNoSlot = HandleTable::kMaxSlots;  // one past the largest slot index

constexpr std::uint64_t generation_of(std::uint64_t state) noexcept { return state >> 32; }
constexpr std::uint64_t token_generation(Token token) noexcept {
    return (token >> HandleTable::kSlotBits) & UINT32_MAX;
}

constexpr bool is_live(std::uint64_t state, Token token) noexcept {
    return (state & kLive) != 0 && generation_of(state) == token_generation(token);
}

// Chunk c holds kFirstChunk << c slots.
constexpr std::uint32_t kFirstChunk = 64;
constexpr unsigned chunk_of(std::uint32_t index) noexcept {
    return static_cast<unsigned>(std::bit_width(index / kFirstChunk + 1)) - 1;
}
constexpr std::uint32_t chunk_start(unsigned chunk) noexcept { return kFirstChunk * ((1u << chunk) - 1); }

}  // namespace

template <class Held, class Given>
struct alignas(64) SlotTable<Held, Given>::Slot {
    std::atomic<std::uint64_t> state{std::uint64_t{1} << 32};
    std::atomic<std::uint32_t> next_free{kNoSlot};
    std::uint32_t index = 0;
    std::optional<Held> object;  // while it is live or pinned
};

template <class Held, class Given>
void SlotTable<Held, Given>::free_slots() noexcept {
    static_assert(chunk_of(kSlotMask) < kChunks, "every slot number that a token can hold has a chunk");
    for (std::atomic<Slot*>& chunk : chunks_) delete[] chunk.exchange(nullptr);
}

template <class Held, class Given>
const Held& SlotTable<Held, Given>::Pin::operator*() const noexcept {
    return *slot_->object;
}

template <class Held, class Given>
Token SlotTable<Held, Given>::publish(Given&& object) {
    fault::point();
    Slot& slot = acquire_slot();
    slot.object.emplace(std::move(object));
    const std::uint64_t state = slot.state.load(std::memory_order_relaxed);
    slot.state.store(state | kLive, std::memory_order_release);
    return kTag<Held> << kTagShift | generation_of(state) << kSlotBits | slot.index;
}

template <class Held, class Given>
typename SlotTable<Held, Given>::Pin SlotTable<Held, Given>::pin(Token token) noexcept {
    Slot* slot = find(token);
    if (slot == nullptr) return {};
    std::uint64_t state = slot->state.load(std::memory_order_relaxed);
    do {
        if (!is_live(state, token)) return {};
    } while (!slot->state.compare_exchange_weak(state, state + 1, std::memory_order_acquire,
                                                std::memory_order_relaxed));
    return {this, slot};
}

template <class Held, class Given>
void SlotTable<Held, Given>::unpin(Slot& slot) noexcept {
    const std::uint64_t before = slot.state.fetch_sub(1, std::memory_order_acq_rel);
    if ((before & (kLive | kPins)) == 1) recycle(slot);
}

template <class Held, class Given>
void SlotTable<Held, Given>::unpin(void* detached) noexcept {
    unpin(*static_cast<Slot*>(detached));
}

template <class Held, class Given>
bool SlotTable<Held, Given>::release(Token token) noexcept {
    Slot* slot = find(token);
    if (slot == nullptr) return false;
    std::uint64_t state = slot->state.load(std::memory_order_relaxed);
    do {
        if (!is_live(state, token)) return false;
    } while (!slot->state.compare_exchange_weak(state, state & ~kLive, std::memory_order_acq_rel,
                                                std::memory_order_relaxed));
    if ((state & kPins) == 0) recycle(*slot);
    return true;
}

template <class Held, class Given>
std::size_t SlotTable<Held, Given>::live() const noexcept {
    const std::uint32_t used = used_.load(std::memory_order_acquire);
    std::size_t count = 0;
    for (std::uint32_t index = 0; index < used; ++index)
        if ((at(index).state.load(std::memory_order_relaxed) & kLive) != 0) ++count;
    return count;
}

template <class Held, class Given>
typename SlotTable<Held, Given>::Slot* SlotTable<Held, Given>::find(Token token) const noexcept {
    if (token >> kTagShift != kTag<Held>) return nullptr;
    const auto index = static_cast<std::uint32_t>(token & kSlotMask);
    const unsigned chunk = chunk_of(index);
    Slot* slots = chunks_[chunk].load(std::memory_order_acquire);
    return slots == nullptr ? nullptr : slots + (index - chunk_start(chunk));
}

template <class Held, class Given>
typename SlotTable<Held, Given>::Slot& SlotTable<Held, Given>::at(std::uint32_t index) const noexcept {
    const unsigned chunk = chunk_of(index);
    return chunks_[chunk].load(std::memory_order_acquire)[index - chunk_start(chunk)];
}

/// Frees the object of a dead, unpinned slot and makes the slot available under its next generation.
template <class Held, class Given>
void SlotTable<Held, Given>::recycle(Slot& slot) noexcept {
    slot.object.reset();
    const std::uint64_t generation = generation_of(slot.state.load(std::memory_order_relaxed));
    if (generation >= max_generation_) return;  // retired: its tokens are used up
    slot.state.store((generation + 1) << 32, std::memory_order_relaxed);
    push_free(slot);
}

template <class Held, class Given>
typename SlotTable<Held, Given>::Slot& SlotTable<Held, Given>::acquire_slot() {
    if (Slot* slot = pop_free()) return *slot;
    std::uint32_t index = used_.load(std::memory_order_acquire);
    do {
        if (index >= std::min(max_slots_, kMaxSlots))
            throw Error(ErrorKind::OutOfMemory, kNoun<Held>, text("all ", index, " handles are in use"));
        ensure_chunk(chunk_of(index));
    } while (
        !used_.compare_exchange_weak(index, index + 1, std::memory_order_acq_rel, std::memory_order_acquire));
    return at(index);
}

template <class Held, class Given>
void SlotTable<Held, Given>::ensure_chunk(unsigned chunk) {
    if (chunks_[chunk].load(std::memory_order_acquire) != nullptr) return;
    fault::point();
    const std::uint32_t count = kFirstChunk << chunk;
    std::unique_ptr<Slot[]> made(new Slot[count]);
    for (std::uint32_t i = 0; i < count; ++i) made[i].index = chunk_start(chunk) + i;
    Slot* expected = nullptr;  // another thread may have been faster; then ours goes
    if (chunks_[chunk].compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel))
        static_cast<void>(made.release());
}

template <class Held, class Given>
typename SlotTable<Held, Given>::Slot* SlotTable<Held, Given>::pop_free() noexcept {
    std::uint64_t head = free_.load(std::memory_order_acquire);
    for (;;) {
        const auto index = static_cast<std::uint32_t>(head & kSlotMask);
        if (index == kNoSlot) return nullptr;
        Slot& slot = at(index);
        const std::uint64_t count = (head >> kSlotBits) + 1;
        const std::uint64_t next = count << kSlotBits | slot.next_free.load(std::memory_order_relaxed);
        if (free_.compare_exchange_weak(head, next, std::memory_order_acq_rel, std::memory_order_acquire))
            return &slot;
    }
}

template <class Held, class Given>
void SlotTable<Held, Given>::push_free(Slot& slot) noexcept {
    std::uint64_t head = free_.load(std::memory_order_relaxed);
    std::uint64_t next = 0;
    do {
        slot.next_free.store(static_cast<std::uint32_t>(head & kSlotMask), std::memory_order_relaxed);
        next = ((head >> kSlotBits) + 1) << kSlotBits | slot.index;
    } while (!free_.compare_exchange_weak(head, next, std::memory_order_release, std::memory_order_relaxed));
}

template class SlotTable<HeldTensor, Tensor>;
template class SlotTable<PlanPointer, PlanPointer>;

namespace {

template <class Table>
Table& process_table() noexcept {
    static constinit Table table;
    static_assert(std::is_trivially_destructible_v<Table>);
    return table;
}

}  // namespace

HandleTable& handles() noexcept { return process_table<HandleTable>(); }
PlanTable& plan_handles() noexcept { return process_table<PlanTable>(); }

}}}  // namespace tenferro::TENFERRO_ABI::capi
