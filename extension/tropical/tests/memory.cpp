// Every allocation of every C++ function failed in turn, once and for ever: an Error of kind OutOfMemory.
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include <tenferro/base/error.hpp>

#include "allocations.h"
#include "tenferro_ext_tropical/einsum.hpp"
#include "tenferro_ext_tropical/operations.hpp"
#include "tenferro_ext_tropical/pairs.hpp"

namespace {

using tenferro::Dims;
using tenferro::Tensor;
using tenferro::TensorRead;
using tropical::Algebra;

int failures = 0;

/// The same subscripts with other letters, so that no plan is there yet. It needs no allocation.
std::string renamed(std::string_view subscripts) {
    constexpr int kChoices = 12;
    static int drawn = 0;
    std::string result(subscripts);
    for (char& c : result) {
        if (c < 'i' || c > 'l') continue;
        int choice = drawn;
        for (int label = 'i'; label < c; ++label) choice /= kChoices;
        const int letter = kChoices * (c - 'i') + choice % kChoices;
        c = static_cast<char>(letter < 26 ? 'a' + letter : 'A' + letter - 26);
    }
    ++drawn;
    return result;
}

template <class F>
void sweep(const char* name, const F& call) {
    constexpr long kMost = 5000;
    for (const int forever : {0, 1}) {
        call();  // pools and tables are made by the first call
        long countdown = 1;
        for (int failed = 1; failed != 0 && countdown < kMost; ++countdown) {
            const char* wrong = nullptr;
            fail_allocation(countdown, forever);
            try {
                call();
            } catch (const tenferro::Error& error) {
                if (error.root_kind() != tenferro::ErrorKind::OutOfMemory) wrong = "another error";
            } catch (const std::bad_alloc&) {
                wrong = "std::bad_alloc";
            }
            failed = stop_failing();
            if (wrong != nullptr) {
                ++failures;
                std::fprintf(stderr, "%s, allocation %ld: %s\n", name, countdown, wrong);
            }
        }
        if (countdown == kMost || countdown < 3) {
            ++failures;
            std::fprintf(stderr, "%s: %ld allocations were failed\n", name, countdown);
        }
    }
}

}  // namespace

int main() {
    const Tensor a = Tensor::from_data<double>({1, 2, 3, 4}, Dims{2, 2}),
                 negative = Tensor::from_data<double>({-1, 2, -3, 4}, Dims{2, 2});
    const std::vector<TensorRead> chain{a, a, a}, pair{negative, a};
    const Tensor counted = Tensor::from_data<tropical::Counted>({{1, 1}, {2, 1}, {3, 1}, {4, 1}}, Dims{2, 2});
    const std::vector<TensorRead> optima{counted, counted, counted};
    for (const Algebra algebra : {Algebra::MaxPlus, Algebra::MaxMul}) {
        sweep("einsum",
              [&] { static_cast<void>(tropical::einsum(algebra, renamed("ij,jk,kl->il"), chain)); });
        sweep("einsum of two",
              [&] { static_cast<void>(tropical::einsum(algebra, renamed("ij,kl->il"), pair)); });
        sweep("einsum_vjp",
              [&] { static_cast<void>(tropical::einsum_vjp(algebra, renamed("ij,jk,kl->il"), chain, a)); });
        sweep("einsum_vjp of two",
              [&] { static_cast<void>(tropical::einsum_vjp(algebra, renamed("ij,kl->il"), pair, a)); });
        sweep("dot_general_operation", [&] {
            static_cast<void>(tropical::dot_general_operation(algebra, {{1}, {0}, {}, {}}));
        });
        sweep("einsum_operation",
              [&] { static_cast<void>(tropical::einsum_operation(algebra, "ij,jk->ik")); });
    }
    sweep("einsum of pairs",
          [&] { static_cast<void>(tropical::einsum<tropical::Counted>(renamed("ij,jk,kl->il"), optima)); });
    const Tensor none = Tensor::zeros(counted.dtype(), Dims{0, 2});
    const std::vector<TensorRead> no_terms{none, counted};
    sweep("einsum of pairs without terms",
          [&] { static_cast<void>(tropical::einsum<tropical::Counted>(renamed("ij,kl->l"), no_terms)); });
    if (failures == 0) std::printf("no allocation is missed\n");
    return failures != 0;
}
