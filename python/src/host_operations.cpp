// One family for elementwise operations, which are rows of a table, and one for each of those that order.
#include "host_operations.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "tenferro/base/error.hpp"
#include "tenferro/base/error_allocator.hpp"
#include "tenferro/base/radix_sort.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/ops/extension_base.hpp"
#include "tenferro/ops/shape_rules.hpp"
#include "watched.hpp"

namespace tenferro::python {

namespace {

constexpr DTypes kIntegers{DType::I32, DType::I64};

/// Operands with their elements in column-major order, where they are or copied.
class Compact {
public:
    Compact(BackendSession& session, std::span<const TensorRead> operands) {
        copies_.reserve(operands.size());
        for (const TensorRead& operand : operands) {
            if (!operand.is_compact()) copies_.push_back(session.to_contiguous_read(operand));
            reads_.push_back(operand.is_compact() ? operand : copies_.back().read());
        }
    }
    [[nodiscard]] const TensorRead& operator[](std::size_t i) const { return reads_[i]; }
    [[nodiscard]] const TensorRead& back() const { return reads_.back(); }

private:
    std::vector<Tensor> copies_;
    std::vector<TensorRead> reads_;
};

/// A new tensor of the extents of `like`, whose elements in column-major order `fill` writes to a T*.
template <class T, class Fill>
std::vector<Tensor> filled_like(BackendSession& session, const TensorRead& like, const Fill& fill) {
    std::vector<Tensor> results;
    results.push_back(session.empty(storage_dtype<T>, like.shape()));
    fill(results.front().write().template data_as<T>());
    return results;
}

/// Where an operation is 0 but for jumps its derivative is; elsewhere it is given, or there is none.
/// First is that of the first operand.
enum class Slope : std::uint8_t { Zero, First, Log2, Log10, None };

struct Row {
    std::string_view name;
    std::size_t operands;
    DTypes dtypes;
    std::optional<DType> result;  ///< the operands' if there is none
    Slope slope;
    std::vector<Tensor> (*compute)(BackendSession&, const Compact& operands);
};

/// f of the elements, on the dtypes among Ts.
template <class F, class... Ts>
std::vector<Tensor> each(BackendSession& session, const Compact& operands) {
    std::vector<Tensor> results;
    const auto of = [&]<class T>(T) {
        if (operands[0].dtype() != storage_dtype<T>) return;
        const T* a = operands[0].data_as<T>();
        const T* b = operands.back().data_as<T>();
        using R = decltype(F()(T(), T()));
        results = filled_like<R>(session, operands[0], [&](R* out) {
            for_each_piece(operands[0].size(), [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i) out[i] = F()(a[i], b[i]);
            });
        });
    };
    (of(Ts()), ...);
    return results;
}

template <class T>
using Unsigned = std::make_unsigned_t<T>;
/// Shifts by as many bits as there are, or more, leave nothing but the sign.
template <class T>
bool is_past(T bits) {
    return bits < 0 || bits >= static_cast<T>(8 * sizeof(T));
}
struct And {
    template <class T>
    T operator()(T a, T b) const {
        return a & b;
    }
};
struct Or {
    template <class T>
    T operator()(T a, T b) const {
        return a | b;
    }
};
struct Xor {
    template <class T>
    T operator()(T a, T b) const {
        return a ^ b;
    }
};
struct Invert {
    template <class T>
    T operator()(T a, T) const {
        return ~a;
    }
};
struct LeftShift {
    template <class T>
    T operator()(T a, T b) const {
        return is_past(b) ? T{} : static_cast<T>(static_cast<Unsigned<T>>(a) << b);
    }
};
struct RightShift {
    template <class T>
    T operator()(T a, T b) const {
        return is_past(b) ? (a < 0 ? T{-1} : T{}) : static_cast<T>(a >> b);
    }
};
struct SignBit {
    template <class T>
    bool operator()(T a, T) const {
        return std::signbit(a);
    }
};
struct Log2 {
    template <class T>
    T operator()(T a, T) const {
        return std::log2(a);
    }
    template <class T>
    std::complex<T> operator()(std::complex<T> a, std::complex<T>) const {
        return std::log(a) / std::log(T{2});
    }
};
struct Log10 {
    template <class T>
    T operator()(T a, T) const {
        return std::log10(a);
    }
    template <class T>
    std::complex<T> operator()(std::complex<T> a, std::complex<T>) const {
        return std::log10(a);
    }
};
struct NextAfter {
    template <class T>
    T operator()(T a, T b) const {
        return std::nextafter(a, b);
    }
};

struct ZeroSigned {  ///< a, where it is 0 with the sign of b
    template <class T>
    T operator()(T a, T b) const {
        return a == 0 ? std::copysign(a, b) : a;
    }
};

template <class F>
constexpr auto integers = each<F, std::int32_t, std::int64_t>;
template <class F>
constexpr auto reals = each<F, float, double>;
template <class F>
constexpr auto floats = each<F, float, double, std::complex<float>, std::complex<double>>;

constexpr Row kRows[] = {
    {"bitwise_and", 2, kIntegers, {}, Slope::Zero, integers<And>},
    {"bitwise_or", 2, kIntegers, {}, Slope::Zero, integers<Or>},
    {"bitwise_xor", 2, kIntegers, {}, Slope::Zero, integers<Xor>},
    {"bitwise_invert", 1, kIntegers, {}, Slope::Zero, integers<Invert>},
    {"bitwise_left_shift", 2, kIntegers, {}, Slope::Zero, integers<LeftShift>},
    {"bitwise_right_shift", 2, kIntegers, {}, Slope::Zero, integers<RightShift>},
    {"signbit", 1, kReal, DType::Bool, Slope::Zero, reals<SignBit>},
    {"zero_signed", 2, kReal, {}, Slope::First, reals<ZeroSigned>},
    {"log2", 1, kFloating, {}, Slope::Log2, floats<Log2>},
    {"log10", 1, kFloating, {}, Slope::Log10, floats<Log10>},
    {"nextafter", 2, kReal, {}, Slope::None, reals<NextAfter>},
};

const Row& row_of(std::string_view name) {
    for (const Row& row : kRows)
        if (row.name == name) return row;
    throw Error(ErrorKind::InvalidArgument, "elementwise", text("there is no operation ", name));
}

class Elementwise final : public ExtensionBase<Elementwise> {
public:
    static constexpr std::string_view kFamilyId = "tenferro-python.elementwise.v1";
    static constexpr std::size_t kOutputs = 1;
    std::string name;
    static constexpr std::tuple kFields{tensor_ops::Field{"name", &Elementwise::name}};

    explicit Elementwise(std::string the_name) : name(std::move(the_name)), row_(&row_of(name)) {}

    [[nodiscard]] std::size_t inputs() const noexcept { return row_->operands; }

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        for (const TensorMeta& operand : in)
            if (!row_->dtypes.contains(operand.dtype) || operand.dtype != in[0].dtype)
                throw Error(ErrorKind::DTypeMismatch, row_->name,
                            text("is not defined for ", info(operand.dtype).name));
        SymShape shape = in.size() == 1 ? in[0].shape : tensor_ops::common_shape(in[0], in[1], row_->name);
        return {{row_->result.value_or(in[0].dtype), std::move(shape)}};
    }

    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override {
        return row_->compute(session, Compact(session, in));
    }

    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs& args) const {
        if (row_->slope == Slope::Zero) return {std::nullopt};
        if (row_->slope == Slope::First) return {args.dx[0]};
        if (row_->slope == Slope::None)
            throw Error(ErrorKind::AdRuleUnsupported, row_->name, "has no derivative");
        return {*args.dx[0] / (args.x[0] * std::log(row_->slope == Slope::Log2 ? 2.0 : 10.0))};
    }

private:
    const Row* row_;
};

class ArgSort final : public ExtensionBase<ArgSort> {
public:
    static constexpr std::string_view kFamilyId = "tenferro-python.argsort.v1";
    static constexpr std::size_t kInputs = 1, kOutputs = 1;
    Index axis;
    bool descending;
    static constexpr std::tuple kFields{tensor_ops::Field{"axis", &ArgSort::axis},
                                        tensor_ops::Field{"descending", &ArgSort::descending}};

    ArgSort(Index the_axis, bool is_descending) : axis(the_axis), descending(is_descending) {}

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        if (!kOrdered.contains(in[0].dtype))
            throw Error(ErrorKind::DTypeMismatch, "argsort", text(info(in[0].dtype).name, " has no order"));
        check_axes(std::span(&axis, 1), in[0].shape.size(), "argsort", "operand");
        return {{DType::I64, in[0].shape}};
    }

    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override {
        const Compact operands(session, in);
        const TensorRead& a = operands[0];
        return filled_like<std::int64_t>(session, a, [&](std::int64_t* places) {
            visit_dtype(a.dtype(), [&]<class T>() {
                if constexpr (kOrdered.contains(storage_dtype<T>)) sort_lines(a, a.data_as<T>(), places);
            });
        });
    }

    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs&) const { return {std::nullopt}; }

private:
    template <class T>
    void sort_lines(const TensorRead& a, const T* values, std::int64_t* places) const {
        const Index extent = a.shape()[static_cast<std::size_t>(axis)];
        Index step = 1;
        for (Index i = 0; i < axis; ++i) step *= a.shape()[static_cast<std::size_t>(i)];
        using Key = decltype(radix_key(T()));
        struct Keyed {
            Key key;
            std::int64_t place;
        };
        const Key turned = descending ? ~Key{0} : Key{0};
        const auto key_of = [](const Keyed& element) { return element.key; };
        constexpr Index kFewestByRadix = 64;
        const bool by_radix = extent >= kFewestByRadix;
        std::vector<Keyed, ErrorAllocator<Keyed>> line(static_cast<std::size_t>(extent));
        std::vector<Keyed, ErrorAllocator<Keyed>> room(by_radix ? line.size() : 0);
        const auto pieces = [extent](std::size_t, const auto& body) { for_each_piece(extent, body); };
        Watch watch;
        for (Index number = 0; extent != 0 && number < a.size() / extent; ++number) {
            const Index first = number / step * step * extent + number % step;
            for_each_piece(extent, [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i)
                    line[static_cast<std::size_t>(i)] = {radix_key(values[first + i * step]) ^ turned, i};
            });
            if (by_radix)
                sort_by_radix(line, room, key_of, pieces);
            else
                std::ranges::stable_sort(line, {}, key_of);
            for_each_piece(extent, [&](Index begin, Index end) {
                for (Index i = begin; i < end; ++i)
                    places[first + i * step] = line[static_cast<std::size_t>(i)].place;
            });
            watch.did(extent);
        }
    }
};

class SearchSorted final : public ExtensionBase<SearchSorted> {
public:
    static constexpr std::string_view kFamilyId = "tenferro-python.searchsorted.v1";
    static constexpr std::size_t kInputs = 2, kOutputs = 1;
    bool right;
    static constexpr std::tuple kFields{tensor_ops::Field{"right", &SearchSorted::right}};

    explicit SearchSorted(bool is_right) : right(is_right) {}

    [[nodiscard]] std::vector<TensorMeta> infer(std::span<const TensorMeta> in) const override {
        if (in[0].shape.size() != 1)
            throw Error(ErrorKind::RankMismatch, "searchsorted",
                        text("the sorted operand has rank ", in[0].shape.size(), " but must have 1"));
        for (const TensorMeta& operand : in)
            if (!kOrdered.contains(operand.dtype) || operand.dtype != in[0].dtype)
                throw Error(ErrorKind::DTypeMismatch, "searchsorted",
                            text(info(operand.dtype).name, " has no order"));
        return {{DType::I64, in[1].shape}};
    }

    [[nodiscard]] std::vector<Tensor> run(BackendSession& session,
                                          std::span<const TensorRead> in) const override {
        const Compact operands(session, in);
        const TensorRead &sorted = operands[0], &wanted = operands[1];
        return filled_like<std::int64_t>(session, wanted, [&](std::int64_t* places) {
            visit_dtype(sorted.dtype(), [&]<class T>() {
                if constexpr (!info(storage_dtype<T>).is_complex) {
                    const T *begin = sorted.data_as<T>(), *end = begin + sorted.size();
                    const T* value = wanted.data_as<T>();
                    for_each_piece(wanted.size(), [&](Index first, Index last) {
                        for (Index i = first; i < last; ++i)
                            places[i] = (right ? std::upper_bound(begin, end, value[i], comes_before<T>)
                                               : std::lower_bound(begin, end, value[i], comes_before<T>)) -
                                        begin;
                    });
                }
            });
        });
    }

    [[nodiscard]] OptionalExprs tangents(const ExtensionTangentArgs&) const { return {std::nullopt}; }
};

template <class Op>
Value applied(Op op, std::initializer_list<Value> inputs) {
    return inputs.begin()->apply(tensor_ops::Extension(std::make_shared<const Op>(std::move(op))), inputs);
}

}  // namespace

void register_host_operations() {
    register_extension<Elementwise>();
    register_extension<ArgSort>();
    register_extension<SearchSorted>();
}

Value host_elementwise(std::string_view name, const Value& a) {
    return applied(Elementwise(std::string(name)), {a});
}
Value host_elementwise(std::string_view name, const Value& a, const Value& b) {
    return applied(Elementwise(std::string(name)), {a, b});
}
Value argsort(const Value& a, Index axis, bool descending) {
    return applied(ArgSort(tensor_ops::from_front(axis, a.rank()), descending), {a});
}
Value search_sorted(const Value& sorted, const Value& values, bool right) {
    return applied(SearchSorted(right), {sorted, values});
}

}  // namespace tenferro::python
