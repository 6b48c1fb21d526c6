# A shared library with an algebra of its own, built against the installed headers and library alone; then its
# check.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/semiring -B ${WORK}/semiring
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} "-DCMAKE_CXX_FLAGS=${QUICK_COMPILE}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/semiring COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/semiring/check COMMAND_ERROR_IS_FATAL ANY)
