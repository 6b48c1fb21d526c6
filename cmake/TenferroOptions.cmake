# Compile options of every target of ours: language level, warnings (errors where this is the whole project),
# sanitizers. Consumers get only the language level.

# A definition for kernels of two instruction sets only, the least and the best of this processor: the code is
# the same for all but for the length of vectors, and optimised builds of the library test all. For sanitized
# builds, and for tests of what users build with kernels of their own.
set(TENFERRO_FEW_KERNELS "")
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  file(READ /proc/cpuinfo processor)
  set(TENFERRO_FEW_KERNELS "HWY_BROKEN_TARGETS=HWY_AVX3")
  if(processor MATCHES " avx512vl ")
    set(TENFERRO_FEW_KERNELS "HWY_BROKEN_TARGETS=HWY_AVX2")
  endif()
endif()

add_library(tenferro_options INTERFACE)
target_compile_features(tenferro_options INTERFACE cxx_std_20)
target_compile_options(tenferro_options INTERFACE
  -Wall -Wextra -Wpedantic $<$<BOOL:${PROJECT_IS_TOP_LEVEL}>:-Werror> -Wshadow -Wno-missing-field-initializers
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  # gcc 12 warns wrongly about optimised std::optional and std::string code.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized -Wno-restrict>
  # gcc collects garbage from 128 MiB on, again and again, which takes a fifth of the time of large files.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1048576>
  # clang tells where it does not vectorise a loop that asks for it; without optimisation that is everywhere.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-pass-failed>
  # In a unity build everything seems to come from headers.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wno-subobject-linkage>)
if(TENFERRO_SANITIZE)
  target_compile_options(tenferro_options INTERFACE -fsanitize=${TENFERRO_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(tenferro_options INTERFACE -fsanitize=${TENFERRO_SANITIZE})
  # What is undefined traps without a text, which is a sixth of the time to compile and half of the code with
  # gcc; the preset for tests has the address sanitizer say where.
  if(TENFERRO_SANITIZE MATCHES undefined AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(tenferro_options INTERFACE -fsanitize-undefined-trap-on-error)
  endif()
  # Where stack memory is watched after its function has returned is decided when a program runs, by a code in
  # every function. With gcc it is not unless it is asked for; without that code 4 % less is to compile.
  if(TENFERRO_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(tenferro_options INTERFACE --param=asan-use-after-return=0)
  endif()
  # Programs need not move: what their sanitized code says of itself would be relocated in each of them.
  if(TENFERRO_SANITIZE MATCHES address)
    target_link_options(tenferro_options INTERFACE
      $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
  target_compile_definitions(tenferro_options INTERFACE ${TENFERRO_FEW_KERNELS})
endif()
if(TENFERRO_FUZZ)
  # Of everything, or libFuzzer sees only the few lines of its target.
  target_compile_options(tenferro_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(tenferro_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(TENFERRO_FAULTS)
  target_compile_definitions(tenferro_options INTERFACE TENFERRO_FAULTS)
endif()

# For code whose speed does not matter, tests and the command: compile time counts.
add_library(tenferro_quick_compile INTERFACE)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_compile_options(tenferro_quick_compile INTERFACE -O1)
elseif(TENFERRO_SANITIZE)
  target_compile_options(tenferro_quick_compile INTERFACE -O0)
endif()

# The files of a target are compiled several at a time, which parses the headers once, unless the user says
# otherwise. tools/check_includes.py finds what a file uses without including it.
if(NOT DEFINED CMAKE_UNITY_BUILD)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 20)
endif()
