// The one counter behind the identity of graph inputs.
#include <atomic>

#include "tenferro/graph/op_mode.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace op_graph {

std::uint64_t new_input_id() noexcept {
    static std::atomic<std::uint64_t> next{0};
    return next.fetch_add(1, std::memory_order_relaxed);
}

}}}  // namespace tenferro::TENFERRO_ABI::op_graph
