// Nothing is missing in silence: every exported C++ function is swept, or in a family that others reach, or
// said to need no memory. Compared when all tests of the program have run.
#include <algorithm>
#include <fstream>

#include "faults/sweep.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/op_table.hpp"

namespace tenferro::faults { namespace {

bool starts_with_any(std::string_view name, Names prefixes) {
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.starts_with(prefix); });
}

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

/// What is not called by itself: no functions; what C has (swept in tests/capi/faults.c); what every function
/// on handles reaches; what extensions derive from; private parts of classes that are swept.
bool is_reached_through_others(std::string_view name) {
    return name.find('~') != std::string_view::npos ||
           starts_with_any(name, {"typeinfo",
                                  "vtable",
                                  "capi::",
                                  "tensor_ops::",
                                  "void tensor_ops::",
                                  "Operation::",
                                  "StdTensorOp::",
                                  "ShapeRules",
                                  "Expr::",
                                  "ShapeGuardContext::",
                                  "tfe_detail::in_current_session",
                                  "tfe_detail::TextPart",
                                  "tfe_detail::joined",
                                  "Error::make_text",
                                  "CancellationScope::",
                                  "linalg::LinalgBackend::matrix_exp_derivative_read",
                                  "linalg::Matrices",
                                  "linalg::families",
                                  "linalg::joined",
                                  "linalg::operations::spectral_function",
                                  "linalg::reshaped_view",
                                  "OutputFile::Temporary",
                                  "tfe_detail::tangents_with",
                                  "tfe_detail::cotangents_with",
                                  "ExtensionOp::",
                                  "ExtensionFactory::",
                                  "register_extension",
                                  "tensor_network::build_einsum_fragment",
                                  "gradcheck::",
                                  "BackendSession::do_",
                                  "TensorBackend::run_in_session",
                                  "EagerTensor::Node::",
                                  "EagerTensor::leaves",
                                  "EagerTensor::check_recorded",
                                  "EagerTensor::accumulate",
                                  "Number::from_unsigned",
                                  "cpu::con"});
}

/// Parts of the forms of the operation table.
bool is_form_helper(std::string_view name) {
    static constexpr std::array kHelpers{"arg_extreme", "convert_as", "copy_read",        "copy_into",
                                         "scatter_as",  "triangle",   "refuse_allocation"};
    return name.starts_with("BackendSession::") &&
           std::any_of(kHelpers.begin(), kHelpers.end(), [&](std::string_view helper) {
               return name.substr(std::string_view("BackendSession::").size()).starts_with(helper);
           });
}

/// Where a destructor of the JSON library finds no memory for its list, it ends the process.
bool is_json(std::string_view name) {
    return starts_with_any(name, {"graph_runtime::graph_from_json", "graph_runtime::graph_to_json"});
}

/// Functions that throw what they are for.
bool is_error(std::string_view name) {
    return starts_with_any(name, {"throw_out_of_memory", "elementwise::throw_undefined"});
}

class Completeness : public ::testing::Environment {
public:
    void TearDown() override {
        if (::testing::GTEST_FLAG(filter) != "*") return;
        std::ifstream list(TENFERRO_CXX_SYMBOLS);
        ASSERT_TRUE(list) << TENFERRO_CXX_SYMBOLS;
        int names = 0;
        for (std::string line; std::getline(list, line); ++names) {
            const std::string name = bare_name(line);
            if (is_reached_through_others(name) || is_form_helper(name) || is_json(name) || is_error(name))
                continue;
            EXPECT_TRUE(recorded().contains(name)) << name << " is not swept";
        }
        EXPECT_GT(names, 500);
    }
};

const auto* const kCompleteness = ::testing::AddGlobalTestEnvironment(new Completeness);

}}  // namespace tenferro::faults
