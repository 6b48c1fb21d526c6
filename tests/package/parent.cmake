# A project of someone else that adds ours decides for itself: its build type stays unset, and our warnings
# are no errors there.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/add_subdirectory
  -B ${WORK}/parent -DTENFERRO_SOURCE=${SOURCE} -DTENFERRO_BLAS=OFF
  -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(STRINGS ${WORK}/parent/CMakeCache.txt build_type REGEX "^CMAKE_BUILD_TYPE:")
if(NOT build_type MATCHES "=$")
  message(FATAL_ERROR "adding tenferro sets its parent's ${build_type}")
endif()
file(STRINGS ${WORK}/parent/build.ninja errors REGEX "-Werror")
if(errors)
  message(FATAL_ERROR "added to another project, tenferro is compiled with -Werror")
endif()
