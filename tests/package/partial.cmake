# Where the archive was not built, because only the command was asked for, the installation is whole but for
# the component `static`, and a project that asks for that component is told why it is missing; likewise one
# that asks for an unknown one.
file(READ ${BUILD}/cmake_install.cmake script)
string(REPLACE "/libtenferro.a" "/not-built/libtenferro.a" script "${script}")
file(WRITE ${WORK}/partial/install.cmake "${script}")
set(prefix ${WORK}/partial/prefix)
execute_process(COMMAND ${CMAKE_COMMAND} -DCMAKE_INSTALL_PREFIX=${prefix} -P ${WORK}/partial/install.cmake
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

function(expect_refusal component reason)
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/components
    -B ${WORK}/components -DCMAKE_PREFIX_PATH=${prefix} -DCOMPONENT=${component}
    -DCMAKE_C_COMPILER=${C_COMPILER}
    ERROR_VARIABLE errors RESULT_VARIABLE code OUTPUT_QUIET)
  string(REGEX REPLACE "[ \n]+" " " errors "${errors}")
  if(code EQUAL 0 OR NOT errors MATCHES "${reason}")
    message(FATAL_ERROR "asked for '${component}', find_package ended with ${code} and said:\n${errors}")
  endif()
endfunction()
expect_refusal(static "no component 'static': the archive was not built")
set(prefix ${WORK}/prefix)
expect_refusal(bogus
  "no component 'bogus': there are 'raii', 'static', 'contraction' and 'fortran'")
expect_refusal(fortran "no component 'fortran': the project has not enabled the language Fortran")
