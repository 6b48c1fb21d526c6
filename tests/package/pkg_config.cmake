# Programs built with pkg-config's flags alone: in C and in C++, with the compiler of the build and with clang
# where there is one, and against the archive. The flags bring our headers and nothing of our own build.
set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/${LIBDIR}/pkgconfig)
function(flags variable)
  execute_process(COMMAND pkg-config ${ARGN} tenferro OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(list UNIX_COMMAND "${text}")
  set(${variable} ${list} PARENT_SCOPE)
endfunction()
function(build_and_run name)
  execute_process(COMMAND ${ARGN} -o ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${WORK}/${name} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(here ${SOURCE}/tests/package)

flags(cflags --cflags)
list(LENGTH cflags count)
if(NOT count EQUAL 1 OR NOT cflags MATCHES "^-I.*/include$")
  message(FATAL_ERROR "pkg-config --cflags gives more than our headers: ${cflags}")
endif()

flags(shared --cflags --libs)
list(APPEND shared -Wl,-rpath,${WORK}/prefix/${LIBDIR})
build_and_run(pkg_config_c ${C_COMPILER} -std=c99 ${here}/consumer.c ${shared})
find_program(CLANG clang)
find_program(CLANGXX clang++)
if(CLANG AND CLANGXX)
  build_and_run(clang_c ${CLANG} -std=c99 -Wall -Wextra -Wpedantic -Werror ${here}/consumer.c ${shared})
  build_and_run(clang_cpp ${CLANGXX} -std=c++20 -Wall -Wextra -Wpedantic -Werror ${here}/consumer.cpp
    ${shared})
else()
  message("not tested with clang: there is none here")
endif()

# Where both libraries are in one folder the linker takes the shared one: a folder with the archive comes
# first.
file(MAKE_DIRECTORY ${WORK}/archive)
file(CREATE_LINK ${WORK}/prefix/${LIBDIR}/libtenferro.a ${WORK}/archive/libtenferro.a SYMBOLIC)
flags(static --static --cflags --libs)
build_and_run(pkg_config_static ${C_COMPILER} -std=c99 ${here}/consumer.c -L${WORK}/archive
  -Wl,--as-needed ${static})
execute_process(COMMAND readelf -d ${WORK}/pkg_config_static OUTPUT_VARIABLE needed
  COMMAND_ERROR_IS_FATAL ANY)
list(FILTER static INCLUDE REGEX "^-l")
list(REMOVE_ITEM static -ltenferro)
list(TRANSFORM static REPLACE "^-l" "lib")
foreach(library IN LISTS static)
  string(FIND "${needed}" "${library}.so" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "pkg-config --static asks for ${library}, which nothing needs")
  endif()
endforeach()
if(needed MATCHES "libtenferro")
  message(FATAL_ERROR "the program of pkg-config --static needs the shared library")
endif()
