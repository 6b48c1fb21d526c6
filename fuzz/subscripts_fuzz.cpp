// Feeds arbitrary bytes to the einsum parser in both dialects. Text is either refused with a tenferro::Error
// or survives the way through to_string() and back, and binds to small shapes without losing an axis.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "tenferro/base/error.hpp"
#include "tenferro/einsum/network.hpp"

namespace {

using namespace tenferro;
using namespace tenferro::tensor_network;

void require(bool condition) {
    if (!condition) std::abort();
}

/// Shapes of the right ranks: an ellipsis covers 0 to 2 axes, and extents lie in 0 … 2 (`variant` 0: all 2).
std::vector<Dims> small_shapes(const Subscripts& subscripts, unsigned variant) {
    std::vector<Dims> shapes;
    unsigned state = variant;
    for (const auto& labels : subscripts.inputs()) {
        Dims shape;
        for (const Label label : labels) {
            const unsigned axes = label == kEllipsis ? (state + variant) % 3 : 1;
            for (unsigned i = 0; i < axes; ++i) {
                state = state * 1664525u + variant * 1013904223u;
                shape.push_back(variant == 0 ? 2 : static_cast<Index>(state >> 24) % 3);
            }
        }
        shapes.push_back(shape);
    }
    return shapes;
}

void check_network(const Network& network, const std::vector<Dims>& shapes) {
    std::vector<bool> present(network.extents.size(), false);
    require(network.names.size() == network.extents.size());
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        Dims rest = shapes[k];
        for (std::size_t i = network.dropped_axes[k].size(); i-- > 0;) {
            const auto axis = static_cast<std::size_t>(network.dropped_axes[k][i]);
            require(axis < rest.size() && rest[axis] == 1);
            rest.erase(axis);
        }
        require(rest.size() == network.inputs[k].size());
        for (std::size_t i = 0; i < rest.size(); ++i) {
            const auto id = static_cast<std::size_t>(network.inputs[k][i]);
            require(id < present.size() && network.extents[id] == rest[i]);
            present[id] = true;
        }
    }
    require(std::find(present.begin(), present.end(), false) == present.end());
    require(output_shape(network).size() == network.output.size());
}

void check_groups(const Subscripts& subscripts) {
    const std::size_t operands = subscripts.inputs().size();
    std::vector<bool> taken(operands + subscripts.groups().size(), false);
    for (std::size_t g = 0; g < subscripts.groups().size(); ++g) {
        require(!subscripts.groups()[g].empty());
        for (const int member : subscripts.groups()[g]) {
            const auto m = static_cast<std::size_t>(member);
            require(m < operands + g && !taken[m]);
            taken[m] = true;
        }
    }
}

void check_dialect(std::string_view text, Dialect dialect) {
    Subscripts subscripts;
    try {
        subscripts = Subscripts::parse(text, dialect);
    } catch (const Error& error) {
        require(error.kind() == ErrorKind::InvalidArgument && error.message().size() < 512);
        return;
    }
    require(Subscripts::parse(subscripts.to_string(), dialect) == subscripts);
    check_groups(subscripts);
    for (unsigned variant = 0; variant < 4; ++variant) {
        const auto shapes = small_shapes(subscripts, variant);
        try {
            check_network(resolve(subscripts, shapes), shapes);
        } catch (const Error& error) {
            require(error.kind() == ErrorKind::ShapeMismatch || error.kind() == ErrorKind::InvalidArgument);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check_dialect(text, Dialect::Strict);
    check_dialect(text, Dialect::NumPy);
    return 0;
}
