# The source tree as a subdirectory of another project, without BLAS, linked from the objects of this build
# but for those that could differ (reuse_object.py).
file(REMOVE_RECURSE ${WORK}/add_subdirectory)
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/add_subdirectory
  -B ${WORK}/add_subdirectory -DTENFERRO_SOURCE=${SOURCE} -DTENFERRO_BLAS=OFF -DCMAKE_BUILD_TYPE=Debug
  ${UNITY_BUILD} -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  "-DCMAKE_CXX_COMPILER_LAUNCHER=${PYTHON};${SOURCE}/tests/package/add_subdirectory/reuse_object.py;${BUILD}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/add_subdirectory --target consumer
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/add_subdirectory/consumer COMMAND_ERROR_IS_FATAL ANY)
