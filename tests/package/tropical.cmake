# The tropical extension, a library, built against the installed headers and library alone; then its tests.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/extension/tropical -B ${WORK}/tropical
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 "-DCMAKE_CXX_FLAGS=${QUICK_COMPILE}"
  -DCMAKE_COMPILE_WARNING_AS_ERROR=ON
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/tropical COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/tropical --output-on-failure
  COMMAND_ERROR_IS_FATAL ANY)
