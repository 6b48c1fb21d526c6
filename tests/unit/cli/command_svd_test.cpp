// `tenferro svd` and `tenferro trg`: truncation, files, what is refused; errors against Onsager that fall.
#include <cmath>
#include <limits>

#include "cli/kaufman.hpp"
#include "cli/onsager.hpp"
#include "unit/cli/command.hpp"

namespace tenferro::cli { namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

TEST_F(Command, SvdDecomposesByAxes) {
    // A[i, j, k] of shape 2 x 3 x 2 with rows (k, i): values that are singular values times unit vectors.
    save("t.npy", {3, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0}, {2, 3, 2});  // A[0,0,0] = 3, A[1,1,1] = 2
    const auto report = run_json("svd " + file("t.npy") + " --left 2,0 --right 1");
    EXPECT_EQ(report["singular_values"], 3);
    EXPECT_EQ(report["kept"], 3);
    EXPECT_EQ(report["u"]["shape"], (std::vector<int>{2, 2, 3}));
    EXPECT_EQ(report["vt"]["shape"], (std::vector<int>{3, 3}));
    EXPECT_NEAR(report["s"]["values"][0].get<double>(), 3, 10 * kEps);
    EXPECT_NEAR(report["s"]["values"][1].get<double>(), 2, 10 * kEps);
    EXPECT_NEAR(std::abs(report["u"]["values"][1][1][1].get<double>()), 1, 10 * kEps);
    const auto cut = run_json("svd " + file("t.npy") + " --left 2,0 --cutoff 1e-12 --threads 1");
    EXPECT_EQ(cut["kept"], 2);
    const auto one = run_json("svd " + file("t.npy") + " --left 2,0 --max-rank 1 --cutoff 1e-12");
    EXPECT_EQ(one["kept"], 1);
    EXPECT_NEAR(one["discarded_norm"].get<double>(), 2, 10 * kEps);
    EXPECT_EQ(run_json("svd " + file("t.npy") + " --left '' --max-rank 8")["u"]["shape"],
              (std::vector<int>{1}));
}

TEST_F(Command, SvdWritesAllFilesOrNone) {
    const std::string arguments = "svd " + file("a.npy") + " --left 0 --max-rank 1 -o ";
    const auto report = run_json(arguments + file("out"));
    EXPECT_EQ(report["u"]["output"], file("out_u.npy"));
    EXPECT_FALSE(report["s"].contains("values"));
    const Tensor u = load_npy(file("out_u.npy")), s = load_npy(file("out_s.npy")),
                 vt = load_npy(file("out_vt.npy"));
    EXPECT_EQ(u.shape(), (Dims{2, 1}));
    EXPECT_EQ(s.shape(), (Dims{1}));
    EXPECT_EQ(vt.shape(), (Dims{1, 2}));
    // The squares of the singular values of [[1, 2], [3, 4]] add up to 30, their product is 2.
    EXPECT_NEAR(s(0) * s(0) + 4 / (s(0) * s(0)), 30, 100 * kEps * 30);
    const std::size_t files = folder_.file_names().size();
    expect_failure(arguments + file("nowhere/out"), 1, "cannot be written");
    EXPECT_EQ(folder_.file_names().size(), files);
    std::filesystem::create_directory(file("other_vt.npy"));  // the last one cannot be
    expect_failure(arguments + file("other"), 1, "other_vt.npy");
    EXPECT_EQ(folder_.file_names().size(), files + 1);
}

TEST_F(Command, SvdRefusesWhatIsNoMatrix) {
    const std::string svd = "svd " + file("a.npy") + " ";
    expect_failure(svd, 2, "--left");
    expect_failure(svd + "--left 0,x", 2, "is '0,x' but must be a list of axes");
    expect_failure(svd + "--left 0 --cutoff nan", 2, "is 'nan' but must be a number");
    expect_failure(svd + "--left 0 --max-rank -1", 2, "is '-1' but must be a whole number");
    expect_failure(svd + "--left 2", 1, "svd: left[0] is axis 2 but the tensor has 2 axes");
    expect_failure(svd + "--left 0,0", 1, "svd: left[1] is axis 0, which left has already");
    expect_failure(svd + "--left 0 --right 0", 1, "svd: right[0] is axis 0, which left has already");
    expect_failure("svd " + file("v.npy") + " --left '' --right ''", 1,
                   "svd: axis 0 of the tensor is neither in left nor in right");
    save("nan.npy", {1, std::nan(""), 2, 3}, {2, 2});
    expect_failure("svd " + file("nan.npy") + " --left 0 -o " + file("out"), 1, "element [1, 0] is nan");
    save_npy(folder_.path() / "i.npy", Tensor::zeros(DType::I64, Dims{2, 2}));
    expect_failure("svd " + file("i.npy") + " --left 0", 1, "i64");
}

TEST(Onsager, IsTheLimitOfKaufman) {
    for (const long double coupling : {0.2L, 0.4L, 0.43L, 0.5L, 0.9L}) {
        const InfiniteIsing infinite = onsager(coupling);
        const int size = coupling == 0.43L ? 2000 : 300;
        const IsingExact torus = kaufman(size, size, coupling);
        const long double sites = static_cast<long double>(size) * size;
        // Below the critical temperature the torus has the states of both signs.
        const long double states = coupling > critical_coupling() ? std::log(2.0L) : 0.0L;
        EXPECT_NEAR(static_cast<double>((torus.log_z - states) / sites),
                    static_cast<double>(infinite.log_z_per_site), 1e-12)
            << static_cast<double>(coupling);
        EXPECT_NEAR(static_cast<double>(-torus.log_z_derivative / sites),
                    static_cast<double>(infinite.energy_per_site), 1e-12)
            << static_cast<double>(coupling);
    }
    EXPECT_NEAR(static_cast<double>(onsager(critical_coupling()).energy_per_site), -std::sqrt(2.0), 1e-15);
    // Catalan's constant G: ln Z / N = ln(2) / 2 + 2 G / pi at the critical point.
    EXPECT_NEAR(static_cast<double>(onsager(critical_coupling()).log_z_per_site),
                std::log(2.0) / 2 + 2 * 0.915965594177219015 / std::acos(-1.0), 2 * kEps);
}

TEST_F(Command, TrgComesCloserWithRank) {
    const auto report = run_json("trg --temperature 2 --ranks 2,4,8 --steps 24");
    ASSERT_EQ(report["rows"].size(), 3U);
    for (const char* key : {"log_z_per_site", "energy_per_site"}) {
        const auto error = [&](int row) { return report["rows"][row][key]["relative_error"].get<double>(); };
        EXPECT_LT(error(1), error(0)) << key;
        EXPECT_LT(error(2), error(1) / 10) << key;
    }
    EXPECT_LT(report["rows"][2]["log_z_per_site"]["relative_error"].get<double>(), 1e-5);
    const Result text = run("trg --temperature 4 --ranks 2,3 --steps 8 --svg " + file("trg.svg"));
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("energy/N rrule"), std::string::npos) << text.out;
    EXPECT_TRUE(std::filesystem::exists(file("trg.svg")));
    expect_failure("trg --ranks 1", 2, "--ranks");
    for (const std::string temperature : {"0", "50.1", "nan", "inf", "1x", "''"})
        expect_failure("trg --steps 1 --ranks 2 --temperature " + temperature, 2,
                       "--temperature: is '" + (temperature == "''" ? "" : temperature) +
                           "' but must be a number from 0.5 to 50");
    expect_failure("trg --steps 0", 2, "--steps");
}

}}  // namespace tenferro::cli
