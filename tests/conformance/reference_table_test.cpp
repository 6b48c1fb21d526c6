// docs/operations.md is the table of operations printed; this test fails when the two differ. With TENFERRO_UPDATE_DOCS=1 in
// the environment it writes the file instead.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tenferro/tensor/op_table.hpp"

namespace tenferro {
namespace {

std::string operations_page() {
    std::string page =
        "# Operations\n\nGenerated from `include/tenferro/tensor/op_table.hpp`. Every operation runs on the backends `cpu` "
        "(kinds `builtin` and\n"
        "`blas`) and `reference`, on the dtypes that are marked; on any other it is the typed error `Unsupported`.\n\n| "
        "operation |";
    std::string rule = "|---|";
    for (const DTypeInfo& dtype : kDTypes) {
        page += " " + std::string(dtype.name) + " |";
        rule += "---|";
    }
    page += "\n" + rule + "\n";
    for (const OpInfo& op : kOps) {
        page += "| `" + std::string(op.name) + "` |";
        for (const DTypeInfo& dtype : kDTypes) page += op.dtypes.contains(dtype.dtype) ? " yes |" : " |";
        page += "\n";
    }
    return page;
}

TEST(ReferenceTable, OperationsPageIsUpToDate) {
    const std::string path = TENFERRO_SOURCE "/docs/operations.md";
    if (const char* update = std::getenv("TENFERRO_UPDATE_DOCS"); update != nullptr && std::string(update) == "1") {
        std::ofstream(path) << operations_page();
        GTEST_SKIP() << "written: " << path;
    }
    std::ifstream file(path);
    const std::string recorded{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(recorded, operations_page()) << "run the test with TENFERRO_UPDATE_DOCS=1 to write the page anew";
}

}  // namespace
}  // namespace tenferro
