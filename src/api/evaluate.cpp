// Graphs on the default engine.
#include "tenferro/api/evaluate.hpp"

#include <new>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

std::vector<Tensor> evaluate(std::span<const TracedTensor> outputs, Bindings inputs) try {
    std::vector<TracedTensor> names;
    std::vector<TensorRead> values;
    for (const Binding& binding : inputs) {
        names.push_back(binding.input);
        values.push_back(binding.value.view());
    }
    return compile(outputs, names)->run(default_engine().backend(), values);
} catch (const std::bad_alloc&) {
    throw_out_of_memory("evaluate");
}

}}  // namespace tenferro::TENFERRO_ABI
