// The structs of the operations of linear algebra in graphs. Each says its name, its numbers of operands and
// outputs and the fields of its payload once; what follows from them is in LinalgOp and ExtensionBase. The
// .cpp files here have shape rules and execution, those of src/linalg/derivatives the derivatives.
#pragma once

#include "tenferro/linalg/options.hpp"
#include "tenferro/ops/extension_base.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

struct NoOptions {};

/// Refuses an eps of derivatives that is negative or NaN (InvalidArgument).
void check_derivative_eps(double eps, std::string_view op);

/// An operation whose fields are those of `Options`; it is made of these, or of all fields in their order,
/// and passes for them where they are asked for.
template <class Derived, class Options = NoOptions>
struct LinalgOp : ExtensionBase<Derived>, Options {
    static constexpr std::tuple<> kFields{};
    template <class T>
    using Field = tensor_ops::Field<Derived, T>;

    template <class... Fields>
    requires requires(Fields... fields) { Options{fields...}; }
    explicit LinalgOp(Fields... fields) : Options{fields...} {
        if constexpr (requires(const Options& options) { options.derivative_eps; })
            check_derivative_eps(this->derivative_eps, Derived::kName);
    }
};

#define TENFERRO_LINALG_OPERATION(name, operands, results)                                         \
    static constexpr std::string_view kFamilyId = "tenferro-linalg." name ".v1", kName = name;     \
    static constexpr std::size_t kInputs = operands, kOutputs = results;                           \
    using LinalgOp::LinalgOp;                                                                      \
    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override;    \
    [[nodiscard]] std::vector<Tensor> run(BackendSession& session, std::span<const TensorRead> in) \
        const override;

/// A [N, N] -> L [N, N].
struct Cholesky final : LinalgOp<Cholesky> {
    TENFERRO_LINALG_OPERATION("cholesky", 1, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], B [N, K] (on the right: [K, N]) -> X like B.
struct TriangularSolve final : LinalgOp<TriangularSolve, TriangularOptions> {
    TENFERRO_LINALG_OPERATION("triangular_solve", 2, 1)
    static constexpr std::tuple kFields{Field<bool>{"left", &TriangularSolve::left},
                                        Field<bool>{"lower", &TriangularSolve::lower},
                                        Field<bool>{"transpose", &TriangularSolve::transpose},
                                        Field<bool>{"conjugate", &TriangularSolve::conjugate},
                                        Field<bool>{"unit_diagonal", &TriangularSolve::unit_diagonal}};
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// A [M, N] -> P [M, M], L [M, K], U [K, N], parity [].
struct Lu final : LinalgOp<Lu> {
    TENFERRO_LINALG_OPERATION("lu", 1, 4)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> the LuFactors of A: packed [M, N], rows [M], exponent []. They are taken for constants by
/// derivatives: operations that use them have A as an operand too, and depend on it.
struct LuFactor final : LinalgOp<LuFactor> {
    TENFERRO_LINALG_OPERATION("lu_factor", 1, 3)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

struct LuSolveOptions {
    bool left, transpose, conjugate;
};
/// A [N, N], its LuFactors, B -> X with op(A) X = B, or X op(A) = B on the right.
struct LuSolve final : LinalgOp<LuSolve, LuSolveOptions> {
    TENFERRO_LINALG_OPERATION("lu_solve", 5, 1)
    static constexpr std::tuple kFields{Field<bool>{"left", &LuSolve::left},
                                        Field<bool>{"transpose", &LuSolve::transpose},
                                        Field<bool>{"conjugate", &LuSolve::conjugate}};
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// A [N, N], its LuFactors -> det [].
struct Det final : LinalgOp<Det> {
    TENFERRO_LINALG_OPERATION("det", 4, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], its LuFactors -> adj A [N, N], with A adj A = det A: the derivative of det, at singular matrices
/// too.
struct Adjugate final : LinalgOp<Adjugate> {
    TENFERRO_LINALG_OPERATION("adjugate", 4, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], its LuFactors, X [N, N] -> the derivative of adj at A along X, linear in X. Its own derivative
/// by A needs an invertible A (Singular).
struct AdjugateDerivative final : LinalgOp<AdjugateDerivative> {
    TENFERRO_LINALG_OPERATION("adjugate_derivative", 5, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// A [N, N], its LuFactors -> sign [], logabsdet [].
struct Slogdet final : LinalgOp<Slogdet> {
    TENFERRO_LINALG_OPERATION("slogdet", 4, 2)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N] -> its inverse.
struct Inv final : LinalgOp<Inv> {
    TENFERRO_LINALG_OPERATION("inv", 1, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> P [M, M], L [M, K], U [K, N], Q [N, N], parity [].
struct FullPivLu final : LinalgOp<FullPivLu> {
    TENFERRO_LINALG_OPERATION("full_piv_lu", 1, 5)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

struct FullPivLuSolveOptions {
    bool transpose, conjugate;
};
/// A [N, N], its P, L, U and Q by full_piv_lu, B [N, K] -> X with op(A) X = B. Derivatives are with respect
/// to A and B.
struct FullPivLuSolve final : LinalgOp<FullPivLuSolve, FullPivLuSolveOptions> {
    TENFERRO_LINALG_OPERATION("full_piv_lu_solve", 6, 1)
    static constexpr std::tuple kFields{Field<bool>{"transpose", &FullPivLuSolve::transpose},
                                        Field<bool>{"conjugate", &FullPivLuSolve::conjugate}};
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// A [M, N] -> Q [M, K], R [K, N]; full: K = M.
struct Qr final : LinalgOp<Qr, QrOptions> {
    TENFERRO_LINALG_OPERATION("qr", 1, 2)
    static constexpr std::tuple kFields{Field<bool>{"full", &Qr::full},
                                        Field<bool>{"positive", &Qr::positive}};
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> Q [M, K], R [K, N], columns [N], rank []. It has no derivative.
struct PivotedQr final : LinalgOp<PivotedQr, PivotedQrOptions> {
    TENFERRO_LINALG_OPERATION("pivoted_qr", 1, 4)
    static constexpr std::tuple kFields{Field<double>{"tolerance", &PivotedQr::tolerance}};
};

/// A [M, N] -> U [M, K], S [K], Vh [K, N]; full: U [M, M] and Vh [N, N].
struct Svd final : LinalgOp<Svd, SvdOptions> {
    TENFERRO_LINALG_OPERATION("svd", 1, 3)
    static constexpr std::tuple kFields{Field<bool>{"full", &Svd::full},
                                        Field<bool>{"fix_gauge", &Svd::fix_gauge},
                                        Field<double>{"derivative_eps", &Svd::derivative_eps}};
    [[nodiscard]] std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> S [K]: what programs make of an Svd of which only S is used.
struct Svdvals final : LinalgOp<Svdvals> {
    TENFERRO_LINALG_OPERATION("svdvals", 1, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N] -> its pseudoinverse [N, M].
struct Pinv final : LinalgOp<Pinv, RankOptions> {
    TENFERRO_LINALG_OPERATION("pinv", 1, 1)
    static constexpr std::tuple kFields{Field<double>{"rtol", &Pinv::rtol}};
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [M, N], B [M, K] -> X [N, K], rank [], S [min(M, N)].
struct Lstsq final : LinalgOp<Lstsq, RankOptions> {
    TENFERRO_LINALG_OPERATION("lstsq", 2, 3)
    static constexpr std::tuple kFields{Field<double>{"rtol", &Lstsq::rtol}};
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N] -> w [N], V [N, N] of a Hermitian matrix.
struct Eigh final : LinalgOp<Eigh, EighOptions> {
    TENFERRO_LINALG_OPERATION("eigh", 1, 2)
    static constexpr std::tuple kFields{Field<bool>{"lower", &Eigh::lower},
                                        Field<bool>{"fix_gauge", &Eigh::fix_gauge},
                                        Field<double>{"derivative_eps", &Eigh::derivative_eps}};
    [[nodiscard]] std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

struct EigvalshOptions {
    bool lower;
};
/// A [N, N] -> w [N]: what programs make of an Eigh of which only w is used.
struct Eigvalsh final : LinalgOp<Eigvalsh, EigvalshOptions> {
    TENFERRO_LINALG_OPERATION("eigvalsh", 1, 1)
    static constexpr std::tuple kFields{Field<bool>{"lower", &Eigvalsh::lower}};
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N] -> w [N], V [N, N], both complex, of any matrix.
struct Eig final : LinalgOp<Eig, EigOptions> {
    TENFERRO_LINALG_OPERATION("eig", 1, 2)
    static constexpr std::tuple kFields{Field<bool>{"fix_gauge", &Eig::fix_gauge}};
    [[nodiscard]] std::shared_ptr<const ExtensionOp> with_outputs(std::span<const bool> used) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N] -> w [N]: what programs make of an Eig of which only w is used.
struct Eigvals final : LinalgOp<Eigvals> {
    TENFERRO_LINALG_OPERATION("eigvals", 1, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// w [N], V [N, N] by eig, A' [N, N], real or complex -> w' [N], V' [N, N] as A moves along A': V' has
/// nothing along the vectors themselves. Linear in A'.
struct EigTangents final : LinalgOp<EigTangents> {
    TENFERRO_LINALG_OPERATION("eig_tangents", 3, 2)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};
struct EigCotangentsOptions {
    bool real;
};
/// w [N], V [N, N], cotangents of both -> that of A [N, N], of which only the real part is with `real`: the
/// adjoint of eig_tangents. Linear in the cotangents.
struct EigCotangents final : LinalgOp<EigCotangents, EigCotangentsOptions> {
    TENFERRO_LINALG_OPERATION("eig_cotangents", 4, 1)
    static constexpr std::tuple kFields{Field<bool>{"real", &EigCotangents::real}};
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

struct SpectralOptions {
    bool hermitian;
    double derivative_eps;
};
/// A [M, N], U [M, K], s [K], Vh [K, N], f [K] -> U diag(f) Vh, where A = U diag(s) Vh is the singular value
/// decomposition or, with `hermitian`, that by eigenvectors, and f was computed from s: for singular values
/// it is taken for an odd function. Derivatives are with respect to A, which U and Vh are taken to follow,
/// and to f. Linear in f.
struct SpectralFunction final : LinalgOp<SpectralFunction, SpectralOptions> {
    TENFERRO_LINALG_OPERATION("spectral_function", 5, 1)
    static constexpr std::tuple kFields{Field<bool>{"hermitian", &SpectralFunction::hermitian},
                                        Field<double>{"derivative_eps", &SpectralFunction::derivative_eps}};
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// A, U, s, Vh as above, X [M, N] -> the real diagonal of Uᴴ X V, [K]: the derivative of s along X. Linear in
/// X.
struct SpectralDiagonal final : LinalgOp<SpectralDiagonal, SpectralOptions> {
    TENFERRO_LINALG_OPERATION("spectral_diagonal", 5, 1)
    static constexpr std::tuple kFields{Field<bool>{"hermitian", &SpectralDiagonal::hermitian},
                                        Field<double>{"derivative_eps", &SpectralDiagonal::derivative_eps}};
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// What a triangle of X is multiplied by, and the same triangle of Xᴴ.
struct TriangleWeights {
    double below, on, above;                          ///< the diagonal
    double below_adjoint, on_adjoint, above_adjoint;  ///< of Xᴴ
};
/// X [N, N] -> Y [N, N]: Y_ij = w X_ij + v conj(X_ji), with w and v by where i, j is. What the derivatives of
/// factorisations make of a product before and after they divide: Hermitian parts, triangles with half of
/// the diagonal. Linear, and its transpose is of its kind.
struct WeightedTriangles final : LinalgOp<WeightedTriangles, TriangleWeights> {
    TENFERRO_LINALG_OPERATION("weighted_triangles", 1, 1)
    static constexpr std::tuple kFields{Field<double>{"below", &WeightedTriangles::below},
                                        Field<double>{"on", &WeightedTriangles::on},
                                        Field<double>{"above", &WeightedTriangles::above},
                                        Field<double>{"below_adjoint", &WeightedTriangles::below_adjoint},
                                        Field<double>{"on_adjoint", &WeightedTriangles::on_adjoint},
                                        Field<double>{"above_adjoint", &WeightedTriangles::above_adjoint}};
    [[nodiscard]] MatrixPlan::MaybeValue matrix_step(MatrixPlan& plan,
                                                     MatrixPlan::Values inputs) const override;
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

/// A [N, N] -> exp(A).
struct MatrixExp final : LinalgOp<MatrixExp> {
    TENFERRO_LINALG_OPERATION("matrix_exp", 1, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
};

/// A [N, N], E [N, N] -> the derivative of exp at A along E, linear in E.
struct MatrixExpDerivative final : LinalgOp<MatrixExpDerivative> {
    TENFERRO_LINALG_OPERATION("matrix_exp_derivative", 2, 1)
    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const;
    [[nodiscard]] OptionalExprs cotangents(const ExtensionCotangentArgs& args) const;
};

#undef TENFERRO_LINALG_OPERATION

}}}  // namespace tenferro::TENFERRO_ABI::linalg
