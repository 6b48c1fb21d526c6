// The matrix of README.md, operation family x backend x derivatives, and the count of its claim about them
// are the table of operations, the capabilities of the backends and the marks of operations without
// derivative printed; this test fails when they differ. With TENFERRO_UPDATE_DOCS=1 in the environment it
// writes them instead.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "ad/samples.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro::ad { namespace {

struct OpFamily {
    const char* name;
    std::vector<OpId> ops;
};

std::vector<OpFamily> op_families() {
#define TENFERRO_ROW(Name, ...) OpId::Name,
    return {{"unary elementwise", {TENFERRO_UNARY_OPS(TENFERRO_ROW)}},
            {"binary elementwise and comparisons", {TENFERRO_BINARY_OPS(TENFERRO_ROW)}},
            {"selection and conversion",
             {TENFERRO_SELECTION_OPS(TENFERRO_ROW) TENFERRO_CONVERSION_OPS(TENFERRO_ROW)}},
            {"contraction, structure, indexing",
             {TENFERRO_CONTRACTION_OPS(TENFERRO_ROW) TENFERRO_REARRANGEMENT_OPS(TENFERRO_ROW)
                  TENFERRO_SLICING_OPS(TENFERRO_ROW) TENFERRO_PADDING_OPS(TENFERRO_ROW)
                      TENFERRO_JOINING_OPS(TENFERRO_ROW) TENFERRO_WINDOW_OPS(TENFERRO_ROW)
                          TENFERRO_DIAGONAL_OPS(TENFERRO_ROW) TENFERRO_REVERSING_OPS(TENFERRO_ROW)}},
            {"reductions", {TENFERRO_REDUCE_OPS(TENFERRO_ROW)}},
            {"along an axis",
             {TENFERRO_ARG_OPS(TENFERRO_ROW) TENFERRO_AXIS_OPS(TENFERRO_ROW)
                  TENFERRO_SHIFTING_OPS(TENFERRO_ROW)}}};
#undef TENFERRO_ROW
}

/// "all", or "all but" those for which `holds` does not.
template <class Holds>
std::string all_but(const std::vector<OpId>& ops, Holds holds) {
    std::string exceptions;
    for (const OpId op : ops)
        if (!holds(op)) exceptions += text(exceptions.empty() ? "" : " ", "`", info(op).name, "`");
    return exceptions.empty() ? "all" : "all but " + exceptions;
}

/// Whether the backend computes the operation on every dtype that it is defined on.
bool computes(const TensorBackend& backend, OpId op) {
    for (const DTypeInfo& row : kDTypes)
        if (info(op).dtypes.contains(row.dtype) && backend.capability(op, row.dtype) != Capability::Native)
            return false;
    return true;
}

bool has_mark(OpId op, NoDerivative reason) {
    for (const Mark& mark : marks())
        if (mark.op == op && mark.reason == reason) return true;
    return false;
}

std::string matrix() {
    const CpuBackend cpu;
    const ReferenceBackend reference;
    std::string page =
        "| family | `cpu` | `reference` | JVP and VJP | derivative zero |\n"
        "|---|---|---|---|---|\n";
    for (const OpFamily& family : op_families()) {
        std::string zero;
        std::vector<OpId> active;
        for (const OpId op : family.ops)
            if (has_mark(op, NoDerivative::Inactive))
                zero += text(zero.empty() ? "" : " ", "`", info(op).name, "`");
            else if (!has_mark(op, NoDerivative::NotInGraph))
                active.push_back(op);
        page +=
            text("| ", family.name, " | ", all_but(family.ops, [&](OpId op) { return computes(cpu, op); }),
                 " | ", all_but(family.ops, [&](OpId op) { return computes(reference, op); }), " | ",
                 all_but(active, [](OpId op) { return !has_mark(op, NoDerivative::Unsupported); }), " | ",
                 zero, " |\n");
    }
    return page;
}

/// The claim about them.
std::string count_of_derivatives() {
    return text("All operations but ", marks().size(), " have a derivative");
}

TEST(Matrix, ReadmeIsUpToDate) {
    const std::string path = TENFERRO_SOURCE "/README.md";
    const std::string begin = "<!-- matrix: written by tests/ad/matrix_test.cpp -->\n";
    const std::string end = "<!-- end of matrix -->\n";
    std::ifstream file(path);
    const std::string recorded{std::istreambuf_iterator<char>(file), {}};
    const std::size_t from = recorded.find(begin) + begin.size(), to = recorded.find(end);
    ASSERT_TRUE(recorded.find(begin) < to && to != std::string::npos) << "the marks are missing";
    std::string page = recorded.substr(0, from) + matrix() + recorded.substr(to);
    const std::regex claim("All operations but [0-9]+ have a derivative");
    ASSERT_TRUE(std::regex_search(page, claim)) << "the claim is missing";
    page = std::regex_replace(page, claim, count_of_derivatives());
    if (const char* update = std::getenv("TENFERRO_UPDATE_DOCS"); update != nullptr && update[0] == '1') {
        std::ofstream(path) << page;
        GTEST_SKIP() << "written: " << path;
    }
    EXPECT_EQ(recorded, page) << "run the test with TENFERRO_UPDATE_DOCS=1 to write it anew";
}

TEST(Matrix, HasEveryOperation) {
    std::size_t count = 0;
    for (const OpFamily& family : op_families()) count += family.ops.size();
    EXPECT_EQ(count, kOps.size());
}

}}  // namespace tenferro::ad
