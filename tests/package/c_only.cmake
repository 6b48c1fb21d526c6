# A project whose only language is C, with the shared library and with the archive.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/c_only -B ${WORK}/c_only
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_C_COMPILER=${C_COMPILER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/c_only COMMAND_ERROR_IS_FATAL ANY)
foreach(program consumer_tenferro consumer_static)
  execute_process(COMMAND ${WORK}/c_only/${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
