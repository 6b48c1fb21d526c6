// Making the operations, and registering their families.
#include "tenferro/linalg/operations.hpp"

#include <atomic>
#include <new>

#include "linalg/operations/spectral_quotient.hpp"
#include "ops/extension_library.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace linalg {

namespace {

/// Registers a class; another thread may do so at the same time, or have begun to and failed.
template <class Class>
void register_once() {
    const auto unless_there = [](auto&& enter) {
        try {
            enter();
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::DuplicateFamily) throw;
        }
    };
    if (!lookup_extension_factory(Class::kFamilyId))
        unless_there([] { register_extension(std::make_shared<ExtensionBaseFactory<Class>>()); });
    if constexpr (requires(const Class& op, const ExtensionTangentArgs& args) { op.tangents(args); })
        if (!lookup_extension_rule(Class::kFamilyId))
            unless_there([] { register_extension_rule(std::make_shared<ExtensionBaseRule<Class>>()); });
}

/// All families.
template <class... Classes>
struct Families {
    static constexpr std::string_view kNames[] = {Classes::kFamilyId...};
    static void register_all() { (register_once<Classes>(), ...); }
};
using All = Families<Cholesky, TriangularSolve, Lu, LuFactor, LuSolve, Det, Adjugate, AdjugateDerivative,
                     Slogdet, Inv, FullPivLu, FullPivLuSolve, Qr, PivotedQr, Svd, Svdvals, Pinv, Lstsq, Eigh,
                     Eigvalsh, Eig, Eigvals, EigTangents, EigCotangents, SpectralDiagonal, SpectralFunction,
                     SpectralQuotient, WeightedTriangles, MatrixExp, MatrixExpDerivative>;

constinit std::atomic<bool> registered{false};

constinit tenferro::tfe_detail::ExtensionLibrary library{"tenferro-linalg", register_operations};
[[maybe_unused]] const bool kAnnounced = (tenferro::tfe_detail::announce(library), true);

template <class Class, class... Fields>
operations::Operation make(Fields... fields) try {
    register_operations();
    return std::make_shared<Class>(fields...);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("linalg");
}

}  // namespace

void register_operations() try {
    if (registered.load(std::memory_order_acquire)) [[likely]]
        return;
    All::register_all();
    registered.store(true, std::memory_order_release);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("linalg");
}

std::span<const std::string_view> families() noexcept { return All::kNames; }

void check_derivative_eps(double eps, std::string_view op) {
    if (!(eps >= 0))
        throw Error(ErrorKind::InvalidArgument, op,
                    text("derivative_eps is ", tensor_ops::field_text(eps), " but must not be negative"));
}

namespace operations {

Operation cholesky() { return make<Cholesky>(); }
Operation triangular_solve(const TriangularOptions& o) { return make<TriangularSolve>(o); }
Operation lu() { return make<Lu>(); }
Operation lu_factor() { return make<LuFactor>(); }
Operation lu_solve(bool left, bool transpose, bool conjugate) {
    return make<LuSolve>(left, transpose, conjugate);
}
Operation det() { return make<Det>(); }
Operation slogdet() { return make<Slogdet>(); }
Operation inv() { return make<Inv>(); }
Operation full_piv_lu() { return make<FullPivLu>(); }
Operation full_piv_lu_solve(bool transpose, bool conjugate) {
    return make<FullPivLuSolve>(transpose, conjugate);
}
Operation qr(const QrOptions& o) { return make<Qr>(o); }
Operation pivoted_qr(const PivotedQrOptions& o) { return make<PivotedQr>(o); }
Operation svd(const SvdOptions& o) { return make<Svd>(o); }
Operation svdvals() { return make<Svdvals>(); }
Operation pinv(const RankOptions& o) { return make<Pinv>(o); }
Operation lstsq(const RankOptions& o) { return make<Lstsq>(o); }
Operation eigh(const EighOptions& o) { return make<Eigh>(o); }
Operation eigvalsh(const EighOptions& o) { return make<Eigvalsh>(o.lower); }
Operation eig(const EigOptions& o) { return make<Eig>(o); }
Operation eigvals() { return make<Eigvals>(); }
Operation spectral_function(bool hermitian, double derivative_eps) {
    return make<SpectralFunction>(hermitian, derivative_eps);
}
Operation matrix_exp() { return make<MatrixExp>(); }

}  // namespace operations

}}}  // namespace tenferro::TENFERRO_ABI::linalg
