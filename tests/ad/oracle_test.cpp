// Recorded derivatives of another library: JVP, VJP and Hessian-vector products of the recorded families that
// are tensor operations. Recorded tensors are row-major and broadcast from the last axis.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "ad/values.hpp"
#include "support/random_layout.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::ad { namespace {

using Json = nlohmann::json;
using Replay = std::function<TracedTensor(Operands, const Json&)>;

/// `a` with axes of extent 1 in front and repeated to `shape`, aligned at the last axis.
TracedTensor aligned(const TracedTensor& a, const SymShape& shape) {
    Dims places;
    for (std::size_t axis = 0; axis < a.rank(); ++axis)
        places.push_back(static_cast<Index>(shape.size() - a.rank() + axis));
    return broadcast_in_dim(a, shape, places);
}

SymShape common_shape(const TracedTensor& a, const TracedTensor& b) {
    SymShape shape(std::max(a.rank(), b.rank()), SymDim(1));
    for (const TracedTensor* operand : {&a, &b})
        for (std::size_t axis = 0; axis < operand->rank(); ++axis)
            if (operand->extent(axis) != SymDim(1))
                shape[shape.size() - operand->rank() + axis] = operand->extent(axis);
    return shape;
}

Replay binary(TracedTensor (*f)(const TracedTensor&, const TracedTensor&)) {
    return [f](Operands x, const Json& kwargs) {
        const SymShape shape = common_shape(x[0], x[1]);
        const TracedTensor b = aligned(x[1], shape);
        return f(aligned(x[0], shape), kwargs.contains("alpha") ? b * kwargs["alpha"].get<double>() : b);
    };
}

Dims reduced_axes(const TracedTensor& a, const Json& arguments) {
    const Json dim = arguments.value("dim", Json());
    if (dim.is_null()) return tensor_ops::all_axes(a.rank());
    Dims axes;
    for (const Json& entry : dim.is_array() ? dim : Json::array({dim}))
        if (a.rank() != 0)
            axes.push_back((entry.get<Index>() + static_cast<Index>(a.rank())) %
                           static_cast<Index>(a.rank()));
    return axes;
}

Replay reduction(TracedTensor (*f)(const TracedTensor&, Dims), bool mean = false) {
    return [=](Operands x, const Json& kwargs) {
        const Dims axes = reduced_axes(x[0], kwargs);
        TracedTensor y = f(x[0], axes);
        if (mean) {
            SymDim count = 1;
            for (const Index axis : axes) count = count * x[0].extent(static_cast<std::size_t>(axis));
            y = y / static_cast<double>(*count.constant());
        }
        if (!kwargs.value("keepdim", false)) return y;
        SymShape kept = shape_of(x[0]);
        for (const Index axis : axes) kept[static_cast<std::size_t>(axis)] = 1;
        return reshape(y, kept);
    };
}

TracedTensor diagonal(Operands x, const Json& kwargs) {
    const Index offset = kwargs.value("offset", 0), rank = static_cast<Index>(x[0].rank());
    const Index rows = *x[0].extent(0).constant(), columns = *x[0].extent(1).constant();
    const Index first_row = std::max<Index>(-offset, 0), first_column = std::max<Index>(offset, 0);
    const Index count = std::max<Index>(std::min(rows - first_row, columns - first_column), 0);
    SymShape starts(x[0].rank(), SymDim(0)), limits = shape_of(x[0]);
    starts[0] = first_row;
    starts[1] = first_column;
    limits[0] = first_row + count;
    limits[1] = first_column + count;
    const TracedTensor line = extract_diagonal(slice(x[0], starts, limits, Dims(x[0].rank(), 1)), 0, 1);
    Dims last;  // the recorded diagonal is the last axis
    for (Index axis = 1; axis < rank - 1; ++axis) last.push_back(axis);
    last.push_back(0);
    return transpose(line, last);
}

TracedTensor products(Operands x, const Json&) {
    TracedTensor y = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) y = matmul(y, x[i]);
    return y;
}

TracedTensor dot(Operands x, const Json& kwargs) {
    const Index rank = static_cast<Index>(x[0].rank());
    return reduce_sum(conj(x[0]) * x[1], {(kwargs.value("dim", Index{-1}) + rank) % rank});
}

TracedTensor complex_of(Operands x, const Json&) {
    const SymShape shape = common_shape(x[0], x[1]);
    const DType dtype = x[0].dtype() == DType::F64 ? DType::C64 : DType::C32;
    const TracedTensor re = convert(aligned(x[0], shape), dtype), im = convert(aligned(x[1], shape), dtype);
    return re + im * sqrt(full_like(im, -1));
}

TracedTensor real_part_of(Operands x, const Json&) {
    const DType dtype = x[0].dtype();
    return dtype == DType::C64 ? cast(x[0], DType::F64) : dtype == DType::C32 ? cast(x[0], DType::F32) : x[0];
}

const std::map<std::string, Replay>& replays() {
    const auto unary = [](TracedTensor (*f)(const TracedTensor&)) {
        return [f](Operands x, const Json&) { return f(x[0]); };
    };
    static const std::map<std::string, Replay> all{
        {"abs", unary(abs<TracedTensor>)},
        {"cos", unary(cos<TracedTensor>)},
        {"log", unary(log<TracedTensor>)},
        {"neg", unary(neg<TracedTensor>)},
        {"add", binary(add<TracedTensor>)},
        {"sub", binary(sub<TracedTensor>)},
        {"mul", binary(mul<TracedTensor>)},
        {"div_no_rounding_mode", binary(div<TracedTensor>)},
        {"pow", binary(pow<TracedTensor>)},
        {"maximum", binary(maximum<TracedTensor>)},
        {"minimum", binary(minimum<TracedTensor>)},
        {"sum", reduction(reduce_sum<TracedTensor>)},
        {"mean", reduction(reduce_sum<TracedTensor>, true)},
        {"prod", reduction(reduce_prod<TracedTensor>)},
        {"amax", reduction(reduce_max<TracedTensor>)},
        {"amin", reduction(reduce_min<TracedTensor>)},
        {"diagonal", diagonal},
        {"multi_dot", products},
        {"vecdot", dot},
        {"complex", complex_of},
        {"real", real_part_of},
    };
    return all;
}

/// A recorded tensor.
Value value_of(const Json& json) {
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

struct Tolerances {
    double first, second;
};

void check_probe(const Json& record, const Json& probe, const Replay& replay, Tolerances tolerances) {
    Json arguments = record.value("op_kwargs", Json::object());
    if (record["op"] == "prod" && record.contains("op_args") && record["op_args"].size() == 1)
        arguments["dim"] = record["op_args"][0];
    std::vector<TracedTensor> x, dx;
    std::vector<Value> values, directions, vjp_expected, hvp_expected;
    const Json& reference = probe["pytorch_ref"];
    for (const auto& [name, input] : record["inputs"].items()) {
        values.push_back(value_of(input));
        directions.push_back(value_of(probe["direction"][name]));
        vjp_expected.push_back(value_of(reference["vjp"][name]));
        if (reference.contains("hvp")) hvp_expected.push_back(value_of(reference["hvp"][name]));
        x.push_back(TracedTensor::input(values.back().dtype, values.back().shape));
        dx.push_back(TracedTensor::input(values.back().dtype, values.back().shape));
    }
    const TracedTensor y = replay(x, arguments);
    const Value jvp_expected = value_of(reference["jvp"]["value"]);
    const TracedTensor ct = TracedTensor::input(y.dtype(), y.meta().shape);
    const std::vector<std::optional<TracedTensor>> along(dx.begin(), dx.end()), back{ct};
    const std::vector<TracedTensor> gradients = vjp({&y, 1}, x, back);
    std::vector<TracedTensor> outputs = jvp({&y, 1}, x, along), inputs = x;
    outputs.insert(outputs.end(), gradients.begin(), gradients.end());
    const std::vector<TracedTensor> curvatures = jvp(gradients, x, along);
    outputs.insert(outputs.end(), curvatures.begin(), curvatures.end());
    inputs.insert(inputs.end(), dx.begin(), dx.end());
    inputs.push_back(ct);
    values.insert(values.end(), directions.begin(), directions.end());
    values.push_back(value_of(probe["cotangent"]["value"]));
    GraphCompiler compiler;
    const std::vector<Value> results = run(*compiler.compile(outputs, inputs), cpu(), values);
    const std::span<const Value> all(results);
    expect_norms(all.first(1), {&jvp_expected, 1}, tolerances.first, "jvp");
    expect_norms(all.subspan(1, x.size()), vjp_expected, tolerances.first, "vjp");
    expect_norms(all.subspan(1 + x.size()), hvp_expected, tolerances.second, "hvp");
}

TEST(DerivativeOracles, RecordedDerivativesAreReproduced) {
    std::ifstream file(TENFERRO_AD_ORACLES);
    if (!file) GTEST_SKIP() << "reference data " << TENFERRO_AD_ORACLES << " is not available";
    std::map<std::string, int> counts;
    for (std::string line; std::getline(file, line);) {
        const Json record = Json::parse(line, nullptr, false);
        if (record.is_discarded()) continue;  // norms of order Infinity, which is no JSON
        const auto replay = replays().find(record["op"].get<std::string>());
        if (replay == replays().end() || record["family"] != "identity") continue;
        SCOPED_TRACE(record["case_id"]);
        const bool single = record["dtype"] == "float32" || record["dtype"] == "complex64";
        for (const Json& probe : record["probes"]) {
            check_probe(record, probe, replay->second,
                        single ? Tolerances{2e-4, 2e-4} : Tolerances{1e-10, 1e-8});
            ++counts[replay->first];
        }
    }
    std::string list;
    int total = 0;
    for (const auto& [name, count] : counts) {
        list += text(" ", name, " ", count);
        total += count;
    }
    EXPECT_GE(total, 200);
    std::printf("reproduced:%s\n", list.c_str());
}

}}  // namespace tenferro::ad
