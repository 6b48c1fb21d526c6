// One function, which gives arrays of the library of its first operand.
#include "matrix_calls.hpp"

#include <nanobind/stl/string.h>

#include "exchange.hpp"
#include "interrupt.hpp"
#include "matrix_programs.hpp"
#include "tenferro/api/engine.hpp"

namespace tenferro::python {

namespace {

/// Work on fewer elements keeps the interpreter's lock.
constexpr Index kShort = 256;

nb::list matrix_function(const std::string& name, nb::handle operands) {
    Arguments arguments;
    std::vector<Value> values;
    for (const nb::handle operand : operands) values.push_back(arguments.take(operand));
    std::vector<TensorRead> views;
    for (const Value& value : values) views.push_back(value.tensor(name).read());
    const auto program = MatrixProgram::get(name, views.empty() ? DType::F64 : views.front().dtype(),
                                            MatrixProgram::batch_rank(views, name));
    std::vector<Tensor> results = unlocked(views.front().size() >= kShort, [&] {
        return default_engine().backend().with_backend_session(
            [&](BackendSession& session) { return program->run(session, views); });
    });
    nb::list list;
    for (Tensor& result : results) {
        Tensor seen = result.share_as(program->seen(result.read()));
        result = Tensor();  // so that the receiver is the only one that has the memory
        list.append(give(std::move(seen), arguments.library()));
    }
    return list;
}

}  // namespace

void bind_matrix_calls(nb::module_& module) { module.def("_matrix_function", matrix_function); }

}  // namespace tenferro::python
