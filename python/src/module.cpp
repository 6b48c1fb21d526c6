// The extension module tenferro._core: everything of the package that is compiled.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "einsum.hpp"
#include "einsum_calls.hpp"
#include "errors.hpp"
#include "functions.hpp"
#include "graph.hpp"
#include "host_operations.hpp"
#include "interrupt.hpp"
#include "linear_algebra.hpp"
#include "matrix_calls.hpp"
#include "plan.hpp"
#include "promotion.hpp"
#include "python_operations.hpp"
#include "search.hpp"
#include "tenferro/api/engine.hpp"
#include "tensor.hpp"
#include "xla_handlers.hpp"

NB_MODULE(_core, plain) {
    using namespace tenferro::python;
    NamingModule module(plain);
    nb::set_leak_warnings(false);
    note_main_thread();
    bind_exchange(module);
    module.attr("__version__") = tenferro::version();
    nb::module_ errors = module.def_submodule("_errors");
    bind_errors(errors);
    register_host_operations();
    bind_dtypes(module);
    bind_tensor(module);
    bind_einsum(module);
    bind_plan(module);
    bind_elementwise(module);
    bind_reductions(module);
    bind_structure(module);
    bind_products(module);
    bind_creation(module);
    bind_finding(module);
    bind_graph(module);
    bind_linear_algebra(module);
    bind_matrix_calls(module);
    bind_einsum_calls(module);
    bind_xla_handlers(module);
    bind_checkpoint(module);
    bind_python_operations(module);
    bind_search(module);
    module.def("num_threads", tenferro::num_threads, "Threads that operations use.");
    module.def("set_num_threads", tenferro::set_num_threads, nb::arg("threads"),
               "Sets them, for operations that start from now on.");
}
