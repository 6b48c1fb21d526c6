// What the derivative suite checks of linear algebra: per registered family a list of samples, or a mark that
// it has no derivative.
#pragma once

#include <string_view>
#include <vector>

#include "tenferro/testing/gradcheck.hpp"

namespace tenferro::ad {

enum class LinalgMark {
    None,         ///< it has samples
    Constant,     ///< its results are constants for derivatives
    Unsupported,  ///< AdRuleUnsupported
};

struct LinalgRow {
    /// Of the family tenferro-linalg.<name>.v1.
    std::string_view name;
    std::vector<gradcheck::Sample> samples;
    LinalgMark mark = LinalgMark::None;
};

const std::vector<LinalgRow>& linalg_rows();
/// Functions that are several operations: norms, powers, products.
const std::vector<gradcheck::Sample>& linalg_compositions();

}  // namespace tenferro::ad
