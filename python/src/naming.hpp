// Functions of the module whose errors name them: what they are made of names itself alone.
#pragma once

#include <utility>

#include <nanobind/nanobind.h>

#include "tenferro/base/error.hpp"

namespace tenferro::python {

namespace nb = nanobind;

/// Throws `error` again, with `name` before its text where that is not among its words.
[[noreturn]] void throw_naming(const char* name, const Error& error);

template <class Result, class... Arguments, class F>
auto called_with(const char* name, F f) {
    return [name, f](Arguments... arguments) -> Result {
        try {
            return f(std::forward<Arguments>(arguments)...);
        } catch (const Error& error) {
            throw_naming(name, error);
        }
    };
}

/// `f`, whose errors name `name`, which lives as long as the program.
template <class F, class Result, class... Arguments>
auto naming(const char* name, F f, Result (F::*)(Arguments...) const) {
    return called_with<Result, Arguments...>(name, f);
}
template <class Result, class... Arguments>
auto naming(const char* name, Result (*f)(Arguments...)) {
    return called_with<Result, Arguments...>(name, f);
}
template <class F>
auto naming(const char* name, F f) {
    return naming(name, f, &F::operator());
}

/// A module that defines such functions.
class NamingModule : public nb::module_ {
public:
    explicit NamingModule(nb::module_ module) : nb::module_(std::move(module)) {}

    template <class F, class... Extra>
    void def(const char* name, F f, const Extra&... extra) {
        nb::module_::def(name, naming(name, f), extra...);
    }
};

}  // namespace tenferro::python
