// Operands of a dtype known at run time.
#include "conformance/samples.hpp"

namespace tenferro::conformance {

Operand::Operand(Draw& draw, DType dtype, const Dims& shape) {
    visit_dtype(dtype, [&]<class T> {
        const auto sample = std::make_shared<test::StridedSample<T>>(draw, shape);
        view_ = &sample->view();
        sample_ = sample;
    });
}

}  // namespace tenferro::conformance
