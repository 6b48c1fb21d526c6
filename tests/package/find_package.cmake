# find_package(tenferro), shared and static, from the installed prefix; then runs both programs.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/find_package -B
  ${WORK}/find_package
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/find_package COMMAND_ERROR_IS_FATAL ANY)
foreach(program consumer_c consumer_cpp consumer_static)
  execute_process(COMMAND ${WORK}/find_package/${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
