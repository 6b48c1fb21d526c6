// The brackets and lines of printed tensors, by NumPy's rules. What is shown of each axis is decided first,
// so that a tensor of any size, rank or without elements costs no more than what is printed.
#include "tenferro/tensor/print.hpp"

#include <new>
#include <ostream>
#include <vector>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tensor/number_text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI {

namespace {

constexpr Index kMostElements = 1000, kEdge = 3;
constexpr std::size_t kLineWidth = 75, kMostAxes = 64;
constexpr std::string_view kOmitted = "...";

/// The indices of an axis that are shown: the first `leading` and the last `trailing`.
struct ShownAxis {
    Index extent, leading, trailing;

    [[nodiscard]] Index count() const noexcept { return leading + trailing; }
    [[nodiscard]] bool is_abridged() const noexcept { return count() < extent; }
    [[nodiscard]] Index index(Index shown) const noexcept {
        return shown < leading ? shown : extent - count() + shown;
    }
};

std::vector<ShownAxis> shown_axes(const TensorRead& tensor) {
    std::vector<ShownAxis> axes;
    for (const Index extent : tensor.shape()) axes.push_back({extent, extent, 0});
    if (tensor.size() <= kMostElements) return axes;
    for (ShownAxis& axis : axes)
        if (axis.extent > 2 * kEdge) axis.leading = axis.trailing = kEdge;
    const auto is_too_much = [&] {
        Index count = 1;
        for (const ShownAxis& axis : axes)
            if ((count *= axis.count()) > kMostElements) return true;
        return false;
    };
    for (std::size_t i = 0; i < axes.size() && is_too_much(); ++i) {
        axes[i].leading = 1;
        axes[i].trailing = 0;
    }
    return axes;
}

/// Calls f(offset in elements) for all that is shown, the last axis fastest.
template <class F>
void each_shown(const TensorRead& tensor, const std::vector<ShownAxis>& axes, F&& f) {
    Dims at(axes.size(), 0);
    while (true) {
        Index offset = 0;
        for (std::size_t i = 0; i < axes.size(); ++i) offset += axes[i].index(at[i]) * tensor.strides()[i];
        f(offset);
        std::size_t axis = axes.size();
        while (axis > 0 && ++at[axis - 1] == axes[axis - 1].count()) at[--axis] = 0;
        if (axis == 0) return;
    }
}

/// Puts texts of elements, taken in order, into brackets.
class Brackets {
public:
    Brackets(const std::vector<ShownAxis>& axes, const std::vector<std::string>& texts)
        : axes_(axes), texts_(texts) {}

    /// The sub-tensor below `axis`; `width` columns are left of it for lines.
    [[nodiscard]] std::string operator()(std::size_t axis, std::size_t width) {
        if (axis == axes_.size()) return texts_[next_++];
        const ShownAxis& shown = axes_[axis];
        const std::string indent(axis + 1, ' ');
        const bool is_last = axis + 1 == axes_.size();
        std::string done, line = is_last ? indent : "";
        const Index items = shown.count() + (shown.is_abridged() ? 1 : 0);
        for (Index i = 0; i < items; ++i) {
            const bool omitted = shown.is_abridged() && i == shown.leading;
            const std::string item = omitted ? std::string(kOmitted) : (*this)(axis + 1, width - 1);
            if (!is_last) {
                done += indent + item;
                if (i + 1 < items) done += std::string(axes_.size() - axis - 1, '\n');
                continue;
            }
            if (line.size() + item.size() > width - 1 && line.size() > indent.size()) {
                done += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
                line = indent;
            }
            line += item;
            if (i + 1 < items) line += ' ';
        }
        done += line;
        return "[" + done.substr(indent.size()) + "]";
    }

private:
    const std::vector<ShownAxis>& axes_;
    const std::vector<std::string>& texts_;
    std::size_t next_ = 0;
};

/// What cannot be shown element by element.
std::string summary(const TensorRead& tensor) {
    if (tensor.placement() == kNowhere) return "(a tensor that was moved from)";
    std::string line = text("(", info(tensor.dtype()).name, " of ");
    line += tensor.rank() > kMostAxes ? text("rank ", tensor.rank()) : "shape " + list_text(tensor.shape());
    return line + " on " + place_text(tensor.placement()) + ")";
}

}  // namespace

std::string to_string(const TensorRead& tensor) try {
    if (tensor.placement() == kNowhere) return summary(tensor);
    if (tensor.size() == 0) return "[]";
    if (tensor.placement() != kMainMemory || tensor.rank() > kMostAxes) return summary(tensor);
    return visit_dtype(tensor.dtype(), [&]<class T> {
        const T* const data = tensor.data_as<T>();
        if (tensor.rank() == 0) return print::text_of(*data);
        const std::vector<ShownAxis> axes = shown_axes(tensor);
        std::vector<T> values;
        each_shown(tensor, axes, [&](Index offset) { values.push_back(data[offset]); });
        return Brackets(axes, print::texts_of(values))(0, kLineWidth);
    });
} catch (const std::bad_alloc&) {
    throw_out_of_memory("to_string");
}

std::ostream& operator<<(std::ostream& out, const TensorRead& tensor) { return out << to_string(tensor); }

}}  // namespace tenferro::TENFERRO_ABI
