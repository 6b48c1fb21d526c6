// The callback with which a thread watches its long calls, and what it becomes for the engine. It is asked on
// the thread that set it, between two steps of work, and never while it runs.
#pragma once

#include <optional>

#include "tenferro.h"
#include "tenferro/einsum/program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

/// The run options of one C call, for as long as it lasts.
class Watch {
public:
    /// Work begins in `phase`; the first step that the engine tells of begins TFE_PHASE_RUN.
    TENFERRO_API explicit Watch(std::int32_t phase);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() = default;

    [[nodiscard]] const tensor_network::RunOptions& options() const noexcept { return options_; }

private:
    struct Tell {
        Watch& watch;
        TENFERRO_API void operator()(std::size_t done, std::size_t total) const noexcept;
    };
    struct TellSearch {
        Watch& watch;
        TENFERRO_API void operator()(const tensor_network::SearchProgress& found) const noexcept;
    };
    [[nodiscard]] TENFERRO_API bool ask() const;

    /// What a thread with a callback is told; others do not pay for it.
    struct Told {
        tfe_progress now;
        Tell tell;
        tensor_network::Progress progress{tell};
        TellSearch tell_search;
        tensor_network::SearchWatcher search{tell_search};

        Told(Watch& watch, std::int32_t phase)
            : now{sizeof(tfe_progress), phase, 0, 0, 0, 0, 0, 0, 0, 0}, tell{watch}, tell_search{watch} {}
    };
    std::optional<Told> told_;
    tensor_network::RunOptions options_;
};

}}}  // namespace tenferro::TENFERRO_ABI::capi
