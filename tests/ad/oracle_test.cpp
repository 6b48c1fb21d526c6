// The recorded derivatives of tensor operations, which broadcast from the last axis.
#include "ad/oracles.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tenferro::ad { namespace {

using OracleFunction = std::function<TracedTensor(Operands, const Json& arguments)>;

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

OracleFunction binary(TracedTensor (*f)(const TracedTensor&, const TracedTensor&)) {
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

OracleFunction reduction(TracedTensor (*f)(const TracedTensor&, Dims), bool mean = false) {
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

const std::map<std::string, OracleFunction>& replays() {
    const auto unary = [](TracedTensor (*f)(const TracedTensor&)) {
        return [f](Operands x, const Json&) { return f(x[0]); };
    };
    static const std::map<std::string, OracleFunction> all{
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

TEST(DerivativeOracles, RecordedDerivativesAreReproduced) {
    std::map<std::string, int> counts;
    const bool available = for_each_record([&](const Json& record) {
        const auto replay = replays().find(record["op"].get<std::string>());
        if (replay == replays().end() || record["family"] != "identity") return;
        Json arguments = record.value("op_kwargs", Json::object());
        if (record["op"] == "prod" && record.contains("op_args") && record["op_args"].size() == 1)
            arguments["dim"] = record["op_args"][0];
        counts[replay->first] += check_record(
            record,
            [&](Operands x) {
                return Results{{"value", replay->second(x, arguments)}};
            },
            tolerances(record));
    });
    if (!available) GTEST_SKIP() << "reference data " << TENFERRO_AD_ORACLES << " is not available";
    EXPECT_GE(print_counts(counts), 200);
}

}}  // namespace tenferro::ad
