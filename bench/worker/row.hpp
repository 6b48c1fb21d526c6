// A row of a benchmark as the worker sees it: something prepared once and computed many times. Each suite
// makes its rows from the row's JSON, which bench/harness/suites.py writes and every contestant reads.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "tenferro/tensor/tensor.hpp"

namespace tenferro::bench {

using Json = nlohmann::ordered_json;

class Row {
public:
    virtual ~Row() = default;
    /// The row's work; the result is compared with the other contestants' results before anything is timed.
    virtual Tensor compute() = 0;
    /// The same `count` times without keeping a result; this is what is timed.
    virtual void repeat(long count) {
        for (long i = 0; i < count; ++i) (void)compute();
    }
    /// What the harness cannot know beforehand, such as the path that a search found.
    [[nodiscard]] virtual Json facts() const { return Json::object(); }
};

[[nodiscard]] std::unique_ptr<Row> make_einsum_row(const Json& row);
[[nodiscard]] std::unique_ptr<Row> make_permutation_row(const Json& row);
/// The same bytes moved without permuting: row["baseline"] is "memcpy" or "non-temporal copy".
[[nodiscard]] std::unique_ptr<Row> make_copy_row(const Json& row);
[[nodiscard]] std::unique_ptr<Row> make_elementwise_row(const Json& row);
[[nodiscard]] std::unique_ptr<Row> make_pair_row(const Json& row);
[[nodiscard]] std::unique_ptr<Row> make_axis_row(const Json& row);
[[nodiscard]] std::unique_ptr<Row> make_reduction_row(const Json& row);
[[nodiscard]] std::unique_ptr<Row> make_call_row(const Json& row);
[[nodiscard]] std::unique_ptr<Row> make_graph_row(const Json& row);
[[nodiscard]] std::unique_ptr<Row> make_linalg_row(const Json& row);

}  // namespace tenferro::bench
