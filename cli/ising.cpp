// Every bond is the same 2 x 2 matrix W(s, s') = exp(K s s' - K) with K = 1/T, so that Z = exp(2 N K) * (the
// contraction) for N spins and 2 N bonds, and no entry exceeds 1. The spins are labels shared by four bonds
// each. By the chain rule
//
//   d ln Z / d K = 2 N + sum over bonds of <d ln C / d W_bond, dW/dK>,   energy = -(d ln Z / d K) / N,
//
// where C is the contraction and its gradients come from tfe_einsum_vjp_f64. Only tenferro.h is used.
#include "cli/ising.hpp"

#include <cmath>
#include <span>
#include <vector>

#include "cli/c_handle.hpp"

namespace tenferro::cli {
namespace {

constexpr unsigned kFirstLabel = 0xC0;

CHandle bond_matrix(double coupling) {
    const double anti = std::exp(-2 * coupling);
    const double entries[4] = {1, anti, anti, 1};
    const std::size_t shape[2] = {2, 2};
    tfe_status_t status = TFE_SUCCESS;
    CHandle matrix(tfe_tensor_f64_from_data(entries, 4, shape, 2, &status));
    check_status(status);
    return matrix;
}

/// A code point from U+0080 to U+07FF as UTF-8.
void append_label(std::string& out, unsigned code_point) {
    out += static_cast<char>(0xC0U | code_point >> 6);
    out += static_cast<char>(0x80U | (code_point & 0x3FU));
}

/// The sum over bonds of <d ln C / d W, dW/dK>; `value` is C.
double log_gradient(const std::string& subscripts, const std::vector<tfe_tensor_f64*>& bonds, double coupling,
                    double value) {
    tfe_status_t status = TFE_SUCCESS;
    const double slope = 1 / value;
    const CHandle cotangent(tfe_tensor_f64_from_data(&slope, 1, nullptr, 0, &status));
    check_status(status);
    std::vector<tfe_tensor_f64*> raw(bonds.size());
    std::vector<CHandle> gradients(bonds.size());
    tfe_einsum_vjp_f64(subscripts.c_str(), bonds.data(), bonds.size(), cotangent.get(), raw.data(), &status);
    check_status(status);
    for (std::size_t i = 0; i < raw.size(); ++i) gradients[i].reset(raw[i]);
    double sum = 0;
    for (const CHandle& gradient : gradients) {
        const std::span<const double> g = elements(gradient);
        sum += g[1] + g[2];  // dW/dK is 0 for parallel spins
    }
    return sum * -2 * std::exp(-2 * coupling);
}

}  // namespace

std::string ising_subscripts(int size) {
    std::string subscripts;
    const auto bond = [&](int row, int column, int other_row, int other_column) {
        if (!subscripts.empty()) subscripts += ',';
        append_label(subscripts, kFirstLabel + static_cast<unsigned>(row * size + column));
        append_label(subscripts,
                     kFirstLabel + static_cast<unsigned>(other_row % size * size + other_column % size));
    };
    for (int row = 0; row < size; ++row)
        for (int column = 0; column < size; ++column) {
            bond(row, column, row, column + 1);
            bond(row, column, row + 1, column);
        }
    return subscripts + "->";
}

IsingPoint contract_ising(int size, double temperature) {
    const double coupling = 1 / temperature, sites = static_cast<double>(size) * size;
    const std::string subscripts = ising_subscripts(size);
    const CHandle matrix = bond_matrix(coupling);
    const std::vector<tfe_tensor_f64*> bonds(static_cast<std::size_t>(2 * size * size), matrix.get());

    tfe_status_t status = TFE_SUCCESS;
    const CHandle result(tfe_einsum_f64(subscripts.c_str(), bonds.data(), bonds.size(), &status));
    check_status(status);
    const double value = elements(result)[0];
    const double slope = 2 * sites + log_gradient(subscripts, bonds, coupling, value);
    return {std::log(value) / sites + 2 * coupling, -slope / sites};
}

}  // namespace tenferro::cli
