// Applying extension operations.
#include "tenferro/api/extension.hpp"

#include <new>

#include "tenferro/api/engine.hpp"
#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace extension {

std::vector<TracedTensor> apply(std::shared_ptr<const ExtensionOp> op,
                                std::span<const TracedTensor> inputs) try {
    return TracedTensor::apply_all(tensor_ops::Extension(std::move(op)), inputs);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extension");
}

std::vector<EagerTensor> apply(std::shared_ptr<const ExtensionOp> op,
                               std::span<const EagerTensor> inputs) try {
    const tensor_ops::Extension carrier(std::move(op));
    if (inputs.empty())
        throw Error(ErrorKind::InvalidArgument, "extension",
                    text("family_id=", carrier.op->family_id(), ": no inputs to take a context from"));
    return inputs.front().apply_all(carrier, inputs);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extension");
}

std::vector<Tensor> apply(std::shared_ptr<const ExtensionOp> op, std::span<const TensorRead> inputs) try {
    const tensor_ops::Extension carrier(std::move(op));
    if (current_backend() != nullptr) return carrier.execute(inputs);
    const BackendScope scope(default_engine().backend());
    return carrier.execute(inputs);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("extension");
}

}}}  // namespace tenferro::TENFERRO_ABI::extension
