// The typed error behind the table of operations.
#include "tenferro/tensor/op_table.hpp"

#include "tenferro/base/error.hpp"
#include "tenferro/base/text.hpp"

namespace tenferro::inline TENFERRO_ABI {

void check_supported(OpId op, DType dtype) {
    if (!info(op).dtypes.contains(dtype))
        throw Error(ErrorKind::Unsupported, info(op).name, text("dtype ", info(dtype).name, " is not supported"));
}

}  // namespace tenferro::inline TENFERRO_ABI
