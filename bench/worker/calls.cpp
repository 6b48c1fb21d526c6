// Rows of the smallest calls; row["function"] is a name of bench/calls.
#include "bench/calls/calls.h"

#include <span>

#include "bench/worker/row.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::bench {
namespace {

class CallRow : public Row {
public:
    explicit CallRow(const bench_call& call) : call_(call) {}
    Tensor compute() override {
        return Tensor::from_data<double>(std::span<const double>(call_.last(), 4), std::array<Index, 1>{4});
    }
    void repeat(long count) override { call_.run(static_cast<std::size_t>(count)); }

private:
    const bench_call& call_;
};

}  // namespace

std::unique_ptr<Row> make_call_row(const Json& row) {
    const auto name = row.at("interface").get<std::string>() + ": " + row.at("function").get<std::string>();
    for (const auto& table :
         {std::span(bench_c_calls, bench_c_call_count), std::span(bench_cpp_calls, bench_cpp_call_count)})
        for (const bench_call& call : table)
            if (name == call.name) return std::make_unique<CallRow>(call);
    throw Error(ErrorKind::Unsupported, "call row", text("call '", name, "' does not exist"));
}

}  // namespace tenferro::bench
