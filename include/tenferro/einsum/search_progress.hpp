// What a path search tells about itself while it goes on.
#pragma once

#include "tenferro/base/function_ref.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

/// Where a planning is. All fields of the best order are 0 until an order of the whole network is known,
/// under a memory limit one that meets it.
struct SearchProgress {
    double elapsed = 0;          ///< seconds since the planning began
    double left = 0;             ///< seconds until the deadline; 0 without one
    double best_seconds = 0;     ///< predicted for the best order so far, by the objective
    double best_flops = 0;       ///< of that order
    double best_peak_bytes = 0;  ///< of that order
    double best_slices = 0;      ///< of that order, 1 unless a memory limit asks for more
};

/// Called on the thread that plans, at once where a better order was found, else a few times a second. What
/// it throws ends the search.
using SearchWatcher = FunctionRef<void(const SearchProgress&)>;

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
