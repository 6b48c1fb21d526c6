// Nothing is missing in silence: every exported C++ function and every form of a row of op_table.hpp is
// swept, or in a family that others reach, or said to need no memory. Compared when all tests of the program
// have run.
#include <algorithm>
#include <fstream>

#include "faults/sweep.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/op_table.hpp"

namespace tenferro::faults { namespace {

/// "tenferro::v0_1::tensor_network::EinsumPlan::run(…) const" as "tensor_network::EinsumPlan::run".
std::string bare_name(std::string line) {
    const std::string kSpace = "tenferro::v0_1::";
    for (std::size_t at = 0; (at = line.find(kSpace, at)) != std::string::npos;)
        line.erase(at, kSpace.size());
    line.erase(std::min(line.find('('), line.size()));
    line.erase(std::min(line.find("[abi"), line.size()));
    if (!line.starts_with("ShapeRules") && !line.starts_with("operator"))
        line.erase(std::min(line.find('<'), line.size()));
    return line;
}

/// Beginnings of names that are not swept by themselves. One that no name begins with is a mistake.
constexpr std::string_view kElsewhere[] = {
    // no functions
    "typeinfo", "vtable",
    // what C has: swept in tests/capi/faults.c
    "capi::",
    // what every function on handles reaches
    "tensor_ops::", "Operation::", "StdTensorOp::", "ShapeRules", "Expr::apply_all",
    "ShapeGuardContext::", "tfe_detail::in_current_session", "Number::from_unsigned",
    // what extensions derive from
    "ExtensionOp::", "ExtensionFactory::",
    // parts of classes that are swept
    "Error::make_text", "OutputFile::Temporary", "BackendSession::do_", "TensorBackend::run_in_session",
    "EagerTensor::Node::",
    // parts of the forms of the operation table
    "BackendSession::arg_extreme", "BackendSession::convert_as", "BackendSession::copy_read",
    "BackendSession::copy_into", "BackendSession::scatter_as", "BackendSession::fill_triangle",
    // the engine of dot_general, in algebras of others
    "cpu::contract",
    // derivatives many times over
    "gradcheck::check",
    // functions that throw what they are for
    "throw_out_of_memory", "elementwise::throw_undefined"};

/// The forms of every structured row, which are no part of the list of exported names.
void expect_every_row() {
#define TENFERRO_ROW(Name, method, ...)                                            \
    for (const std::string owner : {"BackendSession::", "TensorBackend::"})        \
        for (const char* const form : {#method, #method "_read", #method "_into"}) \
            EXPECT_TRUE(recorded().contains(owner + form)) << owner << form << " is not swept";
    TENFERRO_STRUCTURED_OPS(TENFERRO_ROW)
#undef TENFERRO_ROW
}

class Completeness : public ::testing::Environment {
public:
    void TearDown() override {
        if (::testing::GTEST_FLAG(filter) != "*") return;
        std::ifstream list(TENFERRO_CXX_SYMBOLS);
        ASSERT_TRUE(list) << TENFERRO_CXX_SYMBOLS;
        int names = 0;
        std::set<std::string_view> met;
        for (std::string line; std::getline(list, line); ++names) {
            const std::string name = bare_name(line);
            bool elsewhere = name.find('~') != std::string::npos;
            for (const std::string_view beginning : kElsewhere)
                if (name.starts_with(beginning)) {
                    met.insert(beginning);
                    elsewhere = true;
                }
            EXPECT_TRUE(elsewhere || recorded().contains(name)) << name << " is not swept";
        }
        for (const std::string_view beginning : kElsewhere)
            EXPECT_TRUE(met.contains(beginning)) << "no exported name begins with " << beginning;
        expect_every_row();
        EXPECT_GT(names, 500);
    }
};

const auto* const kCompleteness = ::testing::AddGlobalTestEnvironment(new Completeness);

}}  // namespace tenferro::faults
