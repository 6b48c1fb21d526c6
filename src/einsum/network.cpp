// Binds subscripts to shapes: ranks, ellipses, extents and broadcasting.
#include "tenferro/einsum/network.hpp"

#include <algorithm>
#include <new>
#include <unordered_map>
#include <utility>

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace tensor_network {

namespace {

[[noreturn]] void fail(ErrorKind kind, std::string_view message) { throw Error(kind, "einsum", message); }

bool has_ellipsis(const std::vector<Label>& labels) {
    return std::find(labels.begin(), labels.end(), kEllipsis) != labels.end();
}

struct Axis {
    std::size_t operand;
    std::size_t axis;
    Index extent;
};

std::string count_text(std::size_t axes) { return text(axes, axes == 1 ? " axis" : " axes"); }

std::string axis_text(const Axis& a) {
    return text("extent ", a.extent, " in operand ", a.operand, " axis ", a.axis);
}

/// Labels 0 … ellipsis_rank_ - 1 are the ellipsis axes from the left, the rest follow in order of first
/// appearance.
class Resolver {
public:
    Resolver(const Subscripts& subscripts, std::span<const Dims> shapes)
        : subscripts_(subscripts), shapes_(shapes) {}

    Network run() {
        check_operands();
        number_ellipsis_axes();
        for (std::size_t k = 0; k < shapes_.size(); ++k) number_operand(k);
        number_output();
        for (std::size_t k = 0; k < shapes_.size(); ++k) check_extents(k);
        for (const Axis& carrier : carriers_) network_.extents.push_back(carrier.extent);
        network_.groups = subscripts_.groups();
        return std::move(network_);
    }

private:
    void check_operands() const {
        const std::size_t named = subscripts_.inputs().size();
        if (shapes_.empty()) fail(ErrorKind::InvalidArgument, "at least one operand is needed");
        if (named != shapes_.size())
            fail(ErrorKind::InvalidArgument,
                 text("subscripts name ", named, " operands but ", shapes_.size(), " are given"));
        for (std::size_t k = 0; k < shapes_.size(); ++k)
            for (std::size_t axis = 0; axis < shapes_[k].size(); ++axis)
                if (shapes_[k][axis] < 0)
                    fail(ErrorKind::InvalidArgument,
                         text("operand ", k, " axis ", axis, " has negative extent ", shapes_[k][axis]));
    }

    /// The widest ellipsis says how many labels there are; the others align with its right end.
    void number_ellipsis_axes() {
        for (std::size_t k = 0; k < shapes_.size(); ++k) covered_.push_back(covered_axes(k));
        const auto widest =
            static_cast<std::size_t>(std::max_element(covered_.begin(), covered_.end()) - covered_.begin());
        ellipsis_rank_ = covered_[widest];
        if (ellipsis_rank_ == 0) return;
        if (!has_ellipsis(subscripts_.output()))
            fail(ErrorKind::InvalidArgument, text("'...' covers ", count_text(ellipsis_rank_), " of operand ",
                                                  widest, " but the output has no '...'"));
        const auto& labels = subscripts_.inputs()[widest];
        const auto first =
            static_cast<std::size_t>(std::find(labels.begin(), labels.end(), kEllipsis) - labels.begin());
        for (std::size_t i = 0; i < ellipsis_rank_; ++i)
            add_label(text("...[", i, "]"), true, Axis{widest, first + i, shapes_[widest][first + i]});
    }

    /// How many axes of operand `k` its ellipsis covers, 0 without one.
    [[nodiscard]] std::size_t covered_axes(std::size_t k) const {
        const auto& labels = subscripts_.inputs()[k];
        const bool open = has_ellipsis(labels);
        const std::size_t rank = shapes_[k].size(), named = labels.size() - (open ? 1 : 0);
        if (open ? rank < named : rank != named)
            fail(ErrorKind::InvalidArgument,
                 text("operand ", k, " has rank ", rank, " but its subscripts name ", open ? "at least " : "",
                      count_text(named)));
        return rank - named;
    }

    LabelId add_label(std::string name, bool broadcasts, const Axis& carrier) {
        network_.names.push_back(std::move(name));
        broadcasts_.push_back(broadcasts);
        carriers_.push_back(carrier);
        return static_cast<LabelId>(carriers_.size() - 1);
    }

    /// Gives every axis of operand `k` its label.
    void number_operand(std::size_t k) {
        LabelIds& ids = network_.inputs.emplace_back();
        ids.reserve(shapes_[k].size());
        const auto axis = [&] { return Axis{k, ids.size(), shapes_[k][ids.size()]}; };
        for (const Label label : subscripts_.inputs()[k]) {
            if (label != kEllipsis) {
                ids.push_back(number_axis(label, axis()));
                continue;
            }
            for (std::size_t i = ellipsis_rank_ - covered_[k]; i < ellipsis_rank_; ++i) {
                update_carrier(static_cast<LabelId>(i), axis());
                ids.push_back(static_cast<LabelId>(i));
            }
        }
    }

    LabelId number_axis(Label label, const Axis& axis) {
        const auto known = ids_.find(label);
        if (known == ids_.end())
            return ids_[label] = add_label(label_text(label), subscripts_.dialect() == Dialect::NumPy, axis);
        update_carrier(known->second, axis);
        return known->second;
    }

    /// A label that broadcasts takes its extent from the first axis that is not 1, any other label from its
    /// first axis.
    void update_carrier(LabelId id, const Axis& axis) {
        Axis& carrier = carriers_[static_cast<std::size_t>(id)];
        if (broadcasts_[static_cast<std::size_t>(id)] && carrier.extent == 1) carrier = axis;
    }

    void number_output() {
        for (const Label label : subscripts_.output()) {
            if (label == kEllipsis)
                for (std::size_t i = 0; i < ellipsis_rank_; ++i)
                    network_.output.push_back(static_cast<LabelId>(i));
            else
                network_.output.push_back(ids_.at(label));
        }
    }

    /// Compares operand `k` with the extents of its labels, and takes the labels off the axes that broadcast.
    void check_extents(std::size_t k) {
        LabelIds kept;
        Dims& dropped = network_.dropped_axes.emplace_back();
        for (std::size_t i = 0; i < network_.inputs[k].size(); ++i) {
            const LabelId id = network_.inputs[k][i];
            const auto label = static_cast<std::size_t>(id);
            const Axis axis{k, i, shapes_[k][i]};
            if (axis.extent == carriers_[label].extent)
                kept.push_back(id);
            else if (broadcasts_[label] && axis.extent == 1)
                dropped.push_back(static_cast<Index>(i));
            else
                fail(ErrorKind::ShapeMismatch, text("label ", network_.names[label], " has ",
                                                    axis_text(carriers_[label]), " but ", axis_text(axis)));
        }
        network_.inputs[k] = std::move(kept);
    }

    const Subscripts& subscripts_;
    std::span<const Dims> shapes_;
    std::vector<std::size_t> covered_;  // by each operand's ellipsis
    std::size_t ellipsis_rank_ = 0;
    std::unordered_map<Label, LabelId> ids_;
    std::vector<bool> broadcasts_;  // of each label: whether extent 1 fits any other
    std::vector<Axis> carriers_;    // of each label: the axis that tells its extent
    Network network_;
};

}  // namespace

Network resolve(const Subscripts& subscripts, std::span<const Dims> shapes) try {
    return Resolver(subscripts, shapes).run();
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

Dims output_shape(const Network& network) try {
    Dims shape;
    shape.reserve(network.output.size());
    for (const LabelId id : network.output) shape.push_back(network.extents[static_cast<std::size_t>(id)]);
    return shape;
} catch (const std::bad_alloc&) {
    throw_out_of_memory("einsum");
}

}}}  // namespace tenferro::TENFERRO_ABI::tensor_network
