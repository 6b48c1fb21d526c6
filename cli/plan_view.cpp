// Costs per merge, and the renderings.
#include "cli/plan_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <queue>

#include "cli/terminal_text.hpp"

namespace tenferro::cli {
namespace {

/// Levels of the tree that are indented.
constexpr int kMaxIndent = 24;

bool contains(const tensor_network::LabelIds& labels, int label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

}  // namespace

PlanView::PlanView(const tensor_network::EinsumPlan& plan)
    : plan_(plan),
      labels_(tensor_network::node_labels(plan.network(), plan.tree())),
      operands_(static_cast<int>(plan.network().inputs.size())),
      below_(plan.network().inputs.size(), Below{1, 0}) {
    for (const auto& [left, right] : plan.tree().merges) {
        const int result = operands_ + static_cast<int>(merges_.size());
        tensor_network::LabelIds involved = labels_[left];
        for (const int label : labels_[right])
            if (!contains(involved, label)) involved.push_back(label);
        const bool sums = std::any_of(involved.begin(), involved.end(),
                                      [&](int label) { return !contains(labels_[result], label); });
        const double flops = elements(involved) * (sums ? 2 : 1);
        merges_.push_back({left, right, result, flops, elements(labels_[result])});
        below_.push_back({below_[left].operands + below_[right].operands,
                          flops + below_[left].flops + below_[right].flops});
    }
}

double PlanView::elements(const tensor_network::LabelIds& labels) const {
    double product = 1;
    for (const int label : labels) product *= static_cast<double>(plan_.network().extents[label]);
    return product;
}

std::string PlanView::labels_text(int node) const {
    std::string out;
    for (const int label : labels_[node]) out += printable(plan_.network().names[label]);
    return out;
}

std::string PlanView::merge_text(const Merge& merge) const {
    return fmt::format("{},{}->{}", labels_text(merge.left), labels_text(merge.right),
                       labels_text(merge.result));
}

std::string PlanView::node_text(int node) const {
    const std::string labels = labels_[node].empty() ? "scalar" : labels_text(node);
    if (node < operands_) return fmt::format("operand {}: {}", node, labels);
    const Merge& merge = merges_[node - operands_];
    return fmt::format("{}: {}  {:.4g} elements, {:.4g} flops", node, labels, merge.elements, merge.flops);
}

std::vector<bool> PlanView::shown_with_children(std::size_t max_lines) const {
    std::vector<bool> shown(merges_.size(), false);
    const auto cheaper = [&](int a, int b) { return below_[a].flops < below_[b].flops; };
    std::priority_queue<int, std::vector<int>, decltype(cheaper)> dearest(cheaper);
    const auto offer = [&](int node) {
        if (node >= operands_) dearest.push(node);
    };
    offer(operands_ + static_cast<int>(merges_.size()) - 1);
    for (std::size_t lines = 1; !dearest.empty() && lines + 2 <= max_lines; lines += 2) {
        const Merge& merge = merges_[dearest.top() - operands_];
        dearest.pop();
        shown[merge.result - operands_] = true;
        offer(merge.left);
        offer(merge.right);
    }
    return shown;
}

std::string PlanView::tree_text(std::size_t max_lines) const {
    struct Line {
        int node, depth;
        std::string prefix;
        bool last;
    };
    const std::vector<bool> shown = shown_with_children(max_lines);
    std::vector<Line> pending{{operands_ + static_cast<int>(merges_.size()) - 1, 0, "", true}};
    std::string out;
    while (!pending.empty()) {
        const Line line = std::move(pending.back());
        pending.pop_back();
        const std::string number = line.depth > kMaxIndent ? fmt::format("({}) ", line.depth) : "";
        const char* branch = line.depth == 0 ? "" : line.last ? "└─ " : "├─ ";
        out += line.prefix + branch + number + node_text(line.node);
        const bool open = line.node >= operands_ && shown[line.node - operands_];
        if (line.node >= operands_ && !open)
            out += fmt::format(" … from {} operands, {:.4g} flops in all", below_[line.node].operands,
                               below_[line.node].flops);
        out += "\n";
        if (!open) continue;
        const bool deep = line.depth >= kMaxIndent;
        const std::string prefix =
            line.depth == 0 || deep ? line.prefix : line.prefix + (line.last ? "   " : "│  ");
        const Merge& merge = merges_[line.node - operands_];
        pending.push_back({merge.right, line.depth + 1, prefix, true});
        pending.push_back({merge.left, line.depth + 1, prefix, false});
    }
    return out;
}

std::string PlanView::table_text(std::size_t count) const {
    std::vector<Merge> dearest(merges_);
    std::stable_sort(dearest.begin(), dearest.end(),
                     [](const Merge& a, const Merge& b) { return a.flops > b.flops; });
    if (dearest.size() > count) dearest.resize(count);
    std::string out = fmt::format("{:>6} {:>6} {:>6} {:>12} {:>12}  contraction\n", "node", "left", "right",
                                  "elements", "flops");
    for (const Merge& merge : dearest)
        out += fmt::format("{:>6} {:>6} {:>6} {:>12.5g} {:>12.5g}  {}\n", merge.result, merge.left,
                           merge.right, merge.elements, merge.flops, merge_text(merge));
    return out;
}

std::string PlanView::slices_text() const {
    if (plan_.sliced_labels().empty()) return "none";
    std::string names;
    for (const int label : plan_.sliced_labels())
        names += (names.empty() ? "" : " ") + printable(plan_.network().names[label]);
    return fmt::format("{:.0f}, over {}", plan_.cost().slices, names);
}

void PlanView::add_to(Json& report) const {
    const auto& cost = plan_.cost();
    report.add("operands", operands_);
    report.add("shape", Json::list_of(plan_.output_shape()));
    report.add("flops", cost.flops);
    report.add("log10_flops", std::log10(cost.flops));
    report.add("bytes", cost.bytes);
    report.add("predicted_seconds", cost.seconds);
    report.add("peak_bytes", cost.peak_bytes);
    report.add("slices", cost.slices);
    Json& sliced = report.add("sliced_labels", Json::list());
    for (const int label : plan_.sliced_labels()) sliced.add(plan_.network().names[label]);
    report.add("largest_intermediate_elements", cost.largest_intermediate);
    report.add("total_elements_written", cost.total_writes);
    report.add("path", Json::list_of(tensor_network::path_from_tree(plan_.tree())));
    Json& merges = report.add("merges", Json::list());
    for (const Merge& merge : merges_)
        merges.add(Json::object()
                       .with("node", merge.result)
                       .with("left", merge.left)
                       .with("right", merge.right)
                       .with("contraction", merge_text(merge))
                       .with("elements", merge.elements)
                       .with("flops", merge.flops));
}

}  // namespace tenferro::cli
