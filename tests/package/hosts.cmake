# A project in C++17 on the RAII layer and in Fortran on the module, both found with the installed package;
# the module also by pkg-config and the compiler alone.
find_program(FORTRAN NAMES $ENV{FC} gfortran flang ifx)
set(with_fortran OFF)
if(FORTRAN)
  set(with_fortran ON)
else()
  message("not tested in Fortran: there is no compiler here")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE}/tests/package/hosts -B ${WORK}/hosts
  -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DWITH_FORTRAN=${with_fortran}
  -DEXAMPLES=${SOURCE}/examples COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/hosts COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/hosts/host_raii COMMAND_ERROR_IS_FATAL ANY)
if(with_fortran)
  execute_process(COMMAND ${WORK}/hosts/host_fortran COMMAND_ERROR_IS_FATAL ANY)
  set(ENV{PKG_CONFIG_PATH} ${WORK}/prefix/${LIBDIR}/pkgconfig)
  execute_process(COMMAND sh -euc "modules=$(pkg-config --variable=fortrandir tenferro)
    ${FORTRAN} $modules/tenferro_c.f90 $modules/tenferro.f90 ${SOURCE}/examples/fortran/compress.f90 \
      $(pkg-config --libs tenferro) -Wl,-rpath,${WORK}/prefix/${LIBDIR} -o alone && ./alone"
    WORKING_DIRECTORY ${WORK}/hosts COMMAND_ERROR_IS_FATAL ANY)
endif()
