// One class per row of the table of error kinds, made when the module is.
#include "errors.hpp"

#include "naming.hpp"

#include <array>
#include <cctype>
#include <new>
#include <string>
#include <string_view>

namespace tenferro::python {

namespace {

std::array<PyObject*, kErrorKinds.size()> classes{};

/// Sets `error` with its text, unless an error is set already.
void set_error(const Error& error) noexcept {
    if (PyErr_Occurred() != nullptr) return;
    PyErr_SetString(error_class(error.root_kind()).ptr(), error.what());
}

}  // namespace

void throw_naming(const char* name, const Error& error) {
    const std::string_view said = error.what(), word = name;
    const auto is_letter = [](char c) {
        return c == '_' || (std::isalnum(static_cast<unsigned char>(c)) != 0);
    };
    for (std::size_t at = said.find(word); at != said.npos; at = said.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_letter(said[at - 1])) && (end == said.size() || !is_letter(said[end]))) throw;
    }
    throw Error(error.kind(), word, said, error);
}

nb::handle error_class(ErrorKind kind) noexcept { return classes[static_cast<std::size_t>(kind)]; }

void set_current_error() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        set_error(error);
    } catch (nb::python_error& error) {
        error.restore();
    } catch (const nb::builtin_exception& error) {
        const bool is_import = error.type() == nb::exception_type::import_error;
        PyErr_SetString(is_import ? PyExc_ImportError : PyExc_ValueError, error.what());
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& error) {
        PyErr_SetString(PyExc_RuntimeError, error.what());
    } catch (...) {
        PyErr_SetString(PyExc_RuntimeError, "an exception of another language");
    }
}

void bind_errors(nb::module_& module) {
    nb::object base = nb::steal(PyErr_NewExceptionWithDoc(
        "tenferro.errors.Error", "What every failing operation of tenferro raises.", nullptr, nullptr));
    module.attr("Error") = base;
    const nb::module_ builtins = nb::module_::import_("builtins");
    for (const ErrorKindInfo& row : kErrorKinds) {
        const std::string name(row.name), python(row.python);
        const nb::object bases = nb::make_tuple(base, builtins.attr(python.c_str()));
        nb::object made =
            nb::steal(PyErr_NewException(("tenferro.errors." + name).c_str(), bases.ptr(), nullptr));
        if (!made.is_valid()) throw nb::python_error();
        module.attr(name.c_str()) = made;
        classes[static_cast<std::size_t>(row.kind)] = made.release().ptr();
    }
    nb::register_exception_translator(
        [](const std::exception_ptr& thrown, void*) {
            try {
                std::rethrow_exception(thrown);
            } catch (const Error& error) {
                set_error(error);
            }
        },
        nullptr);
}

}  // namespace tenferro::python
