// ShapeBinding: a program's operations with every symbolic extent replaced by its value for inputs of certain
// shapes. Programs keep the last few, so that a run with known shapes computes no extent.
#pragma once

#include "base/mutex.hpp"
#include "tenferro/runtime/exec_program.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace graph_runtime {

struct MatrixRun;

struct ShapeBinding {
    std::vector<Dims> shapes;                            ///< of the inputs
    std::vector<StdTensorOp> ops;                        ///< of the instructions
    std::vector<std::shared_ptr<const MatrixRun>> runs;  ///< by their first segment, see find_matrix_runs

    [[nodiscard]] bool fits(std::span<const TensorRead> inputs) const noexcept;
};

/// Checks inputs against `metas` and `guards` and binds the operations.
[[nodiscard]] ShapeBinding bind_shapes(const std::vector<TensorMeta>& metas,
                                       const std::vector<ShapeGuard>& guards,
                                       const std::vector<ExecInstruction>& instructions,
                                       std::span<const TensorRead> inputs);

/// The bindings that were used last. Thread-safe.
class ShapeBindings {
public:
    /// The binding for `inputs`, made by `make` where there is none yet.
    template <class Make>
    std::shared_ptr<const ShapeBinding> get(std::span<const TensorRead> inputs, Make&& make) {
        {
            const std::lock_guard lock(mutex_);
            for (std::size_t i = 0; i < kept_.size(); ++i) {
                if (!kept_[i]->fits(inputs)) continue;
                std::swap(kept_[i], kept_[0]);
                return kept_[0];
            }
        }
        auto made = std::make_shared<const ShapeBinding>(make());
        const std::lock_guard lock(mutex_);
        if (kept_.size() == kMost) kept_.pop_back();
        kept_.insert(kept_.begin(), made);
        return made;
    }

private:
    static constexpr std::size_t kMost = 8;

    Mutex mutex_;
    std::vector<std::shared_ptr<const ShapeBinding>> kept_;
};

}}}  // namespace tenferro::TENFERRO_ABI::graph_runtime
