// The plans that were used last, by subscripts, dialect, dtype and shapes.
#include "base/lru_cache.hpp"

#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/hash.hpp"
#include "tenferro/einsum/plan.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

/// What a plan is looked up by: a call's arguments as they come.
struct PlanQuery {
    std::string_view subscripts;
    Dialect dialect;
    std::span<const TensorRead> operands;

    /// Of the first operand: the others have the same, or a run says so.
    [[nodiscard]] DType dtype() const noexcept { return operands.empty() ? DType::F64 : operands[0].dtype(); }
    [[nodiscard]] std::uint64_t hash() const noexcept {
        Hasher hasher;
        hasher.add(subscripts);
        hasher.add(static_cast<std::uint64_t>(dialect) << 8U | static_cast<std::uint64_t>(dtype()));
        for (const TensorRead& operand : operands) {
            hasher.add(static_cast<std::uint64_t>(operand.rank()));
            for (const Index extent : operand.shape()) hasher.add(static_cast<std::uint64_t>(extent));
        }
        return hasher.value();
    }
};

/// The same, kept.
struct PlanKey {
    std::string subscripts;
    Dialect dialect;
    DType dtype;
    std::vector<Dims> shapes;
    std::uint64_t query_hash;

    [[nodiscard]] std::uint64_t hash() const noexcept { return query_hash; }
    friend bool operator==(const PlanKey&, const PlanKey&) = default;
    friend bool operator==(const PlanKey& key, const PlanQuery& query) {
        if (key.subscripts != query.subscripts || key.dialect != query.dialect ||
            key.dtype != query.dtype() || key.shapes.size() != query.operands.size())
            return false;
        for (std::size_t i = 0; i < key.shapes.size(); ++i)
            if (!(key.shapes[i] == query.operands[i].shape())) return false;
        return true;
    }
};

}  // namespace

struct PlanCache::State {
    std::size_t capacity;
    LruCache<PlanKey, EinsumPlan> plans;
};

PlanCache::PlanCache(std::size_t capacity) try
    : state_(new State{std::max<std::size_t>(capacity, 1),
                       LruCache<PlanKey, EinsumPlan>({std::max<std::size_t>(capacity, 1), SIZE_MAX})}) {
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}
PlanCache::~PlanCache() = default;

std::shared_ptr<const EinsumPlan> PlanCache::get(std::string_view subscripts, Dialect dialect,
                                                 std::span<const TensorRead> operands,
                                                 const RunOptions& options) try {
    const PlanQuery query{subscripts, dialect, operands};
    if (auto plan = state_->plans.find(query)) return plan;
    std::vector<Dims> shapes;
    for (const TensorRead& operand : operands) shapes.push_back(operand.shape());
    auto plan = std::make_shared<const EinsumPlan>(
        Subscripts::parse(subscripts, dialect), shapes,
        PathOptions{
            .dtype = query.dtype(), .cancellation = options.cancellation, .progress = options.search});
    return state_->plans.insert(
        {std::string(subscripts), dialect, query.dtype(), std::move(shapes), query.hash()}, std::move(plan),
        0);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

PlanCache::Stats PlanCache::stats() const {
    const CacheStats stats = state_->plans.stats();
    return {stats.hits, stats.misses, stats.entries, state_->capacity};
}

void PlanCache::clear() { state_->plans.clear(); }

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
