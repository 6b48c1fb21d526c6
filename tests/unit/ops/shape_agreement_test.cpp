// Eager and traced calls follow one shape rule: arguments are drawn for every row of op_table.hpp, legal and
// illegal, and what the reference backend makes of tensors is compared with what is inferred from the same
// extents, known and unknown. A row without a draw fails.
#include <gtest/gtest.h>

#include "support/expect_error.hpp"
#include "support/random_layout.hpp"
#include "support/regular_rows.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/functions.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro { namespace {

using test::Draw;

/// An operation and operands that may not fit it.
struct Call {
    std::optional<StdTensorOp> op;
    std::vector<TensorMeta> inputs;
};

class CallDraw {
public:
    explicit CallDraw(std::uint64_t seed) : draw_(seed) {}

    Call call(const OpInfo& row) {
        dtype_ = any_of(row.dtypes);
        if (once_in(8)) dtype_ = kDTypes[static_cast<std::size_t>(draw_.integer(0, 6))].dtype;
        Call made;
        make(row.id, made);
        if (!made.inputs.empty() && once_in(16)) made.inputs.back().dtype = DType::Bool;
        return made;
    }

private:
    bool once_in(Index n) { return draw_.integer(1, n) == 1; }
    DType any_of(DTypes dtypes) {
        for (;;)
            if (const DType dtype = kDTypes[static_cast<std::size_t>(draw_.integer(0, 6))].dtype;
                dtypes.contains(dtype))
                return dtype;
    }
    /// Mostly in [0, count).
    Index place(std::size_t count) {
        const auto end = static_cast<Index>(count);
        return once_in(6) || end == 0 ? draw_.integer(-1, end) : draw_.integer(0, end - 1);
    }
    Dims shape(std::size_t least = 0) {
        const auto rank = static_cast<std::size_t>(draw_.integer(static_cast<Index>(least), 3));
        return draw_.shape(once_in(8) ? 1 : rank, 0, 3);
    }
    /// `values`, or a little different.
    Dims nearly(Dims values) {
        if (!values.empty() && once_in(6))
            values[static_cast<std::size_t>(draw_.integer(0, static_cast<Index>(values.size()) - 1))] +=
                draw_.integer(-3, 3);
        if (once_in(12)) values.push_back(draw_.integer(0, 2));
        return values;
    }
    /// Some of `rank` axes.
    Dims some(std::size_t rank) {
        Dims axes = draw_.permutation(rank);
        axes.resize(static_cast<std::size_t>(draw_.integer(0, static_cast<Index>(rank))));
        return axes;
    }
    TensorMeta meta(const Dims& extents) { return {dtype_, symbolic(extents)}; }
    TensorMeta places(const Dims& extents) {
        return {once_in(2) ? DType::I32 : DType::I64, symbolic(extents)};
    }

    void make(OpId id, Call& call) {
        using namespace tensor_ops;
        const Dims a = shape();
        const std::size_t rank = a.size();
        auto& in = call.inputs;
        in = {meta(a)};
        const std::size_t operands = id == OpId::Select || id == OpId::Clamp ? 3 : elementwise_operands(id);
        if (make_regular(id, a, call)) return;
        switch (id) {
            case OpId::Convert:
            case OpId::Cast: call.op = Conversion(id, any_of(kAnyDType)); return;
            case OpId::ReduceSum:
            case OpId::ReduceProd:
            case OpId::ReduceMax:
            case OpId::ReduceMin:
            case OpId::ReduceAny:
            case OpId::ReduceAll: call.op = Reduction(id, nearly(some(rank))); return;
            case OpId::Argmax:
            case OpId::Argmin: call.op = ArgExtreme(id, place(rank)); return;
            case OpId::Transpose: call.op = Transpose(nearly(draw_.permutation(rank))); return;
            case OpId::Reshape: {
                Dims to;
                for (const Index axis : draw_.permutation(rank)) to.push_back(a[axis]);
                call.op = Reshape(symbolic(nearly(to)));
                return;
            }
            case OpId::BroadcastInDim: make_broadcast(a, call); return;
            case OpId::ExtractDiagonal:
                if (rank > 1 && !once_in(4)) in = {meta(Dims(rank, a[0]))};
                call.op = ExtractDiagonal(place(rank), place(rank));
                return;
            case OpId::DotGeneral: make_contraction(call); return;
            case OpId::Slice: make_slice(a, call); return;
            case OpId::DynamicSlice: {
                in.push_back(places(non_negative(nearly(Dims{static_cast<Index>(rank)}))));
                call.op = DynamicSlice(symbolic(nearly(part_of(a))));
                return;
            }
            case OpId::DynamicUpdateSlice:
                in.push_back(meta(non_negative(nearly(part_of(a)))));
                in.push_back(places(non_negative(nearly(Dims{static_cast<Index>(rank)}))));
                call.op = DynamicUpdateSlice();
                return;
            case OpId::Pad:
                in.push_back(meta(once_in(8) ? Dims{1} : Dims{}));
                call.op = Pad(symbolic(nearly(draw_.shape(rank, -1, 2))), symbolic(draw_.shape(rank, -1, 2)),
                              nearly(draw_.shape(rank, 0, 2)));
                return;
            case OpId::Concatenate: {
                const Index axis = place(rank);
                for (Index more = draw_.integer(0, 2); more > 0; --more) {
                    Dims other = a;
                    if (axis >= 0 && axis < static_cast<Index>(rank)) other[axis] = draw_.integer(0, 3);
                    in.push_back(meta(non_negative(nearly(other))));
                }
                call.op = Concatenate(static_cast<Index>(in.size()), axis);
                return;
            }
            case OpId::Gather: make_gather(call); return;
            case OpId::Scatter:
            case OpId::ScatterAdd: make_scatter(id, call); return;
            default: break;
        }
        if (operands == 0) return;
        if (id == OpId::Select) in[0].dtype = once_in(8) ? dtype_ : DType::Bool;
        while (in.size() < operands) in.push_back(meta(non_negative(nearly(a))));
        call.op = elementwise(id);
    }

    /// Whether it is a regular row. Operands have one shape or nearly so, parameters are mostly legal.
    bool make_regular(OpId id, const Dims& a, Call& call) {
        test::RegularParameters drawn(
            a.size(),
            [&](Index low, Index high) {
                return once_in(6) || high < low ? draw_.integer(low - 1, high + 1) : draw_.integer(low, high);
            },
            !once_in(6));
        switch (id) {
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    case OpId::Name: {                                                         \
        while (call.inputs.size() < tensor_ops::Name::kInputs)                 \
            call.inputs.push_back(meta(non_negative(nearly(a))));              \
        TENFERRO_LINES(TENFERRO_DRAWN, parameters)                             \
        call.op = tensor_ops::Name{TENFERRO_EACH(TENFERRO_NAME, parameters)};  \
        return true;                                                           \
    }
            TENFERRO_REGULAR_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
            default: return false;
        }
    }
    static Dims non_negative(Dims extents) {
        for (Index& extent : extents) extent = std::max<Index>(extent, 0);
        return extents;
    }
    Dims part_of(const Dims& whole) {
        Dims part;
        for (const Index extent : whole) part.push_back(draw_.integer(0, extent));
        return part;
    }
    void make_broadcast(const Dims& a, Call& call) {
        Dims to = draw_.shape(a.size() + static_cast<std::size_t>(draw_.integer(0, 1)), 0, 3);
        Dims dims = draw_.permutation(to.size());
        dims.resize(a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] != 1) to[dims[i]] = a[i];
        call.op = tensor_ops::BroadcastInDim(symbolic(nearly(to)), nearly(dims));
    }
    void make_contraction(Call& call) {
        const Dims lhs = shape();
        Dims rhs = shape();
        Dims left = draw_.permutation(lhs.size()), right = draw_.permutation(rhs.size());
        const std::size_t pairs = std::min(left.size(), right.size());
        DotGeneralConfig config;
        for (std::size_t i = 0; i < pairs; ++i) {
            const Index role = draw_.integer(0, 2);
            if (role == 2) continue;
            if (!once_in(10)) rhs[right[i]] = lhs[left[i]];
            (role == 0 ? config.lhs_contract : config.lhs_batch).push_back(left[i]);
            (role == 0 ? config.rhs_contract : config.rhs_batch).push_back(right[i]);
        }
        if (once_in(8)) config.lhs_contract = nearly(config.lhs_contract);
        if (once_in(8)) config.lhs_batch.append(config.lhs_contract);
        const std::size_t kept =
            lhs.size() + rhs.size() - 2 * config.rhs_contract.size() - config.rhs_batch.size();
        call.inputs = {meta(lhs), meta(rhs)};
        call.op = tensor_ops::DotGeneral(config, once_in(2) ? Dims{} : nearly(draw_.permutation(kept)));
    }
    void make_slice(const Dims& a, Call& call) {
        Dims starts, limits, steps;
        for (const Index extent : a) {
            const Index x = draw_.integer(0, extent), y = draw_.integer(0, extent);
            const bool down = once_in(3);
            starts.push_back(down ? std::max(x, y) - 1 : std::min(x, y));
            limits.push_back(down ? std::min(x, y) - 1 : std::max(x, y));
            steps.push_back((down ? -1 : 1) * draw_.integer(once_in(12) ? 0 : 1, 3));
        }
        call.op = tensor_ops::Slice(symbolic(nearly(starts)), symbolic(nearly(limits)), nearly(steps));
    }
    /// Windows of one element of a matrix's axis 0 and some of its axis 1, at a vector of places.
    void make_gather(Call& call) {
        const Dims a = draw_.shape(2, 1, 3);
        call.inputs = {meta(a), places(nearly(Dims{draw_.integer(0, 3), 1}))};
        for (SymDim& extent : call.inputs[1].shape) extent = std::max<Index>(*extent.constant(), 0);
        call.op = tensor_ops::Gather(GatherConfig{nearly(Dims{draw_.integer(0, 1)}), nearly(Dims{0}),
                                                  nearly(Dims{0}), once_in(8) ? draw_.integer(-1, 3) : 1,
                                                  nearly(Dims{1, draw_.integer(0, a[1])})});
    }
    void make_scatter(OpId id, Call& call) {
        const Dims a = draw_.shape(2, 1, 3);
        const Index count = draw_.integer(0, 3), window = draw_.integer(0, 1);
        Dims updates{count, count};
        updates[window] = draw_.integer(0, a[1]);
        call.inputs = {meta(a), places(non_negative(nearly(Dims{count, 1}))),
                       meta(non_negative(nearly(updates)))};
        call.op = tensor_ops::Scatter(id, {nearly(Dims{window}), nearly(Dims{0}), nearly(Dims{0}),
                                           once_in(8) ? draw_.integer(-1, 3) : 1});
    }

    Draw draw_;
    DType dtype_ = DType::F64;
};

struct Outcome {
    std::optional<Error> error;
    std::optional<TensorMeta> result;
};

template <class F>
Outcome outcome_of(F&& statement) {
    try {
        return {std::nullopt, statement()};
    } catch (const Error& error) {
        return {error, std::nullopt};
    }
}

TensorMeta run_eagerly(const Call& call) {
    std::vector<Tensor> tensors;
    for (const TensorMeta& in : call.inputs)
        tensors.push_back(Tensor::zeros(in.dtype, concrete(in.shape, "test")));
    const std::vector<TensorRead> views(tensors.begin(), tensors.end());
    Tensor out;
    ReferenceBackend().with_backend_session([&](BackendSession& session) {
        call.op->operation().execute(session, views, {&out, 1});
    });
    return {out.dtype(), symbolic(out.shape())};
}

std::string text_of(const Call& call) {
    std::string out = call.op->text();
    for (const TensorMeta& in : call.inputs) out += text(" ", info(in.dtype).name, shape_text(in.shape));
    return out;
}

/// Division of 0 by 0 in integers is an error of values.
bool is_of_values(const Error& error) {
    return error.message().find("at position") != std::string_view::npos;
}

/// Some extents of the inputs replaced by symbols, and what those stand for.
std::vector<TensorMeta> with_unknowns(const Call& call, Draw& draw) {
    std::vector<TensorMeta> inputs = call.inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        for (std::size_t axis = 0; axis < inputs[i].rank(); ++axis)
            if (draw.integer(0, 1) == 0) inputs[i].shape[axis] = SymDim::input(i, static_cast<Index>(axis));
    return inputs;
}

class EveryRow : public testing::TestWithParam<std::size_t> {};

TEST_P(EveryRow, GivesOneResultOrErrorEagerAndTraced) {
    const OpInfo& row = kOps[GetParam()];
    if (row.id == OpId::ToContiguous) return;  // not an operation of graphs, which have no layouts
    CallDraw calls(GetParam());
    Draw draw(GetParam());
    int legal = 0, illegal = 0;
    for (int i = 0; i < 300; ++i) {
        const Call call = calls.call(row);
        ASSERT_TRUE(call.op) << row.name << " has no draw";
        SCOPED_TRACE(text_of(call));
        const Outcome eager = outcome_of([&] { return run_eagerly(call); });
        if (eager.error && is_of_values(*eager.error)) continue;
        ++(eager.error ? illegal : legal);

        const Outcome traced = outcome_of([&] { return call.op->infer(call.inputs).at(0); });
        ASSERT_EQ(traced.error.has_value(), eager.error.has_value())
            << (eager.error ? eager.error->what() : traced.error->what());
        if (eager.error) {
            EXPECT_STREQ(traced.error->what(), eager.error->what());
            EXPECT_EQ(traced.error->kind(), eager.error->kind());
        } else {
            EXPECT_EQ(*traced.result, *eager.result);
        }

        if (eager.error) continue;
        const std::vector<TensorMeta> unknown = with_unknowns(call, draw);
        const Outcome open = outcome_of([&] { return call.op->infer(unknown).at(0); });
        ASSERT_FALSE(open.error) << open.error->what();
        EXPECT_EQ(open.result->dtype, eager.result->dtype);
        Dims bound;
        for (const SymDim& extent : open.result->shape)
            bound.push_back(extent.evaluate([&](DimSymbol symbol) {
                return *call.inputs[symbol.input].shape[static_cast<std::size_t>(symbol.axis)].constant();
            }));
        EXPECT_EQ(symbolic(bound), eager.result->shape);
    }
    EXPECT_GT(legal, 20);
    const bool takes_all = row.dtypes.contains(DType::Bool) && row.dtypes.contains(DType::C64);
    if (!(takes_all && elementwise_operands(row.id) == 1)) {
        EXPECT_GT(illegal, 5);
    }
}

INSTANTIATE_TEST_SUITE_P(OpTable, EveryRow, testing::Range<std::size_t>(0, kOps.size()),
                         [](const auto& param) { return std::string(kOps[param.param].name); });

}}  // namespace tenferro
