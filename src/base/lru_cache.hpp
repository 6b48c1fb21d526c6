// LruCache: the most recently used entries within limits on their number and bytes. Thread-safe; what it
// gives out is shared. A call that throws leaves the cache as it was. Entries die when the lock is given
// back: programs hold operations of users, whose ends may wait for locks of their own.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>

#include "base/mutex.hpp"
#include "tenferro/base/cache_limits.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

/// Key has `hash()` and `==`; so has whatever else entries are looked up by.
template <class Key, class Value>
class LruCache {
public:
    using Shared = std::shared_ptr<const Value>;

    explicit LruCache(CacheLimits limits) : limits_(limits) {}

    /// The value at `wanted`, or null. Callers repeat the last look-up more often than not, so that is
    /// compared before anything is hashed.
    template <class Lookup>
    [[nodiscard]] Shared find(const Lookup& wanted) {
        const std::lock_guard lock(mutex_);
        const bool is_front = !entries_.empty() && entries_.front().key == wanted;
        const auto found = is_front ? entries_.begin() : position(wanted, wanted.hash());
        if (found == entries_.end()) {
            ++stats_.misses;
            return nullptr;
        }
        ++stats_.hits;
        if (!is_front) entries_.splice(entries_.begin(), entries_, found);
        return found->value;
    }

    /// Keeps `value`, which counts as `bytes`, if it fits. Returns what is at `key` now: where another thread
    /// was first, its value.
    Shared insert(Key key, Shared value, std::size_t bytes) {
        const std::uint64_t hash = key.hash();
        std::list<Entry> evicted;
        const std::lock_guard lock(mutex_);
        if (const auto first = position(key, hash); first != entries_.end()) return first->value;
        if (bytes > limits_.bytes || limits_.entries == 0) return value;
        std::list<Entry> added;
        added.push_front({std::move(key), hash, bytes, value});
        index_.emplace(hash, added.begin());  // nothing throws from here on
        entries_.splice(entries_.begin(), added);
        stats_.bytes += bytes;
        while (entries_.size() > limits_.entries || stats_.bytes > limits_.bytes) evict(evicted);
        return value;
    }

    /// The value at `key`, else that of make(key), of which size(value) counts the bytes.
    template <class Make, class Size>
    Shared get(const Key& key, Make&& make, Size&& size) {
        if (Shared found = find(key)) return found;
        Shared made = make(key);
        const std::size_t bytes = size(*made);
        return insert(key, std::move(made), bytes);
    }

    [[nodiscard]] CacheStats stats() const {
        const std::lock_guard lock(mutex_);
        CacheStats stats = stats_;
        stats.entries = entries_.size();
        return stats;
    }
    void clear() {
        std::list<Entry> dropped;
        const std::lock_guard lock(mutex_);
        index_.clear();
        dropped.swap(entries_);
        stats_.bytes = 0;
    }

private:
    struct Entry {
        Key key;
        std::uint64_t hash;
        std::size_t bytes;
        Shared value;
    };
    using Position = typename std::list<Entry>::iterator;

    template <class Lookup>
    [[nodiscard]] Position position(const Lookup& wanted, std::uint64_t hash) {
        const auto [begin, end] = index_.equal_range(hash);
        for (auto found = begin; found != end; ++found)
            if (found->second->key == wanted) return found->second;
        return entries_.end();
    }

    /// Moves the least recently used entry to `evicted`.
    void evict(std::list<Entry>& evicted) noexcept {
        const Position last = std::prev(entries_.end());
        const auto [begin, end] = index_.equal_range(last->hash);
        for (auto found = begin; found != end; ++found)
            if (found->second == last) {
                index_.erase(found);
                break;
            }
        stats_.bytes -= last->bytes;
        ++stats_.evictions;
        evicted.splice(evicted.begin(), entries_, last);
    }

    const CacheLimits limits_;
    mutable Mutex mutex_;
    std::list<Entry> entries_;  // most recently used first
    std::unordered_multimap<std::uint64_t, Position> index_;
    CacheStats stats_;
};

}}  // namespace tenferro::TENFERRO_ABI
