// Reports of single tensors.
#include "cli/tensor_report.hpp"

#include <fmt/format.h>

#include <vector>

#include "cli/tensor_text.hpp"
#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::cli {

void expect_json_printable(Index elements, std::string_view command, std::string_view what) {
    if (elements > kMaxJson)
        throw Error(ErrorKind::InvalidArgument, command,
                    text(what, " has ", elements, " elements but at most ", kMaxJson,
                         " are printed as JSON; -o writes them"));
}

Json tensor_json(const Tensor& tensor, const std::string& output) {
    return Json::object()
        .with("dtype", info(tensor.dtype()).name)
        .with("shape", Json::list_of(tensor.shape()))
        .with(output.empty() ? "values" : "output", output.empty() ? values_json(tensor) : Json(output));
}

std::string tensor_text(const Tensor& tensor) {
    return fmt::format("shape {}, dtype {}\n{}\n", shape_text(tensor.shape()), info(tensor.dtype()).name,
                       tensor.size() <= kMaxPrinted
                           ? values_text(tensor)
                           : fmt::format("{} elements; -o writes them", tensor.size()));
}

}  // namespace tenferro::cli
