// docs/operations.md is the table of operations and the capabilities of the backends printed; this test fails
// when the two differ. With TENFERRO_UPDATE_DOCS=1 in the environment it writes the file instead.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tenferro/cpu/cpu_backend.hpp"
#include "tenferro/reference/reference_backend.hpp"

namespace tenferro { namespace {

/// "yes" when every backend computes it, else the names of those that do.
std::string cell(OpId op, DType dtype, std::initializer_list<const TensorBackend*> backends) {
    std::string names;
    std::size_t count = 0;
    for (const TensorBackend* backend : backends)
        if (backend->capability(op, dtype) == Capability::Native) {
            names += (count++ != 0 ? ", " : "") + std::string(backend->name());
        }
    return count == backends.size() ? "yes" : names;
}

std::string operations_page() {
    const CpuBackend cpu;
    const ReferenceBackend reference;
    std::string page =
        "# Operations\n\nGenerated from `include/tenferro/tensor/op_table.hpp` and what the backends `cpu` "
        "(kinds `builtin` "
        "and\n`blas`) and `reference` say they compute: `yes` where all do, else the names of those that do. "
        "Any other\ncall is the typed error `Unsupported`. Every operation is a method in three forms of "
        "sessions and backends;\n`operation_methods.hpp` says which.\n\n| operation |";
    std::string rule = "|---|";
    for (const DTypeInfo& dtype : kDTypes) {
        page += " " + std::string(dtype.name) + " |";
        rule += "---|";
    }
    page += " meaning |\n" + rule + "---|\n";
    for (const OpInfo& op : kOps) {
        page += "| `" + std::string(op.name) + "` |";
        for (const DTypeInfo& dtype : kDTypes) {
            const std::string mark = cell(op.id, dtype.dtype, {&cpu, &reference});
            page += (mark.empty() ? "" : " " + mark) + " |";
        }
        page += " " + std::string(op.meaning) + " |\n";
    }
    return page;
}

TEST(ReferenceTable, OperationsPageIsUpToDate) {
    const std::string path = TENFERRO_SOURCE "/docs/operations.md";
    if (const char* update = std::getenv("TENFERRO_UPDATE_DOCS");
        update != nullptr && std::string(update) == "1") {
        std::ofstream(path) << operations_page();
        GTEST_SKIP() << "written: " << path;
    }
    std::ifstream file(path);
    const std::string recorded{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(recorded, operations_page())
        << "run the test with TENFERRO_UPDATE_DOCS=1 to write the page anew";
}

}}  // namespace tenferro
