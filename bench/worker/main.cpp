// The worker: one contestant as a process. It reads one JSON request a line and answers each with one line,
// either
// {"ok": …} or {"error": text} or, where the library lacks something, {"unsupported": text}. The peers in
// bench/peers speak the same protocol:
//
//   {"do": "prepare", "row": …}              makes the operands; answers facts about the row
//   {"do": "check", "file": name}            computes and writes the result's elements in memory order
//   {"do": "run", "samples": s, "calls": n}  answers s times, in seconds per call, each the mean of n calls
//   {"do": "memory", "row": …}               prepares and computes once; answers resident bytes before and at
//   the peak, and how many more of them are pages of files
//   {"do": "machine"}                        measures peak and bandwidth
//   {"do": "about"}                          answers name and version
#include <chrono>
#include <fstream>
#include <iostream>

#include "bench/worker/machine.hpp"
#include "bench/worker/memory.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro::bench { namespace {

std::unique_ptr<Row> make_row(const Json& row) {
    const auto op = row.at("op").get<std::string>();
    if (row.contains("baseline")) return make_copy_row(row);
    if (op == "einsum") return make_einsum_row(row);
    if (op == "permutation") return make_permutation_row(row);
    if (op == "elementwise") return make_elementwise_row(row);
    if (op == "pairs") return make_pair_row(row);
    if (op == "reduction") return make_reduction_row(row);
    if (op == "axis") return make_axis_row(row);
    if (op == "call") return make_call_row(row);
    if (op == "graph") return make_graph_row(row);
    if (op == "linalg") return make_linalg_row(row);
    throw Error(ErrorKind::Unsupported, "worker", "there is no such operation: " + op);
}

class Worker {
public:
    Json answer(const Json& request) {
        const auto what = request.at("do").get<std::string>();
        if (what == "prepare") return prepare(request.at("row"));
        if (what == "check") return check(request.at("file"));
        if (what == "run") return run(request.at("samples"), request.at("calls"));
        if (what == "memory") return memory(request.at("row"));
        if (what == "machine") return measure_machine(num_threads());
        if (what == "about") return {{"name", "tenferro"}, {"version", std::string(version())}};
        throw Error(ErrorKind::InvalidArgument, "worker", "there is no such request: " + what);
    }

private:
    Json prepare(const Json& row) {
        row_.reset();  // the old row's memory goes first
        row_ = make_row(row);
        return row_->facts();
    }
    Json check(const std::string& file) {
        const Tensor result = prepared().compute();
        const auto bytes = static_cast<std::streamsize>(result.size()) *
                           static_cast<std::streamsize>(info(result.dtype()).bytes);
        std::ofstream(file, std::ios::binary).write(static_cast<const char*>(result.data()), bytes);
        return {{"bytes", bytes}};
    }
    Json run(int samples, long calls) {
        Json seconds = Json::array();
        for (int s = 0; s < samples; ++s) {
            const auto start = std::chrono::steady_clock::now();
            prepared().repeat(calls);
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            seconds.push_back(elapsed.count() / static_cast<double>(calls));
        }
        return {{"seconds", seconds}};
    }
    Json memory(const Json& row) {
        const std::int64_t before = resident_bytes(), files = file_bytes();
        Json answer = prepare(row);
        (void)prepared().compute();
        answer["before"] = before;
        answer["peak"] = peak_resident_bytes();
        answer["files"] = file_bytes() - files;
        return answer;
    }

    Row& prepared() {
        if (!row_) throw Error(ErrorKind::InvalidArgument, "worker", "no row is prepared");
        return *row_;
    }

    std::unique_ptr<Row> row_;
};

Json answer(Worker& worker, const std::string& line) {
    try {
        return {{"ok", worker.answer(Json::parse(line))}};
    } catch (const Error& error) {
        return {{error.kind() == ErrorKind::Unsupported ? "unsupported" : "error", error.what()}};
    } catch (const std::exception& error) {
        return {{"error", error.what()}};
    }
}

}}  // namespace tenferro::bench

int main() {
    tenferro::bench::Worker worker;
    for (std::string line; std::getline(std::cin, line);)
        std::cout << tenferro::bench::answer(worker, line).dump() << std::endl;
}
