# The example of an extension, built against the installed headers and library alone, and run.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/examples/extension -B ${WORK}/extension
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/extension COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/extension/main OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(JOIN "\n" expected "value 11.32 gradient 0.5 0.8" "compiled 11.32 gradient 0.5 0.8"
  "read back: the same"
  "derivatives: right" "")
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "the example printed:\n${output}")
endif()
