# Install rules: both libraries, headers, the command, a CMake package (components `static` for the static
# library, `contraction` for algebras of the user, `fortran` for the module, which comes as source) and
# pkg-config files.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenferro)

install(TARGETS tenferro tenferro_raii EXPORT tenferroTargets)
# A tree in which only the command was built has no archive; the package then has no component `static`.
install(TARGETS tenferro_static EXPORT tenferroStaticTargets ARCHIVE OPTIONAL)
install(TARGETS tenferro_contraction EXPORT tenferroContractionTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(fortran_dir ${CMAKE_INSTALL_DATADIR}/tenferro/fortran)
install(FILES ${PROJECT_SOURCE_DIR}/fortran/tenferro_c.f90 ${PROJECT_SOURCE_DIR}/fortran/tenferro.f90
  DESTINATION ${fortran_dir})
if(TENFERRO_CLI)
  install(TARGETS tenferro_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
foreach(set tenferroTargets tenferroStaticTargets tenferroContractionTargets)
  install(EXPORT ${set} NAMESPACE tenferro:: DESTINATION ${package_dir})
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tenferroConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tenferroConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR fortran_dir)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenferroConfigVersion.cmake COMPATIBILITY
  SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenferroConfig.cmake ${PROJECT_BINARY_DIR}/tenferroConfigVersion.cmake
  DESTINATION ${package_dir})

foreach(file tenferro.pc tenferro-contraction.pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${file}.in ${PROJECT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
