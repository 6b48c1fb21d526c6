// Tensors of the RAII layer: elements in and out, who owns what, memory that is shared and not copied.
#include "support.hpp"

template <class T>
class RaiiTensor : public ::testing::Test {};
TYPED_TEST_SUITE(RaiiTensor, ElementTypes);

TYPED_TEST(RaiiTensor, HasTheElementsItIsMadeOf) {
    using T = TypeParam;
    const tfe::Tensor<T> a({1, 2, 3, 4, 5, 6}, {2, 3});
    EXPECT_EQ(a.shape(), (tfe::Shape{2, 3}));
    EXPECT_EQ(a.strides(), (std::vector<std::int64_t>{1, 2}));
    EXPECT_EQ(a.ndim(), 2u);
    EXPECT_EQ(a.size(), 6u);
    EXPECT_EQ(elements(a), (std::vector<T>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(a.row_major(), (std::vector<T>{1, 3, 5, 2, 4, 6}));
    EXPECT_EQ(elements(tfe::Tensor<T>::from_row_major({1, 2, 3, 4, 5, 6}, {2, 3})),
              (std::vector<T>{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ(elements(tfe::Tensor<T>::zeros({2})), (std::vector<T>{0, 0}));
    EXPECT_EQ(tfe::Tensor<T>({7}, {}).item(), T(7));
    EXPECT_EQ(tfe::Tensor<T>({}, {0, 2}).data(), nullptr);
}

TYPED_TEST(RaiiTensor, MovesAndClones) {
    using T = TypeParam;
    static_assert(!std::is_copy_constructible_v<tfe::Tensor<T>>);
    static_assert(std::is_nothrow_move_constructible_v<tfe::Tensor<T>>);
    tfe::Tensor<T> a({1, 2}, {2});
    const tfe::Tensor<T> copy = a.clone();
    const auto* handle = a.handle();
    tfe::Tensor<T> b = std::move(a);
    EXPECT_FALSE(a);
    EXPECT_EQ(b.handle(), handle);
    EXPECT_NE(copy.handle(), handle);
    tfe::Tensor<T> c({3}, {1});
    auto* replaced = c.handle();
    c = std::move(b);
    EXPECT_FALSE(b);
    EXPECT_FALSE(tfe::Tensor<T>(replaced)) << "what assignment replaces is released";
    auto& same = c;
    c = std::move(same);
    EXPECT_EQ(elements(c), (std::vector<T>{1, 2}));
    EXPECT_EQ(elements(copy), (std::vector<T>{1, 2}));
    auto* given_away = c.release();
    EXPECT_FALSE(c);
    EXPECT_TRUE(tfe::Tensor<T>(given_away));
    EXPECT_FALSE(tfe::Tensor<T>(given_away)) << "the owner released it";
}

TYPED_TEST(RaiiTensor, ViewsMemoryOfTheCaller) {
    using T = TypeParam;
    const auto owner = std::make_shared<std::vector<T>>(std::vector<T>{1, 2, 3, 4, 5, 6});
    {
        auto view = tfe::Tensor<T>::view(owner->data(), {2, 3}, {}, owner);
        EXPECT_EQ(view.data(), owner->data());
        EXPECT_EQ(owner.use_count(), 2);
        EXPECT_EQ(elements(tfe::einsum("ij->ji", view)), (std::vector<T>{1, 3, 5, 2, 4, 6}));
        const auto memory = std::move(view).memory();
        EXPECT_TRUE(memory.read_only());
        EXPECT_EQ(memory.data(), owner->data());
    }
    EXPECT_EQ(owner.use_count(), 1);
    const auto rows = tfe::Tensor<T>::view(owner->data(), {2, 3}, {3, 1});
    EXPECT_EQ(rows.strides(), (std::vector<std::int64_t>{3, 1}));
    EXPECT_EQ(elements(rows), (std::vector<T>{1, 4, 2, 5, 3, 6}));
    const auto backwards = tfe::Tensor<T>::view(owner->data() + 5, {6}, {-1});
    EXPECT_EQ(elements(backwards), (std::vector<T>{6, 5, 4, 3, 2, 1}));
}

TYPED_TEST(RaiiTensor, AdoptsAVectorAndGivesMemoryAway) {
    using T = TypeParam;
    std::vector<T> values{1, 2, 3, 4, 5, 6};
    const T* address = values.data();
    auto tensor = tfe::Tensor<T>::adopt(std::move(values), {3, 2});
    EXPECT_EQ(tensor.data(), address);
    auto memory = std::move(tensor).memory();
    EXPECT_FALSE(tensor);
    EXPECT_EQ(memory.data(), address);
    EXPECT_EQ(memory.shape(), (tfe::Shape{3, 2}));
    EXPECT_EQ(memory.strides(), (std::vector<std::int64_t>{1, 3}));
    ASSERT_FALSE(memory.read_only());
    memory.data()[0] = T(9);
    const auto back = tfe::Tensor<T>::from_dlpack(memory.release());
    EXPECT_EQ(back.data(), address);
    EXPECT_EQ(elements(back), (std::vector<T>{9, 2, 3, 4, 5, 6}));
}

TYPED_TEST(RaiiTensor, RefusesWhatIsEmptyOrDoesNotFit) {
    using T = TypeParam;
    const tfe::Tensor<T> empty;
    EXPECT_FALSE(empty);
    expect_error([&] { (void)empty.shape(); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_NULL_POINTER, "is empty");
    expect_error([&] { (void)empty.data(); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_NULL_POINTER, "is empty");
    expect_error([&] { (void)empty.clone(); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_NULL_POINTER, "NULL");
    expect_error([] { tfe::Tensor<T>({1, 2}, {3}); }, TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, "3");
    expect_error(
        [] {
            tfe::Tensor<T>::adopt({1, 2}, {3});
        },
        TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, "adopt: the shape has 3 elements, the vector 2");
    const T value(1);
    expect_error(
        [&] {
            tfe::Tensor<T>::view(&value, {1}, {1, 1});
        },
        TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, "view: 2 strides for 1 axes");
    expect_error(
        [] {
            (void)tfe::Tensor<T>({1, 2}, {2}).item();
        },
        TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, "item: the tensor has 2 elements");
    tfe::Tensor<T> dead({1}, {1});
    tfe::Tensor<T> other_owner(dead.handle());
    other_owner = tfe::Tensor<T>();
    expect_error([&] { (void)dead.size(); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_DEAD_HANDLE, "was released");
}

TEST(RaiiTensorComplex, Conjugates) {
    using T = std::complex<double>;
    EXPECT_EQ(elements(tfe::Tensor<T>({{1, 2}}, {1}).conj()), (std::vector<T>{{1, -2}}));
    EXPECT_EQ(elements(tfe::Tensor<float>({3}, {1}).conj()), (std::vector<float>{3}));
}

TEST(RaiiSettings, ThreadsAndVersion) {
    const std::int32_t before = tfe::num_threads();
    tfe::set_num_threads(1);
    EXPECT_EQ(tfe::num_threads(), 1);
    tfe::set_num_threads(before);
    expect_error([] { tfe::set_num_threads(0); }, TFE_INVALID_ARGUMENT, TFE_DETAIL_INVALID_VALUE, "0");
    const tfe::Version version = tfe::version();
    EXPECT_EQ(tfe::version_string(), std::to_string(version.major) + "." + std::to_string(version.minor) +
                                         "." + std::to_string(version.patch));
}
