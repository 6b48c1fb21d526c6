// After `using namespace tenferro` the global names of a program may be those of graphs, operations and runs:
// no namespace of the library has one of them. Compiled, it has passed.
#include <gtest/gtest.h>

#include "tenferro/ops/extension_base.hpp"
#include "tenferro/tenferro.hpp"
#include "tenferro/testing/gradcheck.hpp"

using namespace tenferro;

int graph = 1, runtime = 2, network = 4, program = 8;
int ops() { return 16; }
namespace detail {
int answer() { return 32; }
}  // namespace detail
namespace internal {
int answer() { return 64; }
}  // namespace internal

namespace {

TEST(Names, CommonWordsAreFree) {
    EXPECT_EQ(graph + runtime + network + program + ops() + detail::answer() + internal::answer(), 127);
}

TEST(Names, EinsumIsAFunction) {
    const Tensor x = ones(DType::F64, {2, 3}), y = ones(DType::F64, {3, 4});
    EXPECT_EQ(einsum("ij,jk->ik", {x, y})(1, 3), 3);
    EXPECT_EQ(tenferro::einsum("ij,jk->ik", {eager(x.share()), eager(y.share())}).value()(0, 0), 3);
}

}  // namespace
