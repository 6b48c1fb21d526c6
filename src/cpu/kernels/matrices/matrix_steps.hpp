// The steps of a MatrixPlan (matrix_steps.cpp), on the best instruction set of the processor, in one of two
// layouts: several matrices in the lanes of vectors, element e of a value at [(place + e) * lanes], a number
// for each matrix; or one matrix alone, column j of a value at [(place + j) * lanes], with zeros behind.
#pragma once

#include "tenferro/base/function_ref.hpp"
#include "tenferro/tensor/matrix_plan.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <class T>
struct MatrixSteps {
    Index lanes;
    bool alone;  ///< the second layout
    /// Of each group from `begin` on before `end`, read(group) puts the inputs into `memory`, aligned to 64
    /// bytes, all steps are computed and write(group) takes the results out. False where an operand or a
    /// result of a substitution is not finite or of very large or small size, or a pivot is 0.
    bool (*run)(const MatrixPlan& plan, T* memory, Index begin, Index end, FunctionRef<void(Index)> read,
                FunctionRef<void(Index)> write);
    /// Elements [0, count) of `lanes` matrices into lanes, and back to those that are not null; null in the
    /// second layout and where few lanes are used.
    void (*gather)(Index count, const T* const* from, T* to);
    void (*scatter)(Index count, const T* from, T* const* to);
};

/// For a plan of T, float or double: a few matrices alone, where their columns fit into a vector.
template <class T>
[[nodiscard]] MatrixSteps<T> matrix_steps(const MatrixPlan& plan);

/// Of the vectors of any processor.
inline constexpr Index kMostMatrixLanes = 16;

}}}  // namespace tenferro::TENFERRO_ABI::cpu
