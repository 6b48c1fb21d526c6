# Install rules: both libraries, headers, the command, a CMake package (component `static` for the static library) and a
# pkg-config file.
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tenferro)

install(TARGETS tenferro EXPORT tenferroTargets)
install(TARGETS tenferro_static EXPORT tenferroStaticTargets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TENFERRO_CLI)
  install(TARGETS tenferro_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
foreach(set tenferroTargets tenferroStaticTargets)
  install(EXPORT ${set} NAMESPACE tenferro:: DESTINATION ${package_dir})
endforeach()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/tenferroConfig.cmake.in ${PROJECT_BINARY_DIR}/tenferroConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tenferroConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tenferroConfig.cmake ${PROJECT_BINARY_DIR}/tenferroConfigVersion.cmake DESTINATION ${package_dir})

set(TENFERRO_PC_PRIVATE "libhwy")
if(TENFERRO_BLAS)
  string(APPEND TENFERRO_PC_PRIVATE " openblas")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/tenferro.pc.in ${PROJECT_BINARY_DIR}/tenferro.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tenferro.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
