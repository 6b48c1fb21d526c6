// Arguments to matrices, results to handles, and the shapes of both.
#include "capi/matrix_calls.hpp"

#include <cmath>
#include <limits>

#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/linalg/backend.hpp"
#include "tenferro/linalg/functions.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace capi {

namespace {

TensorBackend& backend() { return default_engine().backend(); }
linalg::LinalgBackend algebra() { return linalg::LinalgBackend(backend()); }

/// A result that has derivatives: its name, that of its cotangent, its dtype and its shape, for C and as
/// matrices or vectors.
struct Result {
    std::string_view name, cotangent;
    DType dtype;
    Dims shape, matrix_shape;
};
using Results = std::vector<Result>;

using linalg::joined;
using linalg::Matrices;
using linalg::Unlisted;

linalg::AxisLists lists_of(const MatrixCall& call) {
    check_array(call.function, call.left, "left", call.left_len, "left_len");
    check_array(call.function, call.right, "right", call.right_len, "right_len");
    return {{call.left, call.left_len}, {call.right, call.right_len}};
}

TensorRead reshaped_view(const TensorRead& tensor, DimsView shape, Tensor& storage) {
    return linalg::reshaped_view(backend(), tensor, shape, storage);
}

Tensor reshaped(Tensor tensor, DimsView shape) { return backend().reshape(std::move(tensor), shape); }

/// The tensor of a call as matrices.
struct Operand {
    explicit Operand(const MatrixCall& call, Unlisted unlisted)
        : pin(borrow(call.function, call.tensor, call.dtype, {"tensor"})),
          matrices(backend(), *pin, lists_of(call), unlisted, call.function),
          m(matrices.rows()),
          n(matrices.columns()),
          k(std::min(m, n)) {}
    [[nodiscard]] bool is_empty() const noexcept { return matrices.view().size() == 0; }

    Borrowed pin;
    Matrices matrices;
    Index m, n, k;
};

/// The right-hand side of Solve, [left…, more…, batch…], as matrices [N, K, batch…].
struct RightSide {
    RightSide(const MatrixCall& call, const Operand& a, const void* handle)
        : pin(borrow(call.function, handle, call.dtype, {"b"})) {
        const Matrices& of = a.matrices;
        const std::size_t first = of.left().size(), last = of.batch().size();
        const Dims& shape = pin->shape();
        const auto fits = [&](const Dims& wanted, std::size_t from) {
            return std::equal(wanted.begin(), wanted.end(), shape.begin() + from);
        };
        if (shape.size() < first + last || !fits(of.left(), 0) || !fits(of.batch(), shape.size() - last))
            throw Error(ErrorKind::ShapeMismatch, call.function,
                        text("b has shape ", list_text(shape), " but must begin with ", list_text(of.left()),
                             " and end with ", list_text(of.batch())));
        more.assign(shape.begin() + first, shape.end() - last);
        matrix_shape = joined({Dims{a.m, element_count(more, call.function)}, of.batch()});
        view = reshaped_view(*pin, matrix_shape, storage);
    }

    Borrowed pin;
    Dims more, matrix_shape;
    Tensor storage;
    TensorRead view{storage};
};

/// `rank`: how many singular values there are.
Results svd_results(const Operand& a, DType dtype, Index rank) {
    const Matrices& of = a.matrices;
    return {{"U", "cot_u", dtype, joined({of.left(), {rank}}), {a.m, rank}},
            {"S", "cot_s", real_dtype(dtype), {rank}, {rank}},
            {"Vt", "cot_vt", dtype, joined({{rank}, of.right()}), {rank, a.n}}};
}

Results results_of(MatrixFunction which, const Operand& a, DType dtype, const RightSide* b) {
    const Matrices& of = a.matrices;
    const auto shape = [&](std::initializer_list<DimsView> lists) {
        return joined({joined(lists), of.batch()});
    };
    const Index m = a.m, n = a.n, k = a.k;
    const DType complex = complex_dtype(dtype);
    switch (which) {
        case MatrixFunction::Svd: break;
        case MatrixFunction::Qr:
            return {{"Q", "cot_q", dtype, shape({of.left(), {k}}), shape({{m, k}})},
                    {"R", "cot_r", dtype, shape({{k}, of.right()}), shape({{k, n}})}};
        case MatrixFunction::Eigh:
            return {{"the values", "cot_values", real_dtype(dtype), shape({{n}}), shape({{n}})},
                    {"the vectors", "cot_vectors", dtype, shape({of.left(), {n}}), shape({{m, n}})}};
        case MatrixFunction::Eig:
            return {{"the values", "cot_values", complex, shape({{n}}), shape({{n}})},
                    {"the vectors", "cot_vectors", complex, shape({of.left(), {n}}), shape({{m, n}})}};
        case MatrixFunction::Lu:
            return {{"L", "cot_l", dtype, shape({{m, k}}), shape({{m, k}})},
                    {"U", "cot_u", dtype, shape({{k}, of.right()}), shape({{k, n}})}};
        case MatrixFunction::Cholesky:
            return {{"L", "cot_l", dtype, shape({of.left(), of.right()}), shape({{m, n}})}};
        case MatrixFunction::Solve:
            return {{"X", "cotangent", dtype, shape({of.right(), b->more}), b->matrix_shape}};
    }
    return svd_results(a, dtype, k);
}

/// Tangents or cotangents of a call, with what they live on.
class DirectionList {
public:
    /// Absent where `handle` is null, else of `shape`, which `owner` has (ShapeMismatch).
    void add(const char* function, const void* handle, const Result& like) {
        if (handle == nullptr) return add_nothing();
        const Borrowed& pin = pins_.emplace_back(borrow(function, handle, like.dtype, {like.cotangent}));
        if (pin->shape() != like.shape)
            throw Error(ErrorKind::ShapeMismatch, function,
                        text(like.cotangent, " has shape ", list_text(pin->shape()), " but the shape of ",
                             like.name, " is ", list_text(like.shape)));
        views_.push_back(reshaped_view(*pin, like.matrix_shape, storage_.emplace_back()));
    }
    /// The same for the tensor of the call, whose axes are permuted.
    void add_like(const MatrixCall& call, const void* handle, std::string_view name, const Matrices& like) {
        if (handle == nullptr) return add_nothing();
        const Borrowed& pin = pins_.emplace_back(borrow(call.function, handle, call.dtype, {name}));
        if (pin->shape() != like.shape())
            throw Error(ErrorKind::TangentShapeMismatch, call.function,
                        text(name, " has shape ", list_text(pin->shape()), " but the tensor has shape ",
                             list_text(like.shape())));
        views_.push_back(like.like(*pin, storage_.emplace_back()));
    }
    [[nodiscard]] const Directions& views() const noexcept { return views_; }
    [[nodiscard]] bool any() const noexcept { return !pins_.get().empty(); }

private:
    static constexpr std::size_t kMost = 3;
    void add_nothing() { views_.emplace_back(); }

    FewOf<Borrowed, kMost> pins_{kMost};
    FewOf<Tensor, kMost> storage_{kMost};
    Directions views_;
};

Tensor zeros(const Result& like) { return backend().zeros(like.dtype, like.shape); }

/// The first `count` of `axis`.
Tensor first(Tensor a, std::size_t axis, Index count) {
    if (a.shape()[axis] == count) return a;
    Dims limits(a.shape());
    limits[axis] = count;
    return backend().slice_read(a, Dims(a.rank(), 0), limits, Dims(a.rank(), 1));
}

Index kept_rank(const TensorRead& s, const Cut& cut) {
    constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<Index>::max());
    return linalg::kept_rank(s, {static_cast<Index>(std::min(cut.max_rank, kMost)), cut.cutoff});
}

void check_cutoff(const MatrixCall& call, const Cut& cut) {
    if (std::isnan(cut.cutoff))
        throw Error(ErrorKind::InvalidArgument, call.function, "cutoff is NaN; a negative one cuts nothing");
}

/// The number of singular values that the cotangents are for, which is checked against what is kept when
/// that is known.
Index rank_of_cotangents(const MatrixCall& call, const Operand& a, DirectionHandles cotangents) {
    const void* const* const handle = cotangents.begin();
    const std::size_t left = a.matrices.left().size();
    const Results like = svd_results(a, call.dtype, a.k);
    const std::size_t axes[3] = {left, 0, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        if (handle[i] == nullptr) continue;
        const Borrowed pin = borrow(call.function, handle[i], like[i].dtype, {like[i].cotangent});
        if (pin->rank() != like[i].shape.size()) break;  // for the check of shapes to report
        const Index rank = pin->shape()[axes[i]];
        if (rank > a.k || (rank == 0 && a.k > 0))
            throw Error(
                ErrorKind::ShapeMismatch, call.function,
                text(like[i].cotangent, " is for ", rank, " singular values but the matrix has ", a.k));
        return rank;
    }
    return a.k;
}

std::vector<Tensor> forward(MatrixFunction which, const Operand& a, const RightSide* b) {
    const TensorRead& matrix = a.matrices.view();
    const auto list = [](auto&&... tensors) {
        std::vector<Tensor> all;
        (all.push_back(std::move(tensors)), ...);
        return all;
    };
    switch (which) {
        case MatrixFunction::Svd: break;  // has a function of its own
        case MatrixFunction::Qr: {
            linalg::QrTensors qr = algebra().qr_read(matrix);
            return list(qr.q, qr.r);
        }
        case MatrixFunction::Eigh: {
            linalg::EigenTensors eigh = algebra().eigh_read(matrix);
            return list(eigh.values, eigh.vectors);
        }
        case MatrixFunction::Eig: {
            linalg::EigenTensors eig = algebra().eig_read(matrix);
            return list(eig.values, eig.vectors);
        }
        case MatrixFunction::Lu: {
            linalg::LuTensors lu = algebra().lu_read(matrix);
            return list(lu.p, lu.l, lu.u);
        }
        case MatrixFunction::Cholesky: return list(algebra().cholesky_read(matrix));
        case MatrixFunction::Solve: return list(algebra().solve_read(matrix, b->view));
    }
    __builtin_unreachable();
}

/// Most functions are of square matrices.
void check_square(MatrixFunction which, const MatrixCall& call, const Operand& a) {
    if (which == MatrixFunction::Qr || which == MatrixFunction::Lu || a.m == a.n) return;
    throw Error(ErrorKind::ShapeMismatch, call.function,
                text("the matrix must be square but the left axes make ", a.m, " rows of ",
                     list_text(a.matrices.left()), " and the right axes ", a.n, " columns of ",
                     list_text(a.matrices.right())));
}

std::optional<RightSide> right_side(const MatrixCall& call, const Operand& a, MatrixFunction which,
                                    const void* handle) {
    check_square(which, call, a);
    if (which != MatrixFunction::Solve) return std::nullopt;
    return std::optional<RightSide>(std::in_place, call, a, handle);
}

std::vector<TensorRead> inputs_of(const Operand& a, const std::optional<RightSide>& b) {
    std::vector<TensorRead> inputs{a.matrices.view()};
    if (b) inputs.push_back(b->view);
    return inputs;
}

}  // namespace

Made svd(const MatrixCall& call, const Cut& cut) {
    check_cutoff(call, cut);
    const Operand a(call, Unlisted::Mistake);
    linalg::SvdTensors svd = algebra().svd_read(a.matrices.view());
    const Index rank = kept_rank(svd.s, cut);
    const Results like = svd_results(a, call.dtype, rank);
    Made made;
    made.publish(reshaped(first(std::move(svd.u), 1, rank), like[0].shape));
    made.publish(first(std::move(svd.s), 0, rank));
    made.publish(reshaped(first(std::move(svd.vh), 0, rank), like[2].shape));
    return made;
}

Made svd_vjp(const MatrixCall& call, const Cut& cut, DirectionHandles cotangents) {
    check_cutoff(call, cut);
    const Operand a(call, Unlisted::Mistake);
    const Index rank = rank_of_cotangents(call, a, cotangents);
    const Results like = svd_results(a, call.dtype, rank);
    DirectionList given;
    for (std::size_t i = 0; i < like.size(); ++i) given.add(call.function, cotangents.begin()[i], like[i]);
    Made made;
    if (!given.any() || a.is_empty()) {
        static_cast<void>(algebra().svdvals_read(a.matrices.view()));  // for what is wrong with the matrix
        made.publish(backend().zeros(call.dtype, a.matrices.shape()));
        return made;
    }
    const TensorRead inputs[1] = {a.matrices.view()};
    std::vector<Tensor> results = matrix_vjp(MatrixFunction::Svd, inputs, given.views(), rank);
    if (const Index kept = kept_rank(results[1], cut); kept != rank)
        throw Error(ErrorKind::ShapeMismatch, call.function,
                    text("the cotangents are for ", rank, " singular values but ", kept, " are kept"));
    made.publish(a.matrices.back(std::move(results[0])));
    return made;
}

Made svd_jvp(const MatrixCall& call, const Cut& cut, const void* tangent) {
    check_cutoff(call, cut);
    const Operand a(call, Unlisted::Mistake);
    DirectionList given;
    given.add_like(call, tangent, "tangent", a.matrices);
    Made made;
    if (!given.any() || a.is_empty()) {
        // As svd keeps: values without vectors come of another algorithm, with other last digits.
        const Index rank = kept_rank(algebra().svd_read(a.matrices.view()).s, cut);
        for (const Result& result : svd_results(a, call.dtype, rank)) made.publish(zeros(result));
        return made;
    }
    const TensorRead inputs[1] = {a.matrices.view()};
    std::vector<Tensor> results = matrix_jvp(MatrixFunction::Svd, inputs, given.views());
    const Index rank = kept_rank(results[3], cut);
    const Results like = svd_results(a, call.dtype, rank);
    made.publish(reshaped(first(std::move(results[0]), 1, rank), like[0].shape));
    made.publish(first(std::move(results[1]), 0, rank));
    made.publish(reshaped(first(std::move(results[2]), 0, rank), like[2].shape));
    return made;
}

Made matrix_call(MatrixFunction which, const MatrixCall& call, const void* b) {
    const Operand a(call, Unlisted::Batch);
    const std::optional<RightSide> right = right_side(call, a, which, b);
    const Results like = results_of(which, a, call.dtype, right ? &*right : nullptr);
    std::vector<Tensor> results = forward(which, a, right ? &*right : nullptr);
    const std::size_t before = results.size() - like.size();  // P of lu
    Made made;
    for (std::size_t i = 0; i < results.size(); ++i)
        made.publish(i < before ? reshaped(std::move(results[i]),
                                           joined({{a.m}, a.matrices.left(), a.matrices.batch()}))
                                : reshaped(std::move(results[i]), like[i - before].shape));
    return made;
}

Made matrix_call_vjp(MatrixFunction which, const MatrixCall& call, DirectionHandles cotangents,
                     const void* b) {
    const Operand a(call, Unlisted::Batch);
    const std::optional<RightSide> right = right_side(call, a, which, b);
    const Results like = results_of(which, a, call.dtype, right ? &*right : nullptr);
    DirectionList given;
    for (std::size_t i = 0; i < like.size(); ++i) given.add(call.function, cotangents.begin()[i], like[i]);
    Made made;
    if (!given.any() || a.is_empty()) {
        static_cast<void>(forward(which, a, right ? &*right : nullptr));
        made.publish(backend().zeros(call.dtype, a.matrices.shape()));
        if (right) made.publish(backend().zeros(call.dtype, right->pin->shape()));
        return made;
    }
    std::vector<Tensor> gradients = matrix_vjp(which, inputs_of(a, right), given.views());
    made.publish(a.matrices.back(std::move(gradients[0])));
    if (right) made.publish(reshaped(std::move(gradients[1]), right->pin->shape()));
    return made;
}

Made matrix_call_jvp(MatrixFunction which, const MatrixCall& call, DirectionHandles tangents, const void* b) {
    const Operand a(call, Unlisted::Batch);
    const std::optional<RightSide> right = right_side(call, a, which, b);
    const Results like = results_of(which, a, call.dtype, right ? &*right : nullptr);
    DirectionList given;
    given.add_like(call, tangents.begin()[0], right ? "tangent_a" : "tangent", a.matrices);
    if (right)
        given.add(call.function, tangents.begin()[1],
                  {"b", "tangent_b", call.dtype, right->pin->shape(), right->matrix_shape});
    Made made;
    if (!given.any() || a.is_empty()) {
        static_cast<void>(forward(which, a, right ? &*right : nullptr));
        for (const Result& result : like) made.publish(zeros(result));
        return made;
    }
    std::vector<Tensor> results = matrix_jvp(which, inputs_of(a, right), given.views());
    for (std::size_t i = 0; i < like.size(); ++i)
        made.publish(reshaped(std::move(results[i]), like[i].shape));
    return made;
}

}}}  // namespace tenferro::TENFERRO_ABI::capi
