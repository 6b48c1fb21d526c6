// A hash map from key hash to entry, and a list in order of use. Two keys with one hash evict each other,
// which is rare and harmless.
#include <list>
#include <unordered_map>

#include "base/mutex.hpp"
#include "tenferro/base/hash.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace einsum {

namespace {

struct Entry {
    std::uint64_t hash;
    std::string subscripts;
    Dialect dialect;
    std::vector<Dims> shapes;
    std::shared_ptr<const EinsumPlan> plan;

    [[nodiscard]] bool matches(std::string_view text, Dialect wanted,
                               std::span<const TensorRead> operands) const {
        if (subscripts != text || dialect != wanted || shapes.size() != operands.size()) return false;
        for (std::size_t i = 0; i < shapes.size(); ++i)
            if (!(shapes[i] == operands[i].shape())) return false;
        return true;
    }
};

std::uint64_t key_hash(std::string_view subscripts, Dialect dialect, std::span<const TensorRead> operands) {
    Hasher hasher;
    hasher.add(subscripts);
    hasher.add(static_cast<std::uint64_t>(dialect));
    for (const TensorRead& operand : operands) {
        hasher.add(static_cast<std::uint64_t>(operand.rank()));
        for (const Index extent : operand.shape()) hasher.add(static_cast<std::uint64_t>(extent));
    }
    return hasher.value();
}

}  // namespace

struct PlanCache::State {
    explicit State(std::size_t most) : capacity(std::max<std::size_t>(most, 1)) {}

    const std::size_t capacity;
    mutable Mutex mutex;
    std::list<Entry> entries;  // most recently used first
    std::unordered_map<std::uint64_t, std::list<Entry>::iterator> by_hash;
    std::size_t hits = 0, misses = 0;

    /// Null where there is none. Calls repeat the last one more often than not, so that is compared before
    /// anything is hashed.
    std::shared_ptr<const EinsumPlan> find(std::string_view subscripts, Dialect dialect,
                                           std::span<const TensorRead> operands) {
        const std::lock_guard lock(mutex);
        if (!entries.empty() && entries.front().matches(subscripts, dialect, operands)) {
            ++hits;
            return entries.front().plan;
        }
        const auto found = by_hash.find(key_hash(subscripts, dialect, operands));
        if (found == by_hash.end() || !found->second->matches(subscripts, dialect, operands)) {
            ++misses;
            return nullptr;
        }
        ++hits;
        entries.splice(entries.begin(), entries, found->second);
        return entries.front().plan;
    }

    void insert(Entry entry) {
        const std::lock_guard lock(mutex);
        if (const auto old = by_hash.find(entry.hash); old != by_hash.end()) {
            entries.erase(old->second);
            by_hash.erase(old);
        }
        entries.push_front(std::move(entry));
        try {
            by_hash.emplace(entries.front().hash, entries.begin());
        } catch (...) {
            entries.pop_front();
            throw;
        }
        if (entries.size() > capacity) {
            by_hash.erase(entries.back().hash);
            entries.pop_back();
        }
    }
};

PlanCache::PlanCache(std::size_t capacity) : state_(std::make_unique<State>(capacity)) {}
PlanCache::~PlanCache() = default;

std::shared_ptr<const EinsumPlan> PlanCache::get(std::string_view subscripts, Dialect dialect,
                                                 std::span<const TensorRead> operands) {
    if (auto plan = state_->find(subscripts, dialect, operands)) return plan;
    std::vector<Dims> shapes;
    for (const TensorRead& operand : operands) shapes.push_back(operand.shape());
    auto plan = std::make_shared<const EinsumPlan>(Subscripts::parse(subscripts, dialect), shapes);
    state_->insert(
        {key_hash(subscripts, dialect, operands), std::string(subscripts), dialect, std::move(shapes), plan});
    return plan;
}

PlanCache::Stats PlanCache::stats() const {
    const std::lock_guard lock(state_->mutex);
    return {state_->hits, state_->misses, state_->entries.size(), state_->capacity};
}

void PlanCache::clear() {
    const std::lock_guard lock(state_->mutex);
    state_->entries.clear();
    state_->by_hash.clear();
}

}}}  // namespace tenferro::TENFERRO_ABI::einsum
