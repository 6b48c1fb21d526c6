# Install rules: both libraries, headers, the command, a CMake package (components `static` for the static
# library and `contraction` for algebras of the user) and pkg-config files.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenferro)

install(TARGETS tenferro EXPORT tenferroTargets)
# A tree in which only the command was built has no archive; the package then has no component `static`.
install(TARGETS tenferro_static EXPORT tenferroStaticTargets ARCHIVE OPTIONAL)
install(TARGETS tenferro_contraction EXPORT tenferroContractionTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TENFERRO_CLI)
  install(TARGETS tenferro_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
foreach(set tenferroTargets tenferroStaticTargets tenferroContractionTargets)
  install(EXPORT ${set} NAMESPACE tenferro:: DESTINATION ${package_dir})
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tenferroConfig.cmake.in
  ${PROJECT_BINARY_DIR}/tenferroConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenferroConfigVersion.cmake COMPATIBILITY
  SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenferroConfig.cmake ${PROJECT_BINARY_DIR}/tenferroConfigVersion.cmake
  DESTINATION ${package_dir})

foreach(file tenferro.pc tenferro-contraction.pc)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${file}.in ${PROJECT_BINARY_DIR}/${file} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
