# The source tree as a subdirectory of another project, without BLAS; unoptimised, for one instruction set
# and as a unity build to be quick.
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/add_subdirectory -B ${WORK}/add_subdirectory
  -DTENFERRO_SOURCE=${SOURCE} -DTENFERRO_BLAS=OFF -DCMAKE_BUILD_TYPE=Debug
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16
  -DCMAKE_CXX_FLAGS=-DHWY_COMPILE_ONLY_STATIC -DCMAKE_C_COMPILER=${C_COMPILER}
  -DCMAKE_CXX_COMPILER=${CXX_COMPILER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/add_subdirectory --target consumer COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/add_subdirectory/consumer COMMAND_ERROR_IS_FATAL ANY)
