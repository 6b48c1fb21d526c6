// LruCache: the most recently used entries within limits on their number and bytes. Thread-safe; what it
// gives out is shared.
#pragma once

#include <list>
#include <unordered_map>

#include "base/mutex.hpp"
#include "tenferro/runtime/compiler.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace runtime {

/// Key has `hash()` and `==`.
template <class Key, class Value>
class LruCache {
public:
    using Shared = std::shared_ptr<const Value>;

    explicit LruCache(CacheLimits limits) : limits_(limits) {}

    /// The value at `key`, else that of make(key), which is kept if it fits; size(value) counts its bytes.
    template <class Make, class Size>
    Shared get(const Key& key, Make&& make, Size&& size) {
        const std::uint64_t hash = key.hash();
        {
            const std::lock_guard lock(mutex_);
            const auto [begin, end] = index_.equal_range(hash);
            for (auto found = begin; found != end; ++found) {
                if (!(found->second->key == key)) continue;
                ++stats_.hits;
                entries_.splice(entries_.begin(), entries_, found->second);
                return found->second->value;
            }
            ++stats_.misses;
        }
        Shared made = make(key);  // may be made twice by two threads; one stays
        const std::size_t bytes = size(*made);
        const std::lock_guard lock(mutex_);
        if (bytes > limits_.bytes || limits_.entries == 0) return made;
        entries_.push_front({key, hash, bytes, made});
        index_.emplace(hash, entries_.begin());
        stats_.bytes += bytes;
        while (entries_.size() > limits_.entries || stats_.bytes > limits_.bytes) evict();
        return made;
    }

    [[nodiscard]] CacheStats stats() const {
        const std::lock_guard lock(mutex_);
        CacheStats stats = stats_;
        stats.entries = entries_.size();
        return stats;
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        index_.clear();
        entries_.clear();
        stats_.bytes = 0;
    }

private:
    struct Entry {
        Key key;
        std::uint64_t hash;
        std::size_t bytes;
        Shared value;
    };

    void evict() {
        const auto last = std::prev(entries_.end());
        const auto [begin, end] = index_.equal_range(last->hash);
        for (auto found = begin; found != end; ++found)
            if (found->second == last) {
                index_.erase(found);
                break;
            }
        stats_.bytes -= last->bytes;
        ++stats_.evictions;
        entries_.pop_back();
    }

    const CacheLimits limits_;
    mutable Mutex mutex_;
    std::list<Entry> entries_;
    std::unordered_multimap<std::uint64_t, typename std::list<Entry>::iterator> index_;
    CacheStats stats_;
};

}}}  // namespace tenferro::TENFERRO_ABI::runtime
