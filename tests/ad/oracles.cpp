// Reading and replaying recorded derivatives.
#include "ad/oracles.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/random_layout.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::ad {

namespace {

/// A recorded tensor.
Value recorded_value(const Json& json) {
    static const std::map<std::string, DType> dtypes{{"float64", DType::F64},
                                                     {"complex128", DType::C64},
                                                     {"float32", DType::F32},
                                                     {"complex64", DType::C32}};
    Value value{dtypes.at(json["dtype"]), {}, {}};
    for (const Json& extent : json["shape"]) value.shape.push_back(extent);
    Dims row_major(value.shape.size(), 1);
    for (std::size_t axis = value.shape.size(); axis-- > 1;)
        row_major[axis - 1] = row_major[axis] * value.shape[axis];
    test::for_each_index(value.shape, [&](const Dims& index) {
        Index at = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) at += index[axis] * row_major[axis];
        const Json& element = json["data"][static_cast<std::size_t>(at)];
        value.elements.push_back(element.is_array() ? std::complex<double>(element[0], element[1])
                                                    : element.get<double>());
    });
    return value;
}

/// Text in which infinite numbers are strings.
std::string as_json(std::string line) {
    for (std::size_t at = 0; (at = line.find("Infinity", at)) != std::string::npos;) {
        const std::size_t first = line[at - 1] == '-' ? at - 1 : at, last = at + 8;
        line.replace(first, last - first, "\"" + line.substr(first, last - first) + "\"");
        at = last + 2;
    }
    return line;
}

/// The 2-norm of the differences over that of what is expected, over all tensors, of which there may be none.
void expect_norms(std::span<const Value> actual, std::span<const Value> expected, double tolerance,
                  const char* what) {
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(actual[i].shape, expected[i].shape) << what;
        difference = std::hypot(difference, norm(moved(actual[i], -1, expected[i])));
        size = std::hypot(size, norm(expected[i]));
    }
    EXPECT_LE(difference, tolerance * std::max(size, 1.0)) << what;
}

/// A probe with its replay as traced values.
struct Probe {
    std::vector<TracedTensor> x, dx, y, ct, jvp;
    std::vector<Value> values, directions, cotangents, jvp_expected, vjp_expected, hvp_expected;

    Probe(const Json& record, const Json& probe, const Replay& replay) {
        const Json& reference = probe["pytorch_ref"];
        for (const auto& [name, input] : record["inputs"].items()) {
            values.push_back(recorded_value(input));
            directions.push_back(recorded_value(probe["direction"][name]));
            vjp_expected.push_back(recorded_value(reference["vjp"][name]));
            if (reference.contains("hvp")) hvp_expected.push_back(recorded_value(reference["hvp"][name]));
            x.push_back(TracedTensor::input(values.back().dtype, values.back().shape));
            dx.push_back(TracedTensor::input(values.back().dtype, values.back().shape));
        }
        const Results results = replay(x);
        for (const auto& [name, tangent] : reference["jvp"].items()) {
            Value expected = recorded_value(tangent);
            if (expected.elements.empty()) continue;
            jvp_expected.push_back(std::move(expected));
            cotangents.push_back(recorded_value(probe["cotangent"][name]));
            y.push_back(results.at(name));
            ct.push_back(TracedTensor::input(y.back().dtype(), y.back().meta().shape));
        }
        const std::vector<std::optional<TracedTensor>> along(dx.begin(), dx.end());
        jvp = tenferro::jvp(y, x, along);
    }
};

}  // namespace

Tolerances tolerances(const Json& record) {
    const bool single = record["dtype"] == "float32" || record["dtype"] == "complex64";
    return single ? Tolerances{2e-4, 2e-4} : Tolerances{1e-10, 1e-8};
}

bool for_each_record(const std::function<void(const Json&)>& f) {
    std::ifstream file(TENFERRO_AD_ORACLES);
    if (!file) return false;
    for (std::string line; std::getline(file, line);) f(Json::parse(as_json(std::move(line))));
    return true;
}

TwoJvps first_jvp(const Json& record, const Replay& replay, const std::string& name) {
    const Json& first = record["probes"][0];
    const Probe probe(record, first, replay);
    std::vector<TracedTensor> inputs = probe.x;
    inputs.insert(inputs.end(), probe.dx.begin(), probe.dx.end());
    std::vector<Value> values = probe.values;
    values.insert(values.end(), probe.directions.begin(), probe.directions.end());
    std::size_t place = 0;
    for (const auto& [key, tangent] : first["pytorch_ref"]["jvp"].items()) {
        if (key == name) break;
        place += recorded_value(tangent).elements.empty() ? 0 : 1;
    }
    GraphCompiler compiler;
    return {probe.jvp_expected[place],
            run(*compiler.compile({&probe.jvp[place], 1}, inputs), cpu(), values).front()};
}

int check_record(const Json& record, const Replay& replay, Tolerances tolerances) {
    SCOPED_TRACE(record["case_id"]);
    int count = 0;
    for (const Json& recorded : record["probes"]) {
        const Probe probe(record, recorded, replay);
        const std::vector<std::optional<TracedTensor>> along(probe.dx.begin(), probe.dx.end()),
            back(probe.ct.begin(), probe.ct.end());
        const std::vector<TracedTensor> gradients = vjp(probe.y, probe.x, back);
        std::vector<TracedTensor> outputs = probe.jvp, inputs = probe.x;
        outputs.insert(outputs.end(), gradients.begin(), gradients.end());
        if (!probe.hvp_expected.empty()) {
            const std::vector<TracedTensor> curvatures = jvp(gradients, probe.x, along);
            outputs.insert(outputs.end(), curvatures.begin(), curvatures.end());
        }
        std::vector<Value> values = probe.values;
        inputs.insert(inputs.end(), probe.dx.begin(), probe.dx.end());
        values.insert(values.end(), probe.directions.begin(), probe.directions.end());
        inputs.insert(inputs.end(), probe.ct.begin(), probe.ct.end());
        values.insert(values.end(), probe.cotangents.begin(), probe.cotangents.end());
        GraphCompiler compiler;
        const std::vector<Value> results = run(*compiler.compile(outputs, inputs), cpu(), values);
        const std::span<const Value> all(results);
        expect_norms(all.first(probe.y.size()), probe.jvp_expected, tolerances.first, "jvp");
        expect_norms(all.subspan(probe.y.size(), probe.x.size()), probe.vjp_expected, tolerances.first,
                     "vjp");
        expect_norms(all.subspan(probe.y.size() + (probe.hvp_expected.empty() ? 0 : probe.x.size())),
                     probe.hvp_expected, tolerances.second, "hvp");
        ++count;
    }
    return count;
}

int print_counts(const std::map<std::string, int>& counts) {
    std::string list;
    int total = 0;
    for (const auto& [name, count] : counts) {
        list += text(" ", name, " ", count);
        total += count;
    }
    std::printf("reproduced:%s\n", list.c_str());
    return total;
}

}  // namespace tenferro::ad
