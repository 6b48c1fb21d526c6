// Permutation rows, and the two copies of the same bytes that bound them.
#include <cstring>

#include "bench/worker/inputs.hpp"
#include "bench/worker/machine.hpp"
#include "tenferro/api/engine.hpp"
#include "tenferro/cpu/cpu_context.hpp"

namespace tenferro::bench {
namespace {

class PermutationRow : public Row {
public:
    explicit PermutationRow(const Json& row)
        : perm_(dims_of(row.at("perm"))),
          source_(make_operand(dtype_of(row), dims_of(row.at("shape")), dims_of(row.at("strides")), {})) {
        if (!row.at("into").get<bool>()) return;
        Dims shape;
        for (const Index axis : perm_) shape.push_back(source_.shape()[static_cast<std::size_t>(axis)]);
        out_ = default_engine().backend().zeros(source_.dtype(), shape);
    }

    Tensor compute() override {
        TensorBackend& backend = default_engine().backend();
        if (!out_) return backend.transpose_read(source_, perm_);
        backend.transpose_into(source_, perm_, out_->write());
        return out_->share();
    }

private:
    Dims perm_;
    Tensor source_;
    std::optional<Tensor> out_;
};

class CopyRow : public Row {
public:
    explicit CopyRow(const Json& row)
        : copy_(row.at("baseline") == "memcpy" ? &copy_plain : &copy_non_temporal),
          into_(row.at("into").get<bool>()),
          source_(make_operand(dtype_of(row), dims_of(row.at("shape")), {})),
          out_(default_engine().backend().zeros(source_.dtype(), source_.shape())),
          threads_(num_threads()) {}

    Tensor compute() override {
        if (!into_) {
            out_ = Tensor();  // its memory goes back first, as for a result that is dropped
            out_ = default_engine().backend().empty(source_.dtype(), source_.shape());
        }
        const std::size_t bytes = source_.buffer().bytes();
        const auto parts = static_cast<std::size_t>(threads_.threads());
        auto* to = static_cast<std::byte*>(out_.write().data());
        const auto* from = static_cast<const std::byte*>(source_.data());
        threads_.parallel_for(static_cast<Index>(parts), [&](Index part) {
            // Whole pages per part; the last takes the rest.
            const auto p = static_cast<std::size_t>(part);
            const std::size_t share = bytes / parts / 4096 * 4096;
            const std::size_t begin = p * share, end = p + 1 == parts ? bytes : begin + share;
            copy_(to + begin, from + begin, end - begin);
        });
        return out_.share();
    }

private:
    void (*copy_)(std::byte*, const std::byte*, std::size_t);
    bool into_;
    Tensor source_, out_;
    CpuContext threads_;
};

}  // namespace

std::unique_ptr<Row> make_permutation_row(const Json& row) { return std::make_unique<PermutationRow>(row); }
std::unique_ptr<Row> make_copy_row(const Json& row) { return std::make_unique<CopyRow>(row); }

}  // namespace tenferro::bench
