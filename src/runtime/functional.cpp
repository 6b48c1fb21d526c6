// Tracing functions at eager values and running what they became.
#include "tenferro/runtime/functional.hpp"

#include <new>

#include "tenferro/base/error.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tfe_detail {

std::vector<TracedTensor> traced_like(std::span<const EagerTensor> values) try {
    std::vector<TracedTensor> traced;
    for (const EagerTensor& value : values)
        traced.push_back(TracedTensor::input(value.dtype(), value.value().shape()));
    return traced;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("evaluate");
}

std::vector<EagerTensor> evaluate(std::span<const TracedTensor> outputs, std::span<const TracedTensor> inputs,
                                  std::span<const EagerTensor> values) try {
    if (values.empty()) throw Error(ErrorKind::InvalidArgument, "evaluate", "no values to differentiate at");
    EagerContext& context = values[0].context();
    std::vector<TensorRead> reads;
    for (const EagerTensor& value : values) reads.push_back(value.value());
    const auto program = context.compiler().compile(outputs, inputs);
    std::vector<EagerTensor> results;
    for (Tensor& result : program->run(context.backend(), reads))
        results.emplace_back(context, std::move(result));
    return results;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("evaluate");
}

}}}  // namespace tenferro::TENFERRO_ABI::tfe_detail
