// Values as text: its form, tensors without elements whatever their extents, and more axes than a stack holds
// calls.
#include "cli/tensor_text.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

#include <vector>

#include "support/expect_error.hpp"

namespace tenferro::cli { namespace {

TEST(TensorText, NestsBrackets) {
    const std::vector<double> values{1, 2, 3, 4, 5, 6, 7, 8};
    const Tensor cube = Tensor::from_data<double>(values, Dims{2, 2, 2});
    EXPECT_EQ(values_text(cube), "[[[1, 5],\n  [3, 7]],\n [[2, 6],\n  [4, 8]]]");
    EXPECT_EQ(values_text(Tensor::from_data<double>(std::vector<double>{1, 2}, Dims{2})), "[1, 2]");
    EXPECT_EQ(values_text(Tensor::from_data<double>(std::vector<double>{1.5}, Dims{})), "1.5");
}

TEST(TensorText, NothingIsShort) {
    constexpr Index kHuge = Index{1} << 62;
    for (const Dims& shape : {Dims{kHuge, kHuge, 0}, Dims{0, kHuge}, Dims{3, 0, 2}, Dims{0}}) {
        const Tensor nothing = Tensor::from_data<double>(std::vector<double>{}, shape);
        EXPECT_EQ(values_text(nothing), "[]");
        EXPECT_EQ(values_json(nothing).dump("test"), "[]");
    }
}

TEST(TensorText, AnyRankOnASmallStack) {
    constexpr std::size_t kRank = 30000;
    const Tensor deep = Tensor::from_data<double>(std::vector<double>{7}, Dims(kRank, 1));
    std::pair<const Tensor*, std::string> made{&deep, ""};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, std::size_t{256} << 10);
    pthread_t thread{};
    const auto body = [](void* argument) -> void* {
        auto& [tensor, text] = *static_cast<std::pair<const Tensor*, std::string>*>(argument);
        text = values_text(*tensor);
        return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, body, &made), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
    EXPECT_EQ(made.second, std::string(kRank, '[') + "7" + std::string(kRank, ']'));
    EXPECT_ERROR((void)values_json(deep), Unsupported, "rank 30000");
}

}}  // namespace tenferro::cli
