// Arithmetic on symbolic shapes.
#include "tenferro/ops/tensor_meta.hpp"

#include <new>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor_core/layout.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

SymShape symbolic(std::span<const Index> shape) { return {shape.begin(), shape.end()}; }

std::string shape_text(const SymShape& shape) try {
    std::string out = "[";
    for (const SymDim& dim : shape) out.append(out.size() > 1 ? ", " : "").append(dim.text());
    return out + "]";
} catch (const std::bad_alloc&) {
    throw_out_of_memory("shape_text");
}

SymDim element_count(const SymShape& shape) {
    SymDim count = 1;
    for (const SymDim& dim : shape) count = count * dim;
    return count;
}

Dims concrete(const SymShape& shape, std::string_view op) {
    Dims dims;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (!shape[axis].constant())
            throw Error(ErrorKind::InvalidConfig, op,
                        shape[axis].symbols().empty()
                            ? text("the extent of axis ", axis, ", ", shape[axis].text(), ", overflows")
                            : text("axis ", axis, " has the unbound extent ", shape[axis].text()));
        dims.push_back(*shape[axis].constant());
    }
    return dims;
}

}}  // namespace tenferro::TENFERRO_ABI
