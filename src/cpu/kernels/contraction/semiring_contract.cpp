// The public contraction engine: checks, analysis, and the choice between tiles and lines by the work per
// slice.
#include "tenferro/cpu/contraction/contract.hpp"

#include <algorithm>
#include <string_view>

#include "cpu/exec_session.hpp"
#include "cpu/kernels/contraction/engines.hpp"
#include "cpu/kernels/movement/copy.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"
#include "tenferro/tensor/tensor.hpp"
#include "tensor/operations/checks.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

namespace {

constexpr double kSmallSlice = 100;    ///< multiply-adds of a slice that do not pay for tables
constexpr double kSliceOfRows = 1000;  ///< the same where rows can run along the batch
constexpr Index kLongAxis = 16;        ///< shortest axis worth running along
constexpr Index kShallow = 8;          ///< K below which packing costs as much as multiplying

void check_dtype(const KernelTable& kernels, const TensorRead& tensor, std::string_view op,
                 std::string_view name) {
    if (tensor.dtype() != kernels.dtype)
        throw Error(ErrorKind::DTypeMismatch, op,
                    text(name, " has dtype ", info(tensor.dtype()).name, " but the algebra is on ",
                         info(kernels.dtype).name));
}

Dims result_shape(const KernelTable& kernels, const TensorRead& lhs, const TensorRead& rhs,
                  const DotGeneralConfig& config, std::string_view op) {
    check_dtype(kernels, lhs, op, "lhs");
    check_dtype(kernels, rhs, op, "rhs");
    Dims shape = dot_general_shape(lhs.shape(), rhs.shape(), config);
    (void)element_count(shape, op);
    return shape;
}

bool prefers_lines(const Contraction& loops) {
    const double slice = loops.multiply_adds() / static_cast<double>(loops.batch_size);
    if (loops.k_size == 0 || slice <= kSmallSlice) return true;
    if (loops.k_size < kShallow && std::max(loops.m_size, loops.n_size) >= kLongAxis) return true;
    return !loops.batch.empty() && loops.batch[0].stride[kA] == 1 && loops.batch[0].stride[kB] == 1 &&
           loops.batch[0].extent >= kLongAxis && slice <= kSliceOfRows;
}

void run(Contraction& loops, const KernelTable& kernels, Index* winners, CpuContext& context) {
    if (loops.m_size == 0 || loops.n_size == 0 || loops.batch_size == 0) return;
    if (prefers_lines(loops)) return line_product(loops, kernels, winners, context);
    if (winners == nullptr && direct_product(loops, kernels, context)) return;
    turn_sides(loops, kernels);
    packed_product(loops, kernels, winners == nullptr ? WinnerPass::None : WinnerPass::Find, winners,
                   context);
}

/// Elements of the result and their winners are reached by the same offsets.
void find_winners(const KernelTable& kernels, const TensorRead& lhs, const TensorRead& rhs,
                  const DotGeneralConfig& config, const TensorRead& result, const TensorWrite& winners,
                  CpuContext& context) {
    fill_zero(winners, context);
    const TensorWrite c(result.dtype(), const_cast<void*>(result.data()), result.shape(),
                        result.strides());  // only read
    Contraction loops = analyse(lhs, rhs, config, c, KOrder::Listed);
    if (loops.k_size != 0) run(loops, kernels, winners.data_as<Index>(), context);
}

}  // namespace

void contract(const KernelTable& kernels, const TensorRead& lhs, const TensorRead& rhs,
              const DotGeneralConfig& config, const TensorWrite& out, CpuContext& context) {
    constexpr std::string_view op = "contract";
    check_out(kCpuInfo, out, kernels.dtype, result_shape(kernels, lhs, rhs, config, op), op);
    check_place(kCpuInfo, lhs, op, "lhs");
    check_place(kCpuInfo, rhs, op, "rhs");
    check_no_overlap(lhs, out, op, "lhs");
    check_no_overlap(rhs, out, op, "rhs");
    Contraction loops = analyse(lhs, rhs, config, out);
    run(loops, kernels, nullptr, context);
}

void contract_winners(const KernelTable& kernels, const TensorRead& lhs, const TensorRead& rhs,
                      const DotGeneralConfig& config, const TensorRead& result, const TensorWrite& winners,
                      CpuContext& context) {
    constexpr std::string_view op = "contract_winners";
    if (kernels.find_winners == nullptr)
        throw Error(ErrorKind::Unsupported, op, "the algebra has no winners: its sum does not select");
    const Dims shape = result_shape(kernels, lhs, rhs, config, op);
    check_dtype(kernels, result, op, "result");
    check_same_shape(result.shape(), shape, op, "result", "the contraction");
    check_out(kCpuInfo, winners, DType::I64, shape, op);
    check_place(kCpuInfo, lhs, op, "lhs");
    check_place(kCpuInfo, rhs, op, "rhs");
    check_no_overlap(lhs, winners, op, "lhs");
    check_no_overlap(rhs, winners, op, "rhs");
    check_no_overlap(result, winners, op, "result");
    if (result.strides() == winners.strides())
        return find_winners(kernels, lhs, rhs, config, result, winners, context);
    Tensor compact_result = Tensor::zeros(result.dtype(), shape),
           compact_winners = Tensor::zeros(DType::I64, shape);
    copy(result, compact_result.write(), context);
    find_winners(kernels, lhs, rhs, config, compact_result, compact_winners.write(), context);
    copy(compact_winners, winners, context);
}

bool contract_tracked(const KernelTable& kernels, const TensorRead& lhs, const TensorRead& rhs,
                      const DotGeneralConfig& config, const TensorWrite& out, const TensorWrite& origins,
                      CpuContext& context) {
    constexpr std::string_view op = "contract_tracked";
    const Dims shape = result_shape(kernels, lhs, rhs, config, op);
    check_out(kCpuInfo, out, kernels.dtype, shape, op);
    check_out(kCpuInfo, origins, DType::I64, shape, op);
    check_place(kCpuInfo, lhs, op, "lhs");
    check_place(kCpuInfo, rhs, op, "rhs");
    for (const TensorWrite* written : {&out, &origins}) {
        check_no_overlap(lhs, *written, op, "lhs");
        check_no_overlap(rhs, *written, op, "rhs");
    }
    check_no_overlap(out, origins, op, "out");
    if (kernels.multiply_tracked == nullptr || out.strides() != origins.strides()) return false;
    Contraction loops = analyse(lhs, rhs, config, out, KOrder::Listed);
    if (loops.m_size == 0 || loops.n_size == 0 || loops.batch_size == 0 || prefers_lines(loops)) return false;
    turn_sides(loops, kernels);
    packed_product(loops, kernels, WinnerPass::Track, origins.data_as<Index>(), context);
    return true;
}

}}}  // namespace tenferro::TENFERRO_ABI::cpu
