// `tenferro grad`: gradients of einsums of files, in numbers that are exact, and files that appear together
// or not at all.
#include <complex>

#include "unit/cli/command.hpp"

namespace tenferro::cli { namespace {

TEST_F(Command, GradPullsOnesBack) {
    const std::string arguments = "grad 'ij,jk->ik' " + file("a.npy") + " " + file("b.npy");
    const auto report = run_json(arguments);
    EXPECT_EQ(report["value"]["values"], nlohmann::json::parse("[[19.0, 22.0], [43.0, 50.0]]"));
    EXPECT_EQ(report["gradients"][0]["values"], nlohmann::json::parse("[[11.0, 15.0], [11.0, 15.0]]"));
    EXPECT_EQ(report["gradients"][1]["values"], nlohmann::json::parse("[[4.0, 4.0], [6.0, 6.0]]"));
    EXPECT_NE(run(arguments).out.find("gradient 1: shape 2 x 2, dtype f64\n[[4, 4],\n [6, 6]]\n"),
              std::string::npos);
}

TEST_F(Command, GradWeighsWithACotangent) {
    save("c.npy", {1, 10}, {2});
    const auto report =
        run_json("grad ij " + file("a.npy") + " --cotangent " + file("b.npy") + " --threads 2");
    EXPECT_EQ(report["gradients"][0]["values"], nlohmann::json::parse("[[5.0, 6.0], [7.0, 8.0]]"));
    EXPECT_EQ(
        run_json("grad 'ij->j' " + file("a.npy") + " --cotangent " + file("c.npy"))["gradients"][0]["values"],
        nlohmann::json::parse("[[1.0, 10.0], [1.0, 10.0]]"));
    // Complex partners enter conjugated.
    const std::vector<std::complex<double>> z{{1, 2}};
    save_npy(folder_.path() / "z.npy", Tensor::from_data<std::complex<double>>(z, Dims{1}));
    EXPECT_EQ(run_json("grad 'i,i->' " + file("z.npy") + " " + file("z.npy"))["gradients"][0]["values"],
              nlohmann::json::parse("[[1.0, -2.0]]"));
}

TEST_F(Command, GradWritesAllFilesOrNone) {
    const std::string arguments = "grad 'ij,jk->ik' " + file("a.npy") + " " + file("b.npy");
    const auto report = run_json(arguments + " -o " + file("out"));
    EXPECT_EQ(report["value"]["output"], file("out_value.npy"));
    EXPECT_EQ(report["gradients"][1]["output"], file("out_grad1.npy"));
    EXPECT_FALSE(report["gradients"][1].contains("values"));
    EXPECT_EQ(load_npy(file("out_value.npy")).data_as<double>()[1], 43);
    EXPECT_EQ(load_npy(file("out_grad0.npy")).data_as<double>()[2], 15);
    EXPECT_EQ(run(arguments + " -o " + file("out")).out, "");
    const std::size_t files = folder_.file_names().size();
    expect_failure(arguments + " -o " + file("nowhere/out"), 1, "cannot be written");
    EXPECT_EQ(folder_.file_names().size(), files);
    std::filesystem::create_directory(file("other_grad1.npy"));  // the last one cannot be
    expect_failure(arguments + " -o " + file("other"), 1, "other_grad1.npy");
    EXPECT_EQ(folder_.file_names().size(), files + 1);
}

TEST_F(Command, GradRefusesWhatHasNoGradient) {
    save_npy(folder_.path() / "i.npy", Tensor::zeros(DType::I64, Dims{2, 2}));
    const std::string a = file("a.npy");
    expect_failure("grad ij " + file("i.npy"), 1,
                   "grad: the operands have dtype i64 but only floating-point and complex tensors");
    expect_failure("grad 'ij->i' " + a + " --cotangent " + a, 1,
                   "cotangent has shape [2, 2] but the result has shape [2]");
    expect_failure("grad ij " + a + " --cotangent " + file("f32.npy"), 1, "has dtype f64 but");
    expect_failure("grad ij - --cotangent -", 1, "standard input");
    expect_failure("grad ij", 2, "required");
    save("long.npy", std::vector<double>(2000, 0), {2000});
    expect_failure("grad 'i,j->ij' " + file("long.npy") + " " + file("long.npy") + " --json", 1,
                   "the value has 4000000 elements but at most 1048576 are printed as JSON");
}

}}  // namespace tenferro::cli
