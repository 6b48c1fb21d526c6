// The C API (tenferro.h) for C++17 and later, header-only: handles as move-only classes, failures as
// exceptions, memory of the caller without copies, in and out. Needs tenferro.h and the shared library, whose
// C ABI stays compatible, and nothing of the C++ API. What shapes, layouts and values mean says tenferro.h;
// here is only what differs. Everything but Tensor::view copies or owns what it is given.
//
// Element types T are float, double, std::complex<float> and std::complex<double>. Every function throws
// tfe::Error where its C function has a status, and where a tensor or plan is empty: default-constructed or
// moved from. Objects may be used from several threads as handles may; moving one is like assigning a
// pointer.
#ifndef TENFERRO_RAII_HPP
#define TENFERRO_RAII_HPP

#include <tenferro.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tfe {

using Shape = std::vector<std::size_t>;

// The message is that of tfe_last_error_message.
class Error : public std::runtime_error {
public:
    Error(tfe_status_t status, tfe_error_detail_t detail, const std::string& message)
        : std::runtime_error(message), status_(status), detail_(detail) {}

    tfe_status_t status() const noexcept { return status_; }        // TFE_INVALID_ARGUMENT, ...
    tfe_error_detail_t detail() const noexcept { return detail_; }  // TFE_DETAIL_SHAPE, ...

private:
    tfe_status_t status_;
    tfe_error_detail_t detail_;
};

// While it lives, the callback is asked as tfe_set_progress says, for calls of the thread that made it; the
// call fails with TFE_DETAIL_CANCELLED where it returns false, and throws what the callback throws. Watches
// may nest, the innermost counts; each is destroyed on its thread, in reverse order.
class Watch {
public:
    using Callback = std::function<bool(const tfe_progress&)>;

    explicit Watch(Callback callback) : callback_(std::move(callback)), outer_(innermost()) { install(this); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() { install(outer_); }

    // Throws what the callback of this thread threw, once.
    static void rethrow() {
        if (Watch* watch = innermost(); watch != nullptr && watch->thrown_) {
            std::rethrow_exception(std::exchange(watch->thrown_, nullptr));
        }
    }

private:
    static Watch*& innermost() {
        static thread_local Watch* watch = nullptr;
        return watch;
    }

    static void install(Watch* watch) {
        innermost() = watch;
        tfe_set_progress(watch != nullptr ? &ask : nullptr, watch);
    }

    static std::int32_t ask(const tfe_progress* progress, void* user) noexcept {
        Watch& watch = *static_cast<Watch*>(user);
        try {
            return watch.callback_(*progress) ? 0 : 1;
        } catch (...) {
            watch.thrown_ = std::current_exception();
            return 1;
        }
    }

    Callback callback_;
    Watch* outer_;
    std::exception_ptr thrown_;
};

namespace detail {

inline std::string last_message() {
    std::size_t length = 0;
    tfe_last_error_message(nullptr, 0, &length);
    std::vector<std::uint8_t> text(length);
    tfe_last_error_message(text.data(), text.size(), &length);
    return std::string(text.begin(), text.empty() ? text.end() : text.end() - 1);
}

[[noreturn]] inline void fail(tfe_status_t status) {
    const tfe_error_detail_t kind = tfe_last_error_detail();
    if (kind == TFE_DETAIL_CANCELLED) Watch::rethrow();
    throw Error(status, kind, last_message());
}

[[noreturn]] inline void fail_shape(const std::string& message) {
    throw Error(TFE_SHAPE_MISMATCH, TFE_DETAIL_SHAPE, message);
}

// function(arguments..., &status), with the status checked.
template <class Function, class... Arguments>
auto call(Function function, Arguments... arguments) {
    tfe_status_t status = TFE_SUCCESS;
    if constexpr (std::is_void_v<decltype(function(arguments..., &status))>) {
        function(arguments..., &status);
        if (status != TFE_SUCCESS) fail(status);
    } else {
        const auto result = function(arguments..., &status);
        if (status != TFE_SUCCESS) fail(status);
        return result;
    }
}

// The functions of one element type, `type_code` and `bits` as in DLPack.
template <class T>
struct Api;

#define TFE_RAII_DERIVATIVES(name, suffix)                                       \
    static constexpr auto name##_vjp = &tfe_##name##_vjp_##suffix;               \
    static constexpr auto name##_jvp = &tfe_##name##_jvp_##suffix;               \
    static constexpr auto name##_vjp_scaled = &tfe_##name##_vjp_scaled_##suffix; \
    static constexpr auto name##_jvp_scaled = &tfe_##name##_jvp_scaled_##suffix

#define TFE_RAII_MATRIX(name, suffix)                              \
    static constexpr auto name = &tfe_##name##_##suffix;           \
    static constexpr auto name##_vjp = &tfe_##name##_vjp_##suffix; \
    static constexpr auto name##_jvp = &tfe_##name##_jvp_##suffix

#define TFE_RAII_TENSOR(name, suffix) static constexpr auto name = &tfe_tensor_##suffix##_##name

#define TFE_RAII_API(T, suffix, scalar, real, type_code, type_bits)                          \
    template <>                                                                              \
    struct Api<T> {                                                                          \
        using Handle = tfe_tensor_##suffix;                                                  \
        using Scalar = scalar;                                                               \
        using Real = real;                                                                   \
        static constexpr std::uint8_t code = type_code, bits = type_bits;                    \
        TFE_RAII_TENSOR(from_data, suffix);                                                  \
        TFE_RAII_TENSOR(from_row_major_data, suffix);                                        \
        TFE_RAII_TENSOR(zeros, suffix);                                                      \
        TFE_RAII_TENSOR(clone, suffix);                                                      \
        TFE_RAII_TENSOR(conj, suffix);                                                       \
        TFE_RAII_TENSOR(copy_row_major, suffix);                                             \
        TFE_RAII_TENSOR(release, suffix);                                                    \
        TFE_RAII_TENSOR(is_assigned, suffix);                                                \
        TFE_RAII_TENSOR(ndim, suffix);                                                       \
        TFE_RAII_TENSOR(shape, suffix);                                                      \
        TFE_RAII_TENSOR(strides, suffix);                                                    \
        TFE_RAII_TENSOR(len, suffix);                                                        \
        TFE_RAII_TENSOR(data, suffix);                                                       \
        TFE_RAII_TENSOR(to_dlpack, suffix);                                                  \
        TFE_RAII_TENSOR(from_dlpack, suffix);                                                \
        static constexpr auto einsum = &tfe_einsum_##suffix;                                 \
        static constexpr auto einsum_scaled = &tfe_einsum_scaled_##suffix;                   \
        static constexpr auto einsum_plan_run = &tfe_einsum_plan_run_##suffix;               \
        static constexpr auto einsum_plan_run_scaled = &tfe_einsum_plan_run_scaled_##suffix; \
        TFE_RAII_DERIVATIVES(einsum, suffix);                                                \
        TFE_RAII_DERIVATIVES(einsum_plan, suffix);                                           \
        TFE_RAII_MATRIX(svd, suffix);                                                        \
        TFE_RAII_MATRIX(qr, suffix);                                                         \
        TFE_RAII_MATRIX(eigh, suffix);                                                       \
        TFE_RAII_MATRIX(eig, suffix);                                                        \
        TFE_RAII_MATRIX(lu, suffix);                                                         \
        TFE_RAII_MATRIX(cholesky, suffix);                                                   \
        TFE_RAII_MATRIX(solve, suffix);                                                      \
    }

TFE_RAII_API(float, f32, float, float, 2, 32);
TFE_RAII_API(double, f64, double, double, 2, 64);
TFE_RAII_API(std::complex<float>, c32, float, float, 5, 64);
TFE_RAII_API(std::complex<double>, c64, double, double, 5, 128);

#undef TFE_RAII_API
#undef TFE_RAII_TENSOR
#undef TFE_RAII_MATRIX
#undef TFE_RAII_DERIVATIVES

// DLManagedTensorVersioned of DLPack 1.x, under a name of our own so that dlpack.h may be included too.
struct Managed {
    std::uint32_t major, minor;
    void* context;
    void (*deleter)(Managed* self);
    std::uint64_t flags;
    void* data;
    std::int32_t device_type, device_id;
    std::int32_t ndim;
    std::uint8_t type_code, type_bits;
    std::uint16_t type_lanes;
    std::int64_t* shape;
    std::int64_t* strides;
    std::uint64_t byte_offset;
};
constexpr std::uint64_t kReadOnly = 1;

// Memory of the caller on its way into the library: lives until the deleter is called.
struct Lent {
    Managed managed{};
    std::vector<std::int64_t> shape, strides;
    std::shared_ptr<const void> owner;

    static void remove(Managed* self) { delete static_cast<Lent*>(self->context); }
};

template <class T>
struct Same {
    using Type = T;
};
// A parameter that takes its element type from the others.
template <class T>
using same = typename Same<T>::Type;

}  // namespace detail

template <class T>
using Real = typename detail::Api<T>::Real;
template <class T>
using Complex = std::complex<Real<T>>;

// The memory of a tensor that has left the library, as Tensor::memory gives it away: `data()` may be written
// unless `read_only()`. Strides are in elements.
template <class T>
class Memory {
public:
    explicit Memory(DLManagedTensorVersioned* managed)
        : managed_(reinterpret_cast<detail::Managed*>(managed)) {}

    T* data() const noexcept { return static_cast<T*>(managed_->data); }
    Shape shape() const { return Shape(managed_->shape, managed_->shape + managed_->ndim); }
    std::vector<std::int64_t> strides() const {
        return std::vector<std::int64_t>(managed_->strides, managed_->strides + managed_->ndim);
    }
    bool read_only() const noexcept { return (managed_->flags & detail::kReadOnly) != 0; }

    // The struct for a consumer of DLPack, which calls its deleter; this object is empty then.
    DLManagedTensorVersioned* release() noexcept {
        return reinterpret_cast<DLManagedTensorVersioned*>(managed_.release());
    }

private:
    struct Delete {
        void operator()(detail::Managed* managed) const noexcept {
            if (managed->deleter != nullptr) managed->deleter(managed);
        }
    };
    std::unique_ptr<detail::Managed, Delete> managed_;
};

// A dense column-major tensor. Move-only; clone() copies.
template <class T>
class Tensor {
    using Api = detail::Api<T>;

public:
    using Handle = typename Api::Handle;
    using Scalar = typename Api::Scalar;
    using value_type = T;

    // Empty: no tensor. Stands for zero among cotangents and tangents.
    Tensor() noexcept = default;

    // Owns a handle from the C API.
    explicit Tensor(Handle* handle) noexcept : handle_(handle) {}

    // Copies of the elements, column-major.
    Tensor(const T* elements, std::size_t count, const Shape& shape)
        : handle_(detail::call(Api::from_data, scalars(elements), count, shape.data(), shape.size())) {}
    Tensor(const std::vector<T>& elements, const Shape& shape)
        : Tensor(elements.data(), elements.size(), shape) {}

    Tensor(Tensor&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Tensor& operator=(Tensor&& other) noexcept {
        Tensor taken(std::move(other));
        std::swap(handle_, taken.handle_);
        return *this;
    }
    ~Tensor() {
        if (handle_ != nullptr) Api::release(handle_);
    }

    static Tensor from_row_major(const T* elements, std::size_t count, const Shape& shape) {
        return Tensor(
            detail::call(Api::from_row_major_data, scalars(elements), count, shape.data(), shape.size()));
    }
    static Tensor from_row_major(const std::vector<T>& elements, const Shape& shape) {
        return from_row_major(elements.data(), elements.size(), shape);
    }
    static Tensor zeros(const Shape& shape) {
        return Tensor(detail::call(Api::zeros, shape.data(), shape.size()));
    }

    // The caller's memory itself, never written. It must outlive the tensor and what shares its memory, and
    // not change while a function runs, for which `owner` may care: it is kept as long. Strides are in
    // elements, any sign; none: compact column-major.
    static Tensor view(const T* elements, const Shape& shape, std::vector<std::int64_t> strides = {},
                       std::shared_ptr<const void> owner = nullptr) {
        return lent(const_cast<T*>(elements), shape, std::move(strides), std::move(owner), detail::kReadOnly);
    }

    // The vector's memory, which the tensor owns from then on.
    static Tensor adopt(std::vector<T>&& elements, const Shape& shape) {
        std::size_t count = 1;
        for (const std::size_t extent : shape) count *= extent;
        if (count != elements.size()) {
            detail::fail_shape("adopt: the shape has " + std::to_string(count) + " elements, the vector " +
                               std::to_string(elements.size()));
        }
        const auto owner = std::make_shared<std::vector<T>>(std::move(elements));
        return lent(owner->data(), shape, {}, owner, 0);
    }

    // Consumes the struct, as tfe_tensor_f64_from_dlpack does.
    static Tensor from_dlpack(DLManagedTensorVersioned* managed) {
        return Tensor(detail::call(Api::from_dlpack, managed));
    }
    // The tensor leaves the library without a copy; this object is empty then.
    DLManagedTensorVersioned* to_dlpack() && {
        DLManagedTensorVersioned* managed = detail::call(Api::to_dlpack, handle_);
        handle_ = nullptr;
        return managed;
    }
    Memory<T> memory() && { return Memory<T>(std::move(*this).to_dlpack()); }

    Tensor clone() const { return Tensor(detail::call(Api::clone, handle_)); }
    Tensor conj() const { return Tensor(detail::call(Api::conj, handle_)); }

    // The handle, which this object keeps; `release` gives it away.
    Handle* handle() const noexcept { return handle_; }
    Handle* release() noexcept { return std::exchange(handle_, nullptr); }
    explicit operator bool() const noexcept { return Api::is_assigned(handle_) != 0; }

    std::size_t ndim() const { return Api::ndim(live()); }
    std::size_t size() const { return Api::len(live()); }
    Shape shape() const {
        Shape shape(ndim());
        Api::shape(handle_, shape.data());
        return shape;
    }
    std::vector<std::int64_t> strides() const {
        std::vector<std::int64_t> strides(ndim());
        Api::strides(handle_, strides.data());
        return strides;
    }

    // The elements, compact and column-major, valid as long as the tensor; NULL when there are none.
    const T* data() const {
        const Scalar* elements = Api::data(live());
        if (elements == nullptr && size() != 0) detail::fail(TFE_INTERNAL_ERROR);
        return reinterpret_cast<const T*>(elements);
    }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size(); }

    // The element of a tensor that has one.
    T item() const {
        if (size() != 1) detail::fail_shape("item: the tensor has " + std::to_string(size()) + " elements");
        return *data();
    }

    std::vector<T> row_major() const {
        std::vector<T> elements(size());
        std::size_t count = 0;
        detail::call(Api::copy_row_major, handle_, reinterpret_cast<Scalar*>(elements.data()),
                     elements.size(), &count);
        return elements;
    }

private:
    static const Scalar* scalars(const T* elements) noexcept {
        return reinterpret_cast<const Scalar*>(elements);
    }

    const Handle* live() const {
        if (!*this) {
            throw Error(TFE_INVALID_ARGUMENT,
                        handle_ == nullptr ? TFE_DETAIL_NULL_POINTER : TFE_DETAIL_DEAD_HANDLE,
                        handle_ == nullptr ? "tensor: is empty" : "tensor: its handle was released");
        }
        return handle_;
    }

    static Tensor lent(T* elements, const Shape& shape, std::vector<std::int64_t>&& strides,
                       std::shared_ptr<const void> owner, std::uint64_t flags) {
        if (!strides.empty() && strides.size() != shape.size()) {
            detail::fail_shape("view: " + std::to_string(strides.size()) + " strides for " +
                               std::to_string(shape.size()) + " axes");
        }
        auto lent = std::make_unique<detail::Lent>();
        lent->shape.assign(shape.begin(), shape.end());
        lent->strides = std::move(strides);
        if (lent->strides.empty()) {
            std::int64_t stride = 1;
            for (const std::int64_t extent : lent->shape) {
                lent->strides.push_back(stride);
                stride = static_cast<std::int64_t>(static_cast<std::uint64_t>(stride) *
                                                   static_cast<std::uint64_t>(extent));
            }
        }
        lent->owner = std::move(owner);
        detail::Managed& managed = lent->managed;
        managed.major = 1;
        managed.context = lent.get();
        managed.deleter = &detail::Lent::remove;
        managed.flags = flags;
        managed.data = elements;
        managed.device_type = 1;  // kDLCPU
        managed.ndim = static_cast<std::int32_t>(shape.size());
        managed.type_code = Api::code;
        managed.type_bits = Api::bits;
        managed.type_lanes = 1;
        managed.shape = lent->shape.data();
        managed.strides = lent->strides.data();
        return from_dlpack(reinterpret_cast<DLManagedTensorVersioned*>(&lent.release()->managed));
    }

    Handle* handle_ = nullptr;
};

// Borrowed operands of one call: Operands{a, b}, or {a, b} where the element type is known, or a vector.
template <class T>
class Operands {
public:
    using Element = T;

    Operands() = default;
    template <class... Rest>
    Operands(const Tensor<T>& first, const Tensor<Rest>&... rest)
        : handles_{first.handle(), rest.handle()...} {}
    Operands(const std::vector<Tensor<T>>& tensors) {
        for (const Tensor<T>& tensor : tensors) add(tensor);
    }

    void add(const Tensor<T>& tensor) { handles_.push_back(tensor.handle()); }
    std::size_t size() const noexcept { return handles_.size(); }
    typename Tensor<T>::Handle* const* data() const noexcept { return handles_.data(); }

private:
    std::vector<typename Tensor<T>::Handle*> handles_;
};

// The tensor times two to the exponent, see "Values out of range" in tenferro.h.
template <class T>
struct Scaled {
    Tensor<T> tensor;
    std::int64_t exponent = 0;
};

namespace detail {

// The functions of einsums; `subject` is the subscripts or a plan.
template <class T, class Function, class Subject>
Tensor<T> run(Function function, Subject subject, const Operands<T>& operands) {
    return Tensor<T>(call(function, subject, operands.data(), operands.size()));
}

template <class T, class Function, class Subject>
Scaled<T> run_scaled(Function function, Subject subject, const Operands<T>& operands) {
    Scaled<T> result;
    result.tensor = Tensor<T>(call(function, subject, operands.data(), operands.size(), &result.exponent));
    return result;
}

template <class T>
const Operands<T>& as_many(const Operands<T>& tangents, const Operands<T>& primals) {
    if (tangents.size() != primals.size()) {
        throw Error(TFE_INVALID_ARGUMENT, TFE_DETAIL_INVALID_VALUE,
                    "jvp: " + std::to_string(tangents.size()) + " tangents for " +
                        std::to_string(primals.size()) + " primals");
    }
    return tangents;
}

template <class T, class Function, class Subject>
Tensor<T> jvp(Function function, Subject subject, const Operands<T>& primals, const Operands<T>& tangents) {
    return Tensor<T>(
        call(function, subject, primals.data(), primals.size(), as_many(tangents, primals).data()));
}

template <class T, class Function, class Subject>
Scaled<T> jvp_scaled(Function function, Subject subject, const Operands<T>& primals,
                     const Operands<T>& tangents) {
    Scaled<T> result;
    result.tensor = Tensor<T>(call(function, subject, primals.data(), primals.size(),
                                   as_many(tangents, primals).data(), &result.exponent));
    return result;
}

template <class T, class Function, class Subject>
std::vector<Tensor<T>> vjp(Function function, Subject subject, const Operands<T>& operands,
                           const Tensor<T>& cotangent) {
    std::vector<Tensor<T>> gradients(operands.size());
    std::vector<typename Tensor<T>::Handle*> handles(operands.size());
    call(function, subject, operands.data(), operands.size(), cotangent.handle(), handles.data());
    for (std::size_t i = 0; i < handles.size(); ++i) gradients[i] = Tensor<T>(handles[i]);
    return gradients;
}

template <class T, class Function, class Subject>
std::vector<Scaled<T>> vjp_scaled(Function function, Subject subject, const Operands<T>& operands,
                                  const Tensor<T>& cotangent, std::int64_t cotangent_exponent) {
    std::vector<Scaled<T>> gradients(operands.size());
    std::vector<typename Tensor<T>::Handle*> handles(operands.size());
    std::vector<std::int64_t> exponents(operands.size());
    call(function, subject, operands.data(), operands.size(), cotangent.handle(), cotangent_exponent,
         handles.data(), exponents.data());
    for (std::size_t i = 0; i < handles.size(); ++i) {
        gradients[i].tensor = Tensor<T>(handles[i]);
        gradients[i].exponent = exponents[i];
    }
    return gradients;
}

}  // namespace detail

// ---- Einsum. `tensors` are operands one by one, or one vector or Operands of them. ----

template <class... Tensors>
auto einsum(const std::string& subscripts, const Tensors&... tensors) {
    const Operands operands(tensors...);
    using Api = detail::Api<typename decltype(operands)::Element>;
    return detail::run(Api::einsum, subscripts.c_str(), operands);
}

template <class... Tensors>
auto einsum_scaled(const std::string& subscripts, const Tensors&... tensors) {
    const Operands operands(tensors...);
    using Api = detail::Api<typename decltype(operands)::Element>;
    return detail::run_scaled(Api::einsum_scaled, subscripts.c_str(), operands);
}

// One gradient per operand.
template <class T>
std::vector<Tensor<T>> einsum_vjp(const std::string& subscripts, const Operands<detail::same<T>>& operands,
                                  const Tensor<T>& cotangent) {
    return detail::vjp(detail::Api<T>::einsum_vjp, subscripts.c_str(), operands, cotangent);
}

template <class T>
std::vector<Scaled<T>> einsum_vjp_scaled(const std::string& subscripts,
                                         const Operands<detail::same<T>>& operands,
                                         const Tensor<T>& cotangent, std::int64_t cotangent_exponent = 0) {
    return detail::vjp_scaled(detail::Api<T>::einsum_vjp_scaled, subscripts.c_str(), operands, cotangent,
                              cotangent_exponent);
}

// A tangent per primal; an empty tensor is zero.
template <class T>
Tensor<T> einsum_jvp(const std::string& subscripts, const Operands<T>& primals,
                     const Operands<detail::same<T>>& tangents) {
    return detail::jvp(detail::Api<T>::einsum_jvp, subscripts.c_str(), primals, tangents);
}

template <class T>
Scaled<T> einsum_jvp_scaled(const std::string& subscripts, const Operands<T>& primals,
                            const Operands<detail::same<T>>& tangents) {
    return detail::jvp_scaled(detail::Api<T>::einsum_jvp_scaled, subscripts.c_str(), primals, tangents);
}

// ---- Plans ----

// tfe_einsum_plan_options with its defaults; `order` stands for its fields path and path_steps.
struct PlanOptions : tfe_einsum_plan_options {
    PlanOptions() : tfe_einsum_plan_options(TFE_EINSUM_PLAN_OPTIONS_INIT) {}

    std::vector<std::size_t> order;
};

// Move-only; clone() is a second handle of the same plan.
class Plan {
public:
    Plan() noexcept = default;
    explicit Plan(tfe_einsum_plan* handle) noexcept : handle_(handle) {}
    Plan(const std::string& subscripts, const std::vector<Shape>& shapes, const PlanOptions& options = {})
        : handle_(created(shapes, options, [&](const auto&... rest) {
              return detail::call(tfe_einsum_plan_create, subscripts.c_str(), rest...);
          })) {}

    Plan(Plan&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Plan& operator=(Plan&& other) noexcept {
        Plan taken(std::move(other));
        std::swap(handle_, taken.handle_);
        return *this;
    }
    ~Plan() {
        if (handle_ != nullptr) tfe_einsum_plan_release(handle_);
    }

    // Integers for labels: labels[i] name the axes of operand i, `output` those of the result.
    static Plan from_labels(const std::vector<std::vector<std::int32_t>>& labels,
                            const std::vector<Shape>& shapes, const std::vector<std::int32_t>& output,
                            const PlanOptions& options = {}) {
        std::vector<const std::int32_t*> named;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (i >= shapes.size() || shapes[i].size() != labels[i].size()) {
                detail::fail_shape("from_labels: operand " + std::to_string(i) + " has " +
                                   std::to_string(labels[i].size()) + " labels for " +
                                   std::to_string(i < shapes.size() ? shapes[i].size() : 0) + " axes");
            }
            named.push_back(labels[i].data());
        }
        if (labels.size() != shapes.size()) {
            detail::fail_shape("from_labels: labels of " + std::to_string(labels.size()) + " operands, " +
                               std::to_string(shapes.size()) + " shapes");
        }
        return Plan(created(
            shapes, options,
            [&](const auto& extents, const auto& ndims, std::size_t n, const tfe_einsum_plan_options* given) {
                return detail::call(tfe_einsum_plan_create_from_labels, named.data(), extents, ndims, n,
                                    output.data(), output.size(), given);
            }));
    }

    Plan clone() const { return Plan(detail::call(tfe_einsum_plan_clone, handle_)); }
    tfe_einsum_plan* handle() const noexcept { return handle_; }
    tfe_einsum_plan* release() noexcept { return std::exchange(handle_, nullptr); }
    explicit operator bool() const noexcept { return tfe_einsum_plan_is_assigned(handle_) != 0; }

    tfe_einsum_plan_cost cost() const { return cost_by(tfe_einsum_plan_get_cost); }
    tfe_einsum_plan_cost vjp_cost() const { return cost_by(tfe_einsum_plan_get_vjp_cost); }

    // The order of the contractions, in the form of PlanOptions::order.
    std::vector<std::size_t> order() const {
        std::size_t count = 0;
        detail::call(tfe_einsum_plan_get_path, handle_, static_cast<std::size_t*>(nullptr), std::size_t{0},
                     &count);
        std::vector<std::size_t> order(count);
        detail::call(tfe_einsum_plan_get_path, handle_, order.data(), order.size(), &count);
        return order;
    }

    template <class... Tensors>
    auto run(const Tensors&... tensors) const {
        const Operands operands(tensors...);
        using Api = detail::Api<typename decltype(operands)::Element>;
        return detail::run(Api::einsum_plan_run, handle_, operands);
    }
    template <class... Tensors>
    auto run_scaled(const Tensors&... tensors) const {
        const Operands operands(tensors...);
        using Api = detail::Api<typename decltype(operands)::Element>;
        return detail::run_scaled(Api::einsum_plan_run_scaled, handle_, operands);
    }

    template <class T>
    std::vector<Tensor<T>> vjp(const Operands<detail::same<T>>& operands, const Tensor<T>& cotangent) const {
        return detail::vjp(detail::Api<T>::einsum_plan_vjp, handle_, operands, cotangent);
    }
    template <class T>
    std::vector<Scaled<T>> vjp_scaled(const Operands<detail::same<T>>& operands, const Tensor<T>& cotangent,
                                      std::int64_t cotangent_exponent = 0) const {
        return detail::vjp_scaled(detail::Api<T>::einsum_plan_vjp_scaled, handle_, operands, cotangent,
                                  cotangent_exponent);
    }
    template <class T>
    Tensor<T> jvp(const Operands<T>& primals, const Operands<detail::same<T>>& tangents) const {
        return detail::jvp(detail::Api<T>::einsum_plan_jvp, handle_, primals, tangents);
    }
    template <class T>
    Scaled<T> jvp_scaled(const Operands<T>& primals, const Operands<detail::same<T>>& tangents) const {
        return detail::jvp_scaled(detail::Api<T>::einsum_plan_jvp_scaled, handle_, primals, tangents);
    }

private:
    template <class Create>
    static tfe_einsum_plan* created(const std::vector<Shape>& shapes, const PlanOptions& options,
                                    const Create& create) {
        std::vector<const std::size_t*> extents;
        std::vector<std::size_t> ndims;
        for (const Shape& shape : shapes) {
            extents.push_back(shape.data());
            ndims.push_back(shape.size());
        }
        tfe_einsum_plan_options given = options;
        if (!options.order.empty()) {
            given.path = options.order.data();
            given.path_steps = options.order.size() / 2;
        }
        return create(extents.data(), ndims.data(), shapes.size(), &given);
    }

    template <class Function>
    tfe_einsum_plan_cost cost_by(Function function) const {
        tfe_einsum_plan_cost cost{};
        cost.struct_size = sizeof cost;
        detail::call(function, handle_, &cost);
        return cost;
    }

    tfe_einsum_plan* handle_ = nullptr;
};

// ---- Linear algebra ----

// Which axes are the rows of the matrix and which its columns: those of a matrix unless given.
struct Split {
    std::vector<std::size_t> left{0}, right{1};
};

struct Truncation {
    std::size_t max_rank = 0;  // 0: all
    double cutoff = -1;        // negative: all
};

template <class T>
struct Svd {
    Tensor<T> u;
    Tensor<Real<T>> s;
    Tensor<T> vt;
};
template <class T>
struct Qr {
    Tensor<T> q, r;
};
template <class T>
struct Eigh {
    Tensor<Real<T>> values;
    Tensor<T> vectors;
};
template <class T>
struct Eig {
    Tensor<Complex<T>> values, vectors;
};
// In tangents `p` is empty.
template <class T>
struct Lu {
    Tensor<T> p, l, u;
};
template <class T>
struct SolveGradients {
    Tensor<T> a, b;
};

namespace detail {

template <class Function, class Handle, class... Arguments>
auto call_split(Function function, const Handle* tensor, const Split& split, Arguments... arguments) {
    return call(function, tensor, split.left.data(), split.left.size(), split.right.data(),
                split.right.size(), arguments...);
}

// A function with two outputs, as `Result`.
template <class Result, class First, class Second, class Function, class Handle, class... Arguments>
Result call_pair(Function function, const Handle* tensor, const Split& split, Arguments... arguments) {
    typename Tensor<First>::Handle* first = nullptr;
    typename Tensor<Second>::Handle* second = nullptr;
    call_split(function, tensor, split, arguments..., &first, &second);
    return Result{Tensor<First>(first), Tensor<Second>(second)};
}

template <class T, class Function, class... Arguments>
Svd<T> call_svd(Function function, const Tensor<T>& tensor, const Split& split, Arguments... arguments) {
    typename Tensor<T>::Handle *u = nullptr, *vt = nullptr;
    typename Tensor<Real<T>>::Handle* s = nullptr;
    call_split(function, tensor.handle(), split, arguments..., &u, &s, &vt);
    return Svd<T>{Tensor<T>(u), Tensor<Real<T>>(s), Tensor<T>(vt)};
}

}  // namespace detail

// In what follows an empty cotangent or tangent is zero.

template <class T>
Svd<T> svd(const Tensor<T>& a, const Split& split = {}, const Truncation& kept = {}) {
    return detail::call_svd(detail::Api<T>::svd, a, split, kept.max_rank, kept.cutoff);
}
template <class T>
Tensor<T> svd_vjp(const Tensor<T>& a, const Tensor<T>& cot_u, const Tensor<Real<detail::same<T>>>& cot_s,
                  const Tensor<T>& cot_vt, const Split& split = {}, const Truncation& kept = {}) {
    return Tensor<T>(detail::call_split(detail::Api<T>::svd_vjp, a.handle(), split, kept.max_rank,
                                        kept.cutoff, cot_u.handle(), cot_s.handle(), cot_vt.handle()));
}
template <class T>
Svd<T> svd_jvp(const Tensor<T>& a, const Tensor<T>& tangent, const Split& split = {},
               const Truncation& kept = {}) {
    return detail::call_svd(detail::Api<T>::svd_jvp, a, split, kept.max_rank, kept.cutoff, tangent.handle());
}

template <class T>
Qr<T> qr(const Tensor<T>& a, const Split& split = {}) {
    return detail::call_pair<Qr<T>, T, T>(detail::Api<T>::qr, a.handle(), split);
}
template <class T>
Tensor<T> qr_vjp(const Tensor<T>& a, const Tensor<T>& cot_q, const Tensor<T>& cot_r,
                 const Split& split = {}) {
    return Tensor<T>(
        detail::call_split(detail::Api<T>::qr_vjp, a.handle(), split, cot_q.handle(), cot_r.handle()));
}
template <class T>
Qr<T> qr_jvp(const Tensor<T>& a, const Tensor<T>& tangent, const Split& split = {}) {
    return detail::call_pair<Qr<T>, T, T>(detail::Api<T>::qr_jvp, a.handle(), split, tangent.handle());
}

template <class T>
Eigh<T> eigh(const Tensor<T>& a, const Split& split = {}) {
    return detail::call_pair<Eigh<T>, Real<T>, T>(detail::Api<T>::eigh, a.handle(), split);
}
template <class T>
Tensor<T> eigh_vjp(const Tensor<T>& a, const Tensor<Real<detail::same<T>>>& cot_values,
                   const Tensor<T>& cot_vectors, const Split& split = {}) {
    return Tensor<T>(detail::call_split(detail::Api<T>::eigh_vjp, a.handle(), split, cot_values.handle(),
                                        cot_vectors.handle()));
}
template <class T>
Eigh<T> eigh_jvp(const Tensor<T>& a, const Tensor<T>& tangent, const Split& split = {}) {
    return detail::call_pair<Eigh<T>, Real<T>, T>(detail::Api<T>::eigh_jvp, a.handle(), split,
                                                  tangent.handle());
}

template <class T>
Eig<T> eig(const Tensor<T>& a, const Split& split = {}) {
    return detail::call_pair<Eig<T>, Complex<T>, Complex<T>>(detail::Api<T>::eig, a.handle(), split);
}
template <class T>
Tensor<T> eig_vjp(const Tensor<T>& a, const Tensor<Complex<detail::same<T>>>& cot_values,
                  const Tensor<Complex<detail::same<T>>>& cot_vectors, const Split& split = {}) {
    return Tensor<T>(detail::call_split(detail::Api<T>::eig_vjp, a.handle(), split, cot_values.handle(),
                                        cot_vectors.handle()));
}
template <class T>
Eig<T> eig_jvp(const Tensor<T>& a, const Tensor<T>& tangent, const Split& split = {}) {
    return detail::call_pair<Eig<T>, Complex<T>, Complex<T>>(detail::Api<T>::eig_jvp, a.handle(), split,
                                                             tangent.handle());
}

template <class T>
Lu<T> lu(const Tensor<T>& a, const Split& split = {}) {
    typename Tensor<T>::Handle *p = nullptr, *l = nullptr, *u = nullptr;
    detail::call_split(detail::Api<T>::lu, a.handle(), split, &p, &l, &u);
    return Lu<T>{Tensor<T>(p), Tensor<T>(l), Tensor<T>(u)};
}
template <class T>
Tensor<T> lu_vjp(const Tensor<T>& a, const Tensor<T>& cot_l, const Tensor<T>& cot_u,
                 const Split& split = {}) {
    return Tensor<T>(
        detail::call_split(detail::Api<T>::lu_vjp, a.handle(), split, cot_l.handle(), cot_u.handle()));
}
template <class T>
Lu<T> lu_jvp(const Tensor<T>& a, const Tensor<T>& tangent, const Split& split = {}) {
    typename Tensor<T>::Handle *l = nullptr, *u = nullptr;
    detail::call_split(detail::Api<T>::lu_jvp, a.handle(), split, tangent.handle(), &l, &u);
    return Lu<T>{Tensor<T>(), Tensor<T>(l), Tensor<T>(u)};
}

template <class T>
Tensor<T> cholesky(const Tensor<T>& a, const Split& split = {}) {
    return Tensor<T>(detail::call_split(detail::Api<T>::cholesky, a.handle(), split));
}
template <class T>
Tensor<T> cholesky_vjp(const Tensor<T>& a, const Tensor<T>& cotangent, const Split& split = {}) {
    return Tensor<T>(detail::call_split(detail::Api<T>::cholesky_vjp, a.handle(), split, cotangent.handle()));
}
template <class T>
Tensor<T> cholesky_jvp(const Tensor<T>& a, const Tensor<T>& tangent, const Split& split = {}) {
    return Tensor<T>(detail::call_split(detail::Api<T>::cholesky_jvp, a.handle(), split, tangent.handle()));
}

template <class T>
Tensor<T> solve(const Tensor<T>& a, const Tensor<T>& b, const Split& split = {}) {
    return Tensor<T>(detail::call_split(detail::Api<T>::solve, a.handle(), split, b.handle()));
}
template <class T>
SolveGradients<T> solve_vjp(const Tensor<T>& a, const Tensor<T>& b, const Tensor<T>& cotangent,
                            const Split& split = {}) {
    return detail::call_pair<SolveGradients<T>, T, T>(detail::Api<T>::solve_vjp, a.handle(), split,
                                                      b.handle(), cotangent.handle());
}
template <class T>
Tensor<T> solve_jvp(const Tensor<T>& a, const Tensor<T>& b, const Tensor<T>& tangent_a,
                    const Tensor<T>& tangent_b, const Split& split = {}) {
    return Tensor<T>(detail::call_split(detail::Api<T>::solve_jvp, a.handle(), split, b.handle(),
                                        tangent_a.handle(), tangent_b.handle()));
}

// ---- Threads and version ----

inline void set_num_threads(std::int32_t threads) { detail::call(tfe_set_num_threads, threads); }
inline std::int32_t num_threads() {
    const std::int32_t threads = tfe_get_num_threads();
    if (threads == 0) detail::fail(TFE_INTERNAL_ERROR);
    return threads;
}

struct Version {
    std::int32_t major = 0, minor = 0, patch = 0;
};
// Of the library; TFE_VERSION_MAJOR and so on are those of the header.
inline Version version() {
    Version version;
    tfe_version(&version.major, &version.minor, &version.patch);
    return version;
}
inline std::string version_string() { return tfe_version_string(); }

}  // namespace tfe

#endif  // TENFERRO_RAII_HPP
