# A C library of an extension, built against the installed headers and library alone; then its check.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/c_library -B ${WORK}/c_library
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/c_library COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/c_library/check COMMAND_ERROR_IS_FATAL ANY)
