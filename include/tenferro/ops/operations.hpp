// The structs of the graph's operations. Each says its name, its number of operands and the fields of its
// payload once (see CoreOp); kind, hash, equality, printing, symbol substitution and serialization follow.
// src/ops has, per struct, the shape rule, execution and derivatives.
#pragma once

#include <tuple>

#include "tenferro/ops/constant_array.hpp"
#include "tenferro/ops/core_operation.hpp"
#include "tenferro/tensor/dot_general.hpp"
#include "tenferro/tensor/gather_scatter.hpp"
#include "tenferro/tensor/operation_methods.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_ops {

#define TENFERRO_ROW(Name, method, dtypes, meaning, ...) OpId::Name,
inline constexpr std::array kElementwiseOps{
    TENFERRO_UNARY_OPS(TENFERRO_ROW) TENFERRO_BINARY_OPS(TENFERRO_ROW) OpId::Select, OpId::Clamp};
inline constexpr std::array kReduceOps{TENFERRO_REDUCE_OPS(TENFERRO_ROW)};
#undef TENFERRO_ROW

#define TENFERRO_OPERATION_MEMBERS                                                                    \
    [[nodiscard]] TensorMeta infer_one(std::span<const TensorMeta> in) const override;                \
    [[nodiscard]] Tensor run(BackendSession& session, std::span<const TensorRead> in) const override; \
    [[nodiscard]] std::optional<Expr> tangent(const TangentArgs& args) const override;                \
    [[nodiscard]] std::vector<std::optional<Expr>> cotangents(const CotangentArgs& args) const override;

/// A unary or binary row of op_table.hpp, Select or Clamp.
struct TENFERRO_API Elementwise final : CoreOp<Elementwise> {
    static constexpr std::string_view kName = "elementwise";
    static constexpr std::array kVariants = kElementwiseOps;
    [[nodiscard]] std::size_t inputs() const noexcept { return elementwise_operands(op); }
    OpId op;

    explicit Elementwise(OpId the_op) : op(the_op) {}
    static constexpr std::tuple kFields{Field{"op", &Elementwise::op}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] std::optional<OpId> fusion_step(std::span<const DType> inputs) const override;
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override;
    [[nodiscard]] std::optional<std::size_t> same_as(
        std::span<const Constant* const> operands) const noexcept override;
    [[nodiscard]] bool can_consume() const noexcept override { return true; }
    void execute_consuming(BackendSession& session, std::span<const TensorRead> in,
                           std::span<Tensor* const> dying, std::span<Tensor> out) const override;
};

/// Convert, which promotes, or Cast, which may lose.
struct TENFERRO_API Conversion final : CoreOp<Conversion> {
    static constexpr std::string_view kName = "conversion";
    static constexpr std::array kVariants{OpId::Convert, OpId::Cast};
    static constexpr std::size_t kInputs = 1;
    OpId op;
    DType to;

    Conversion(OpId the_op, DType dtype) : op(the_op), to(dtype) {}
    static constexpr std::tuple kFields{Field{"op", &Conversion::op}, Field{"to", &Conversion::to}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] std::optional<OpId> fusion_step(std::span<const DType> inputs) const override;
};

/// A reduction row of op_table.hpp over `axes`.
struct TENFERRO_API Reduction final : CoreOp<Reduction> {
    static constexpr std::string_view kName = "reduction";
    static constexpr std::array kVariants = kReduceOps;
    static constexpr std::size_t kInputs = 1;
    OpId op;
    Dims axes;

    Reduction(OpId the_op, Dims the_axes) : op(the_op), axes(std::move(the_axes)) {}
    static constexpr std::tuple kFields{Field{"op", &Reduction::op}, Field{"axes", &Reduction::axes}};
    TENFERRO_OPERATION_MEMBERS
};

/// Argmax or Argmin; not differentiable.
struct TENFERRO_API ArgExtreme final : CoreOp<ArgExtreme> {
    static constexpr std::string_view kName = "arg_extreme";
    static constexpr std::array kVariants{OpId::Argmax, OpId::Argmin};
    static constexpr std::size_t kInputs = 1;
    OpId op;
    Index axis;

    ArgExtreme(OpId the_op, Index the_axis) : op(the_op), axis(the_axis) {}
    static constexpr std::tuple kFields{Field{"op", &ArgExtreme::op}, Field{"axis", &ArgExtreme::axis}};
    TENFERRO_OPERATION_MEMBERS
};

// Regular rows: their fields are their parameters.
// clang-format off
#define TENFERRO_FIELD_Axis Index
#define TENFERRO_FIELD_Axes Dims
#define TENFERRO_FIELD_ResultAxis Index
#define TENFERRO_FIELD_Integer Index
#define TENFERRO_FIELD_Diagonal Index
#define TENFERRO_FIELD_Flag bool
#define TENFERRO_MEMBER_OF(Kind, name) TENFERRO_FIELD_##Kind name;
#define TENFERRO_GIVEN_OF(Kind, name) TENFERRO_FIELD_##Kind the_##name
#define TENFERRO_TAKEN_OF(Kind, name) name(std::forward<TENFERRO_FIELD_##Kind>(the_##name))
#define TENFERRO_LISTED_OF(Kind, name) Field{#name, &Self::name}
#define TENFERRO_MEMBER(parameter) TENFERRO_MEMBER_OF parameter
#define TENFERRO_GIVEN(parameter) TENFERRO_GIVEN_OF parameter
#define TENFERRO_TAKEN(parameter) TENFERRO_TAKEN_OF parameter
#define TENFERRO_LISTED(parameter) TENFERRO_LISTED_OF parameter
#define TENFERRO_COUNTED(a) 1 +
#define TENFERRO_STRUCT(Name, method, operands, parameters, ...) \
    struct TENFERRO_API Name final : CoreOp<Name> { \
        using Self = Name; \
        static constexpr std::string_view kName = #method; \
        static constexpr std::size_t kInputs = TENFERRO_LINES(TENFERRO_COUNTED, operands) 0; \
        TENFERRO_LINES(TENFERRO_MEMBER, parameters) \
        explicit Name(TENFERRO_EACH(TENFERRO_GIVEN, parameters)) : TENFERRO_EACH(TENFERRO_TAKEN, parameters) {} \
        static constexpr std::tuple kFields{TENFERRO_EACH(TENFERRO_LISTED, parameters)}; \
        TENFERRO_OPERATION_MEMBERS \
        [[nodiscard]] MatrixPlan::MaybeValue matrix_step( \
            MatrixPlan& plan, MatrixPlan::Values inputs) const override; \
        __VA_ARGS__ \
    };
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    TENFERRO_STRUCT(Name, method, operands, parameters)
TENFERRO_KERNEL_OPS(TENFERRO_ROW)
TENFERRO_COMPOSED_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#define TENFERRO_ROW(Name, method, dtypes, meaning, operands, parameters, ...) \
    TENFERRO_STRUCT(Name, method, operands, parameters, \
                    [[nodiscard]] std::optional<TensorRead> view(const TensorRead& a) const override;)
TENFERRO_VIEW_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
#undef TENFERRO_STRUCT
// clang-format on

/// dot_general; axis i of [lhs_free…, rhs_free…, batch…] is axis result_axes[i] of the result.
struct TENFERRO_API DotGeneral final : CoreOp<DotGeneral> {
    static constexpr std::string_view kName = "dot_general";
    static constexpr std::size_t kInputs = 2;
    DotGeneralConfig config;
    Dims result_axes;  ///< empty: as listed

    explicit DotGeneral(DotGeneralConfig axes, Dims order = {})
        : config(std::move(axes)), result_axes(std::move(order)) {}
    static constexpr std::tuple kFields{Field{"config", &DotGeneral::config},
                                        Field{"result_axes", &DotGeneral::result_axes}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override;
    [[nodiscard]] std::shared_ptr<const Operation> normalized() const override;
    [[nodiscard]] std::shared_ptr<const Operation> before_transpose(
        std::size_t input, const Dims& p, std::span<const TensorMeta> inputs) const override;
    [[nodiscard]] std::shared_ptr<const Operation> with_transpose(const Dims& p) const override;
};

struct TENFERRO_API Transpose final : CoreOp<Transpose> {
    static constexpr std::string_view kName = "transpose";
    static constexpr std::size_t kInputs = 1;
    Dims perm;

    explicit Transpose(Dims p) : perm(std::move(p)) {}
    static constexpr std::tuple kFields{Field{"perm", &Transpose::perm}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] const Dims* permutation() const noexcept override { return &perm; }
    [[nodiscard]] std::optional<TensorRead> view(const TensorRead& a) const override;
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override;
};

struct TENFERRO_API Reshape final : CoreOp<Reshape> {
    static constexpr std::string_view kName = "reshape";
    static constexpr std::size_t kInputs = 1;
    SymShape shape;

    explicit Reshape(SymShape to) : shape(std::move(to)) {}
    static constexpr std::tuple kFields{Field{"shape", &Reshape::shape}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] std::optional<TensorRead> view(const TensorRead& a) const override;
};

struct TENFERRO_API BroadcastInDim final : CoreOp<BroadcastInDim> {
    static constexpr std::string_view kName = "broadcast_in_dim";
    static constexpr std::size_t kInputs = 1;
    SymShape shape;
    Dims dims;

    BroadcastInDim(SymShape to, Dims broadcast_dims)
        : shape(std::move(to)), dims(std::move(broadcast_dims)) {}
    static constexpr std::tuple kFields{Field{"shape", &BroadcastInDim::shape},
                                        Field{"dims", &BroadcastInDim::dims}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] const Constant* filled_with(
        std::span<const Constant* const> operands) const noexcept override {
        return operands[0];
    }
    [[nodiscard]] std::optional<TensorRead> view(const TensorRead& a) const override;
};

struct TENFERRO_API ExtractDiagonal final : CoreOp<ExtractDiagonal> {
    static constexpr std::string_view kName = "extract_diagonal";
    static constexpr std::size_t kInputs = 1;
    Index first, second;

    ExtractDiagonal(Index kept, Index merged) : first(kept), second(merged) {}
    static constexpr std::tuple kFields{Field{"first", &ExtractDiagonal::first},
                                        Field{"second", &ExtractDiagonal::second}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override;
    [[nodiscard]] std::optional<TensorRead> view(const TensorRead& a) const override;
};

struct TENFERRO_API Slice final : CoreOp<Slice> {
    static constexpr std::string_view kName = "slice";
    static constexpr std::size_t kInputs = 1;
    SymShape starts, limits;
    Dims steps;

    Slice(SymShape from, SymShape to, Dims by)
        : starts(std::move(from)), limits(std::move(to)), steps(std::move(by)) {}
    static constexpr std::tuple kFields{Field{"starts", &Slice::starts}, Field{"limits", &Slice::limits},
                                        Field{"steps", &Slice::steps}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] std::optional<TensorRead> view(const TensorRead& a) const override;
};

/// Inputs: the operand and the starts.
struct TENFERRO_API DynamicSlice final : CoreOp<DynamicSlice> {
    static constexpr std::string_view kName = "dynamic_slice";
    static constexpr std::size_t kInputs = 2;
    SymShape sizes;

    explicit DynamicSlice(SymShape the_sizes) : sizes(std::move(the_sizes)) {}
    static constexpr std::tuple kFields{Field{"sizes", &DynamicSlice::sizes}};
    TENFERRO_OPERATION_MEMBERS
};

/// Inputs: the operand, the update and the starts.
struct TENFERRO_API DynamicUpdateSlice final : CoreOp<DynamicUpdateSlice> {
    static constexpr std::string_view kName = "dynamic_update_slice";
    static constexpr std::size_t kInputs = 3;
    static constexpr std::tuple<> kFields{};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] bool can_consume() const noexcept override { return true; }
    void execute_consuming(BackendSession& session, std::span<const TensorRead> in,
                           std::span<Tensor* const> dying, std::span<Tensor> out) const override;
};

/// Inputs: the operand and the scalar to pad with.
struct TENFERRO_API Pad final : CoreOp<Pad> {
    static constexpr std::string_view kName = "pad";
    static constexpr std::size_t kInputs = 2;
    SymShape low, high;
    Dims interior;

    Pad(SymShape before, SymShape after, Dims between)
        : low(std::move(before)), high(std::move(after)), interior(std::move(between)) {}
    static constexpr std::tuple kFields{Field{"low", &Pad::low}, Field{"high", &Pad::high},
                                        Field{"interior", &Pad::interior}};
    TENFERRO_OPERATION_MEMBERS
};

struct TENFERRO_API Concatenate final : CoreOp<Concatenate> {
    static constexpr std::string_view kName = "concatenate";
    [[nodiscard]] std::size_t inputs() const noexcept { return static_cast<std::size_t>(operands); }
    Index operands, axis;

    Concatenate(Index count, Index along) : operands(count), axis(along) {}
    static constexpr std::tuple kFields{Field{"operands", &Concatenate::operands},
                                        Field{"axis", &Concatenate::axis}};
    TENFERRO_OPERATION_MEMBERS
};

/// Inputs: the operand and the indices. See GatherConfig.
struct TENFERRO_API Gather final : CoreOp<Gather> {
    static constexpr std::string_view kName = "gather";
    static constexpr std::size_t kInputs = 2;
    Dims offset_dims, collapsed_slice_dims, start_index_map;
    Index index_vector_dim;
    SymShape slice_sizes;

    explicit Gather(const GatherConfig& config);
    explicit Gather(BasicGatherConfig<SymDim> config);
    Gather(Dims offset, Dims collapsed, Dims map, Index vector_dim, SymShape sizes)
        : offset_dims(std::move(offset)),
          collapsed_slice_dims(std::move(collapsed)),
          start_index_map(std::move(map)),
          index_vector_dim(vector_dim),
          slice_sizes(std::move(sizes)) {}
    static constexpr std::tuple kFields{Field{"offset_dims", &Gather::offset_dims},
                                        Field{"collapsed_slice_dims", &Gather::collapsed_slice_dims},
                                        Field{"start_index_map", &Gather::start_index_map},
                                        Field{"index_vector_dim", &Gather::index_vector_dim},
                                        Field{"slice_sizes", &Gather::slice_sizes}};
    [[nodiscard]] BasicGatherConfig<SymDim> config() const {
        return {offset_dims, collapsed_slice_dims, start_index_map, index_vector_dim, slice_sizes};
    }
    TENFERRO_OPERATION_MEMBERS
};

/// Scatter or ScatterAdd. Inputs: the operand, the indices and the updates. See ScatterConfig.
struct TENFERRO_API Scatter final : CoreOp<Scatter> {
    static constexpr std::string_view kName = "scatter";
    static constexpr std::array kVariants{OpId::Scatter, OpId::ScatterAdd};
    static constexpr std::size_t kInputs = 3;
    OpId op;
    ScatterConfig config;

    Scatter(OpId the_op, ScatterConfig windows) : op(the_op), config(std::move(windows)) {}
    static constexpr std::tuple kFields{Field{"op", &Scatter::op}, Field{"config", &Scatter::config}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] bool can_consume() const noexcept override { return true; }
    void execute_consuming(BackendSession& session, std::span<const TensorRead> in,
                           std::span<Tensor* const> dying, std::span<Tensor> out) const override;
};

/// A rank-0 tensor of one value; the bytes after the dtype's are zero.
struct TENFERRO_API Constant final : CoreOp<Constant> {
    static constexpr std::string_view kName = "constant";
    static constexpr std::size_t kInputs = 0;
    DType dtype;
    std::array<std::uint64_t, 2> bits;

    Constant(DType the_dtype, std::array<std::uint64_t, 2> the_bits) : dtype(the_dtype), bits(the_bits) {}
    static constexpr std::tuple kFields{Field{"dtype", &Constant::dtype}, Field{"bits", &Constant::bits}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] std::optional<TensorRead> value() const override;
    [[nodiscard]] const Constant* filled_with(std::span<const Constant* const>) const noexcept override {
        return this;
    }
    /// Whether it is the real number or integer 1.
    [[nodiscard]] bool is_one() const noexcept;
};

/// An array that is part of the graph.
struct TENFERRO_API ArrayConstant final : CoreOp<ArrayConstant> {
    static constexpr std::string_view kName = "array_constant";
    static constexpr std::size_t kInputs = 0;
    ConstantArray array;

    explicit ArrayConstant(ConstantArray the_array) : array(std::move(the_array)) {}
    static constexpr std::tuple kFields{Field{"array", &ArrayConstant::array}};
    TENFERRO_OPERATION_MEMBERS
    [[nodiscard]] std::optional<TensorRead> value() const override;
};

/// The extent of an axis of the input as an I64 of rank 0; not differentiable.
struct TENFERRO_API ExtentOf final : CoreOp<ExtentOf> {
    static constexpr std::string_view kName = "extent_of";
    static constexpr std::size_t kInputs = 1;
    Index axis;

    explicit ExtentOf(Index the_axis) : axis(the_axis) {}
    static constexpr std::tuple kFields{Field{"axis", &ExtentOf::axis}};
    TENFERRO_OPERATION_MEMBERS
};

#undef TENFERRO_OPERATION_MEMBERS

// What every file that makes an operation would compile is in the library (core_operation.cpp).
#define TENFERRO_ROW(Name, ...) extern template class CoreOp<Name>;
TENFERRO_CORE_STRUCTS(TENFERRO_ROW)
#undef TENFERRO_ROW

}}}  // namespace tenferro::TENFERRO_ABI::tensor_ops

namespace tenferro { inline namespace TENFERRO_ABI {

#define TENFERRO_ROW(Name, ...) \
    extern template std::shared_ptr<const Operation> StdTensorOp::shared(tensor_ops::Name);
TENFERRO_CORE_STRUCTS(TENFERRO_ROW)
#undef TENFERRO_ROW

}}  // namespace tenferro::TENFERRO_ABI
