// Recorded derivatives of another library: JVP, VJP and Hessian-vector products, replayed. Recorded tensors
// are row-major.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ad/values.hpp"

namespace tenferro::ad {

using Json = nlohmann::json;

/// The results of a recorded function, by their recorded names.
using Results = std::map<std::string, TracedTensor>;
using Replay = std::function<Results(Operands)>;

/// Norms of differences relative to what was recorded, or to 1.
struct Tolerances {
    double first, second;
};
/// What a record of its dtype is held to.
[[nodiscard]] Tolerances tolerances(const Json& record);

/// Calls f for each record; false where the data are not there. Infinite numbers are the strings "Infinity"
/// and "-Infinity".
[[nodiscard]] bool for_each_record(const std::function<void(const Json&)>& f);

/// The recorded JVP along the first probe, and that of the replay, of the result `name`.
struct TwoJvps {
    Value recorded, replayed;
};
[[nodiscard]] TwoJvps first_jvp(const Json& record, const Replay& replay, const std::string& name);

/// Replays a record along each of its probes, and returns their number.
[[nodiscard]] int check_record(const Json& record, const Replay& replay, Tolerances tolerances);

/// Prints how often what was replayed, and returns the sum.
int print_counts(const std::map<std::string, int>& counts);

}  // namespace tenferro::ad
