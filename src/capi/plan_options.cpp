// Ranges of the options; what is out of range is refused, never adjusted.
#include "capi/plan_options.hpp"

#include <charconv>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

#include "capi/structs.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/capi/arguments.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

constexpr std::int32_t kMaxExact = 16;
constexpr std::int32_t kMaxAttempts = 1 << 20;
constexpr double kMaxDeadline = 1e9;  // seconds

// clang-format off
#define TFE_OPTION_END(field) TFE_END(tfe_einsum_plan_options, field)
constexpr std::size_t kEnds[] = {
    TFE_OPTION_END(struct_size),
    TFE_OPTION_END(max_exact),
    TFE_OPTION_END(greedy_attempts),
    TFE_OPTION_END(seed),
    TFE_OPTION_END(deadline),
    TFE_OPTION_END(memory_limit),
    TFE_OPTION_END(objective),
    TFE_OPTION_END(element_bytes),
    TFE_OPTION_END(threads),
    TFE_OPTION_END(reserved),
    TFE_OPTION_END(path),
    TFE_OPTION_END(path_steps),
    TFE_OPTION_END(vjp_memory_limit),
    TFE_OPTION_END(dtype),
    TFE_OPTION_END(reserved2),
};
// clang-format on
constexpr StructLayout kLayout{kEnds, sizeof(tfe_einsum_plan_options)};

template <class T>
void check_range(const char* function, std::string_view field, T value, T low, T high) {
    if (value < low || value > high)
        throw Error(ErrorKind::InvalidArgument, function,
                    text("options->", field, " is ", value, " but must be ", low, " to ", high));
}

tensor_network::PathObjective to_objective(const char* function, std::int32_t objective) {
    switch (objective) {
        case TFE_EINSUM_OBJECTIVE_TIME: return tensor_network::PathObjective::Time;
        case TFE_EINSUM_OBJECTIVE_FLOPS: return tensor_network::PathObjective::Flops;
        case TFE_EINSUM_OBJECTIVE_MEMORY: return tensor_network::PathObjective::Memory;
        default:
            throw Error(
                ErrorKind::InvalidArgument, function,
                text("options->objective is ", objective, " but must be 0 (time), 1 (flops) or 2 (memory)"));
    }
}

/// What costs and limits are for.
DType to_dtype(const char* function, const tfe_einsum_plan_options& options) {
    check_range(function, "element_bytes", options.element_bytes, 1, 16);
    switch (options.dtype) {
        case 0:
            return options.element_bytes <= 4   ? DType::F32
                   : options.element_bytes <= 8 ? DType::F64
                                                : DType::C64;
        case TFE_DTYPE_F32: return DType::F32;
        case TFE_DTYPE_F64: return DType::F64;
        case TFE_DTYPE_C32: return DType::C32;
        case TFE_DTYPE_C64: return DType::C64;
        default:
            throw Error(ErrorKind::InvalidArgument, function,
                        text("options->dtype is ", options.dtype,
                             " but must be 0 (by element_bytes), 1 (f32), 2 (f64), 3 (c32) or 4 (c64)"));
    }
}

tensor_network::PathOptions to_search(const char* function, const tfe_einsum_plan_options& options) {
    check_range(function, "max_exact", options.max_exact, 0, kMaxExact);
    check_range(function, "greedy_attempts", options.greedy_attempts, 1, kMaxAttempts);
    if (!(options.deadline >= 0 && options.deadline <= kMaxDeadline)) {  // nor is it when it is not a number
        char digits[32];                                                 // in no locale
        const char* const end = std::to_chars(digits, std::end(digits), options.deadline).ptr;
        throw Error(ErrorKind::InvalidArgument, function,
                    text("options->deadline is ", std::string_view(digits, end),
                         " but must be 0 to 1000000000 seconds"));
    }
    check_range(function, "memory_limit", options.memory_limit, std::int64_t{0},
                std::numeric_limits<std::int64_t>::max());
    check_range(function, "vjp_memory_limit", options.vjp_memory_limit, std::int64_t{0},
                std::numeric_limits<std::int64_t>::max());
    check_range(function, "threads", options.threads, 1, 1024);
    check_range(function, "reserved", options.reserved, 0, 0);
    check_range(function, "reserved2", options.reserved2, 0, 0);
    tensor_network::PathOptions path;
    path.max_exact = options.max_exact;
    path.greedy_attempts = options.greedy_attempts;
    path.seed = options.seed;
    path.objective = to_objective(function, options.objective);
    path.deadline = options.deadline;
    path.dtype = to_dtype(function, options);
    path.threads = options.threads;
    path.memory_limit_bytes = options.memory_limit;
    path.vjp_memory_limit_bytes = options.vjp_memory_limit;
    return path;
}

/// The caller's pairs of positions; nothing where there are none.
std::optional<GivenPath> to_path(const char* function, const tfe_einsum_plan_options& options,
                                 std::size_t n) {
    check_array(function, options.path, "options->path", options.path_steps, "options->path_steps");
    if (options.path == nullptr) return std::nullopt;
    if (options.path_steps != n - 1)
        throw Error(
            ErrorKind::InvalidArgument, function,
            text("options->path_steps is ", options.path_steps, " but ", n, " operands take ", n - 1));
    for (const auto& [name, limit] : {std::pair("memory_limit", options.memory_limit),
                                      std::pair("vjp_memory_limit", options.vjp_memory_limit)})
        if (limit != 0)
            throw Error(ErrorKind::Unsupported, function,
                        text("options->", name, " is ", limit,
                             " but must be 0 with a path: only a search looks for slices"));
    GivenPath path(options.path_steps);
    for (std::size_t step = 0; step < path.size(); ++step)
        for (const std::size_t side : {0, 1}) {
            const std::size_t position = options.path[2 * step + side];
            if (position >= n - step)
                throw Error(ErrorKind::InvalidArgument, function,
                            text("options->path[", 2 * step + side, "] is ", position, " but step ", step,
                                 " has ", n - step, " tensors"));
            path[step].push_back(static_cast<int>(position));
        }
    return path;
}

}  // namespace

PlanOptions to_plan_options(const char* function, const tfe_einsum_plan_options* given, std::size_t n) {
    tfe_einsum_plan_options options = TFE_EINSUM_PLAN_OPTIONS_INIT;
    if (given != nullptr) read_struct(function, "options", given, kLayout, &options);
    return {to_search(function, options), to_path(function, options, n)};
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
