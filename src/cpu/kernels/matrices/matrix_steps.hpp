// The steps of a MatrixPlan on matrices in the lanes of vectors (matrix_steps.cpp), on the best instruction
// set of the processor. Element e of a value is at [(place + e) * lanes], a number for each matrix.
#pragma once

#include "tenferro/tensor/matrix_plan.hpp"

namespace tenferro { inline namespace TENFERRO_ABI { namespace cpu {

template <class T>
struct MatrixSteps {
    Index lanes;
    /// Computes all steps from the inputs in `memory`, aligned to 64 bytes. False where an operand or a
    /// result of a substitution is not finite or of very large or small size, or a pivot is 0.
    bool (*run)(const MatrixPlan& plan, T* memory);
};

/// For `count` matrices, for T float or double: in short vectors where they fill these.
template <class T>
[[nodiscard]] MatrixSteps<T> matrix_steps(Index count);

/// Of the vectors of any processor.
inline constexpr Index kMostMatrixLanes = 16;

}}}  // namespace tenferro::TENFERRO_ABI::cpu
