// Path search on the instances of the public benchmark: no worse than the better of the two published paths.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/shared_data.hpp"
#include "tenferro/einsum/path_search.hpp"

namespace tenferro::tensor_network { namespace {

class Instance : public ::testing::TestWithParam<const char*> {};

Network network_of(const nlohmann::json& data) {
    std::vector<Dims> shapes;
    for (const auto& shape : data["shapes_colmajor"].get<std::vector<std::vector<Index>>>())
        shapes.emplace_back(shape.begin(), shape.end());
    return resolve(Subscripts::parse(data["format_string_colmajor"].get<std::string>()), shapes);
}

TEST_P(Instance, IsPredictedToTakeNoLongerThanThePublishedPaths) {
    const std::string file = std::string("einsum/") + GetParam() + ".json";
    const auto data = test::shared_json(file);
    TENFERRO_REQUIRE_DATA(data, file);
    const Network net = network_of(*data);
    const ContractionCost found = cost(net, find_tree(net));
    for (const char* name : {"opt_flops", "opt_size"}) {
        const auto path = (*data)["paths"][name]["path"].get<std::vector<std::vector<int>>>();
        const ContractionCost published = cost(net, tree_from_path(path, net.inputs.size()));
        EXPECT_LE(found.seconds, published.seconds * (1 + 1e-6)) << name;
    }
}

/// Of trees within a thousandth of the best another may be taken.
TEST_P(Instance, NoObjectiveLosesToAnotherInItsOwnMeasure) {
    const std::string file = std::string("einsum/") + GetParam() + ".json";
    const auto data = test::shared_json(file);
    TENFERRO_REQUIRE_DATA(data, file);
    const Network net = network_of(*data);
    const ContractionCost time = cost(net, find_tree(net)),
                          flops = cost(net, find_tree(net, {.objective = PathObjective::Flops})),
                          memory = cost(net, find_tree(net, {.objective = PathObjective::Memory}));
    EXPECT_LE(time.seconds, 1.002 * std::min(flops.seconds, memory.seconds));
    EXPECT_LE(flops.flops, 1.002 * std::min(time.flops, memory.flops));
    EXPECT_LE(memory.peak_bytes, 1.002 * std::min(time.peak_bytes, flops.peak_bytes));
}

INSTANTIATE_TEST_SUITE_P(
    Public, Instance,
    ::testing::Values("bin_batched_matmul_b32_m128_n128_k128", "bin_batched_matmul_b32_m64_n64_k64",
                      "bin_batched_outer_product_compact_j16_k16_o64_t64", "bin_elementwise_mul_2048x2048",
                      "bin_matmul_1024", "bin_matmul_256", "bin_outer_product_4096", "gm_queen5_5_3.wcsp",
                      "lm_batch_likelihood_brackets_4_4d", "lm_batch_likelihood_sentence_4_4d",
                      "nary_matmul_chain_64", "str_matrix_chain_multiplication_100", "str_nw_mera_open_26",
                      "tensornetwork_permutation_light_415"));

}}  // namespace tenferro::tensor_network
