// Operands of a dtype known at run time, in memory of our own or lent by DLPack.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <optional>

#include "conformance/samples.hpp"
#include "support/dlpack_lender.hpp"

namespace tenferro::conformance {

namespace {

/// Replaces about every fourth element.
template <class T>
void make_special(Draw& draw, const TensorWrite& view) {
    using Limits = std::numeric_limits<T>;
    const auto special = [&]() -> T {
        if constexpr (std::is_floating_point_v<T>) {
            const T values[] = {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(), -T{0}};
            return values[draw.integer(0, 3)];
        } else {
            const T values[] = {Limits::min(), Limits::max()};
            return values[draw.integer(0, 1)];
        }
    };
    test::for_each_index(view.shape(), [&](const Dims& i) {
        if (draw.integer(0, 3) == 0) test::element<T>(view, i) = special();
    });
}

}  // namespace

class Operand::Memory {
public:
    virtual ~Memory() = default;
    [[nodiscard]] virtual const TensorRead& view() const = 0;
    /// The lent tensor, or null.
    [[nodiscard]] virtual const Tensor* lent() const = 0;
};

template <class T>
class Operand::MemoryOf : public Operand::Memory {
public:
    MemoryOf(Draw& draw, const Dims& shape, const FunctionRef<void(const TensorWrite&)>* fill)
        : sample_(draw, shape, draw.operands().repeats) {
        if (fill != nullptr)
            (*fill)(sample_.view());
        else if (draw.operands().special)
            fill_special(draw);
        if (draw.operands().lent) lend();
    }
    ~MemoryOf() override {
        if (!tensor_) return;
        tensor_.reset();
        EXPECT_EQ(lender_->deleted, 1);
        EXPECT_EQ(sample_.storage(), before_) << "lent memory was written";
    }
    [[nodiscard]] const TensorRead& view() const override {
        return tensor_ ? tensor_->read() : sample_.view();
    }
    [[nodiscard]] const Tensor* lent() const override { return tensor_ ? &*tensor_ : nullptr; }

private:
    void fill_special(Draw& draw) {
        if constexpr (std::is_same_v<T, bool>) return;
        if constexpr (info(storage_dtype<T>).is_complex) {
            using Real = typename T::value_type;
            Dims shape = sample_.view().shape(), strides = sample_.view().strides();
            for (Index& stride : strides) stride *= 2;
            shape.push_back(2);
            strides.push_back(1);
            make_special<Real>(draw, TensorWrite(storage_dtype<Real>, sample_.view().data(), shape, strides));
        } else {
            make_special<T>(draw, sample_.view());
        }
    }

    /// The struct gives the origin as a byte offset; the import must use that memory itself.
    void lend() {
        before_ = sample_.storage();
        lender_.emplace(sample_.view());
        auto* base = const_cast<char*>(sample_.storage().data());
        DLTensor& tensor = lender_->managed.dl_tensor;
        tensor.byte_offset = static_cast<std::uint64_t>(static_cast<const char*>(tensor.data) - base);
        tensor.data = base;
        lender_->managed.flags = dlpack::kReadOnly;
        tensor_ = from_dlpack(&lender_->managed);
        // Foreign bools may be any byte, so they are copied.
        const bool copied = tensor_->dtype() == DType::Bool;
        EXPECT_TRUE(copied || tensor_->size() == 0 || tensor_->data() == sample_.view().data())
            << "lent memory was copied";
    }

    test::StridedSample<T> sample_;
    std::vector<char> before_;
    std::optional<test::Lender> lender_;
    std::optional<Tensor> tensor_;
};

Operand::Operand(Draw& draw, DType dtype, const Dims& shape) {
    visit_dtype(dtype, [&]<class T> { memory_ = std::make_shared<MemoryOf<T>>(draw, shape, nullptr); });
    draw.keep(memory_);
}
Operand::Operand(Draw& draw, DType dtype, const Dims& shape, FunctionRef<void(const TensorWrite&)> fill) {
    visit_dtype(dtype, [&]<class T> { memory_ = std::make_shared<MemoryOf<T>>(draw, shape, &fill); });
    draw.keep(memory_);
}

const TensorRead& Operand::view() const { return memory_->view(); }

Tensor Operand::owned(BackendSession& session) const {
    const Tensor* lent = memory_->lent();
    return lent != nullptr ? lent->share() : session.to_contiguous_read(view());
}

}  // namespace tenferro::conformance
