// The lock-free slot table behind C handles. A slot's state word is [generation 32 | live 1 | pins 31]; every
// transition of a slot is one atomic operation on it, and the thread whose transition leaves it dead and
// unpinned owns the slot alone.
#include "capi/handle_table.hpp"

#include <algorithm>
#include <memory>
#include <string_view>
#include <type_traits>

#include "tenferro/base/error.hpp"
#include "tenferro/base/fault.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

template <class Held>
constexpr std::string_view kNoun = "";
template <>
constexpr std::string_view kNoun<HeldTensor> = "tensor handles";
template <>
constexpr std::string_view kNoun<PlanPointer> = "plan handles";
constexpr std::uint32_t kNoSlot = HandleTable::kMaxSlots;  // one past the largest slot index

}  // namespace

template <class Held, class Given>
void SlotTable<Held, Given>::free_slots() noexcept {
    static_assert(place_of(kMaxSlots).chunk < kChunks, "every slot number that a token can hold has a chunk");
    for (std::atomic<Slot*>& chunk : chunks_) delete[] chunk.exchange(nullptr);
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
bool SlotTable<Held, Given>::end_life(void* detached) noexcept {
    Slot& slot = *static_cast<Slot*>(detached);
    std::uint64_t state = slot.state.load(std::memory_order_relaxed);
    do {
        if ((state & kLive) == 0) {  // another thread was first
            unpin(slot);
            return false;
        }
    } while (!exchange_if(slot.state, state, (state & ~kLive) - 1, std::memory_order_acq_rel));
    if ((state & kPins) == 1) recycle(slot);
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
typename SlotTable<Held, Given>::Slot& SlotTable<Held, Given>::at(std::uint32_t index) const noexcept {
    const Place place = place_of(index);
    return chunks_[place.chunk].load(std::memory_order_acquire)[place.at];
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
        ensure_chunk(place_of(index).chunk);
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
    for (std::uint32_t i = 0; i < count; ++i) made[i].index = count - kFirstChunk + i;
    Slot* expected = nullptr;  // another thread may have been faster; then ours goes
    if (chunks_[chunk].compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel))
        static_cast<void>(made.release());
}

template <class Held, class Given>
typename SlotTable<Held, Given>::Slot* SlotTable<Held, Given>::pop_free() noexcept {
    std::uint64_t head = free_.load(std::memory_order_acquire);
    for (;;) {
        const auto index = static_cast<std::uint32_t>(head & kMaxSlots);
        if (index == kNoSlot) return nullptr;
        Slot& slot = at(index);
        const std::uint64_t count = (head >> kSlotBits) + 1;
        const std::uint64_t next = count << kSlotBits | slot.next_free.load(std::memory_order_relaxed);
        if (exchange_if(free_, head, next, std::memory_order_acq_rel)) return &slot;
    }
}

template <class Held, class Given>
void SlotTable<Held, Given>::push_free(Slot& slot) noexcept {
    std::uint64_t head = free_.load(std::memory_order_relaxed);
    std::uint64_t next = 0;
    do {
        slot.next_free.store(static_cast<std::uint32_t>(head & kMaxSlots), std::memory_order_relaxed);
        next = ((head >> kSlotBits) + 1) << kSlotBits | slot.index;
    } while (!exchange_if(free_, head, next, std::memory_order_release));
}

template class SlotTable<HeldTensor, Tensor>;
template class SlotTable<PlanPointer, PlanPointer>;

namespace tfe_detail {
constinit HandleTable tensors;
constinit PlanTable plans;
static_assert(std::is_trivially_destructible_v<HandleTable> && std::is_trivially_destructible_v<PlanTable>);
}  // namespace tfe_detail

}}}  // namespace tenferro::TENFERRO_ABI::capi
