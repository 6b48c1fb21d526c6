// Single elements of tensors in main memory, converted to a type that holds all values of the dtype.
#include <cstring>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/elementwise/conversion.hpp"
#include "tenferro/tensor/tensor_read.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

/// The element of `view` at `offset`, counted in elements, as a `to`.
void convert_element(const TensorRead& view, Index offset, DType to, void* value, std::string_view op) {
    if (view.placement() == kNowhere)
        throw Error(ErrorKind::InvalidArgument, op, "the tensor was moved from: it has no elements");
    if (view.placement() != kMainMemory)
        throw Error(ErrorKind::BackendFailure, op,
                    text("the tensor is on ", place_text(view.placement()),
                         "; bring it to main memory with download_to_host"));
    if (!elementwise::promotions(view.dtype()).contains(to))
        throw Error(ErrorKind::DTypeMismatch, op,
                    text("an element of dtype ", info(view.dtype()).name, " is not always a ", info(to).name,
                         "; ask for a type that holds it, or cast the tensor"));
    visit_dtype(to, [&]<class To> {
        visit_dtype(view.dtype(), [&]<class From> {
            const To converted = elementwise::Convert<To>{}(view.data_as<From>()[offset]);
            std::memcpy(value, &converted, sizeof converted);
        });
    });
}

}  // namespace

void TensorRead::read_element(std::span<const Index> indices, DType to, void* value) const {
    constexpr std::string_view op = "at";
    if (indices.size() != rank())
        throw Error(ErrorKind::RankMismatch, op,
                    text("the tensor has rank ", rank(), " but ", indices.size(), " indices were given"));
    Index offset = 0;
    for (std::size_t axis = 0; axis < rank(); ++axis) {
        const Index extent = shape_[axis], index = indices[axis];
        if (index < -extent || index >= extent)
            throw Error(ErrorKind::InvalidArgument, op,
                        text("index ", index, " is out of range for axis ", axis, " of extent ", extent));
        offset += (index < 0 ? index + extent : index) * strides_[axis];
    }
    convert_element(*this, offset, to, value, op);
}

void TensorRead::read_item(DType to, void* value) const {
    if (placement_ != kNowhere && size() != 1)
        throw Error(ErrorKind::ShapeMismatch, "item",
                    text("the tensor of shape ", list_text(shape_), " has ", size(), " elements, not 1"));
    convert_element(*this, 0, to, value, "item");
}

}}  // namespace tenferro::TENFERRO_ABI
