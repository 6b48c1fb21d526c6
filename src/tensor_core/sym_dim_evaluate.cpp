// The text of symbolic extents and their values under bindings of the symbols.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor_core/sym_dim_polynomial.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

using tfe_detail::Atom;
using tfe_detail::AtomKind;
using tfe_detail::Compound;
using tfe_detail::Polynomial;
using tfe_detail::Term;

namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

bool fits(Wide value) noexcept { return value == static_cast<Index>(value); }

// The compilers' own check calls a run-time function that not every platform links.
bool multiply_overflows(Wide a, Wide b, Wide& product) noexcept {
    if (!fits(a) || !fits(b)) {
        const auto magnitude = [](Wide x) {
            return x < 0 ? 0 - static_cast<UnsignedWide>(x) : static_cast<UnsignedWide>(x);
        };
        constexpr UnsignedWide kMost = ~UnsignedWide{0} >> 1;
        if (b != 0 && magnitude(a) > kMost / magnitude(b)) return true;
    }
    product = a * b;
    return false;
}

std::string wide_text(Wide value) {
    if (fits(value)) return text(static_cast<Index>(value));
    const int last = static_cast<int>(value % 10);
    return wide_text(value / 10) + text(last < 0 ? -last : last);
}

std::string symbol_text(DimSymbol symbol) { return text("n", symbol.input, "_", symbol.axis); }

std::string atom_text(const Atom& atom) {
    if (atom.kind == AtomKind::Symbol) return symbol_text(atom.symbol);
    std::string list;
    for (const SymDim& operand : atom.compound->operands) list += (list.empty() ? "" : ", ") + operand.text();
    const char* const name = atom.kind == AtomKind::ExactDiv ? "exact_div"
                             : atom.kind == AtomKind::Min    ? "min"
                             : atom.kind == AtomKind::Max    ? "max"
                                                             : "";
    return text(name, "(", list, ")");
}

// One evaluation: the expression and the bindings, which every failure names.
class Evaluation {
public:
    Evaluation(const SymDim& root, SymDim::Bindings bindings) : root_(root), bindings_(bindings) {}

    Index extent() {
        const Wide result = value(root_);
        if (!fits(result)) overflow();
        if (result < 0) fail(text("is ", static_cast<Index>(result)));
        return static_cast<Index>(result);
    }

private:
    Wide value(const SymDim& dim) {
        if (dim.constant()) return *dim.constant();
        Wide sum = 0;
        for (const Term& term : Polynomial::of(dim)->terms)
            if (__builtin_add_overflow(sum, value(term), &sum)) overflow();
        return sum;
    }

    // Every factor is evaluated, also after one that is zero or too large: errors do not depend on the order
    // of factors.
    Wide value(const Term& term) {
        Wide product = term.coefficient;
        bool overflows = false, zero = false;
        for (const Atom& atom : term.atoms) {
            const Wide factor = value(atom);
            zero |= factor == 0;
            overflows |= !overflows && multiply_overflows(product, factor, product);
        }
        if (overflows && !zero) overflow();
        return zero ? 0 : product;
    }

    Wide value(const Atom& atom) {
        if (atom.kind == AtomKind::Symbol) return bindings_(atom.symbol);
        const Compound* const compound = atom.compound.get();
        Known& known =
            known_[reinterpret_cast<std::uintptr_t>(compound) / alignof(Compound) % std::size(known_)];
        if (known.compound != compound) {
            const Wide result = computed(atom);
            known = {compound, result};
        }
        return known.value;
    }

    Wide computed(const Atom& atom) {
        const auto& operands = atom.compound->operands;
        Wide result = value(operands[0]);
        for (std::size_t i = 1; i < operands.size(); ++i) {
            const Wide operand = value(operands[i]);
            result = atom.kind == AtomKind::Min   ? std::min(result, operand)
                     : atom.kind == AtomKind::Max ? std::max(result, operand)
                                                  : quotient(atom, result, operand);
        }
        return result;
    }

    Wide quotient(const Atom& atom, Wide dividend, Wide divisor) const {
        // By -1 separately: the least value has no negative.
        if (divisor == 0) fail(text("divides ", wide_text(dividend), " by 0 in ", atom_text(atom)));
        if (divisor == -1) {
            Wide negated;
            if (__builtin_sub_overflow(Wide{0}, dividend, &negated)) overflow();
            return negated;
        }
        if (dividend % divisor != 0)
            fail(text("divides ", wide_text(dividend), " by ", wide_text(divisor), " inexactly in ",
                      atom_text(atom)));
        return dividend / divisor;
    }

    [[noreturn]] void overflow() const { fail("overflows"); }

    [[noreturn]] void fail(const std::string& reason) const {
        std::string values;
        for (const DimSymbol symbol : root_.symbols())
            values += text(values.empty() ? " for " : ", ", symbol_text(symbol), " = ", bindings_(symbol));
        throw Error(ErrorKind::InvalidConfig, "evaluate", text("extent ", root_.text(), " ", reason, values));
    }

    struct Known {
        const Compound* compound = nullptr;
        Wide value = 0;
    };

    const SymDim& root_;
    SymDim::Bindings bindings_;
    Known known_[16];  // of atoms met lately: they often occur again, as parts of others
};

}  // namespace

std::string SymDim::text() const try {
    if (!node_) return std::to_string(value_);
    std::string out;
    for (const Term& term : node_->terms) {
        const bool negative = term.coefficient < 0;
        out += out.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
        const auto bits = static_cast<std::uint64_t>(term.coefficient);
        const std::uint64_t magnitude = negative ? 0 - bits : bits;
        std::string product = magnitude == 1 && !term.atoms.empty() ? "" : std::to_string(magnitude);
        for (auto atom = term.atoms.begin(); atom != term.atoms.end();) {
            const auto next = std::find_if(atom, term.atoms.end(),
                                           [&](const Atom& other) { return compare(*atom, other) != 0; });
            product += (product.empty() ? "" : " * ") + atom_text(*atom);
            if (next - atom > 1) product += tenferro::text("^", next - atom);
            atom = next;
        }
        out += product;
    }
    return out;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

Index SymDim::evaluate(Bindings bindings) const try {
    if (!node_ && value_ >= 0) return value_;
    return Evaluation(*this, bindings).extent();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extent");
}

}}  // namespace tenferro::TENFERRO_ABI
