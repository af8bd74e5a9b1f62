# Installed: both libraries, the headers, the tool, cairn.pc and the CMake package.

include(CMakePackageConfigHelpers)
set(CAIRN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)

install(TARGETS cairn)
install(TARGETS cairn_shared EXPORT cairnTargets)
install(TARGETS cairn_static EXPORT cairnStaticTargets)
install(DIRECTORY include/cairn TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE TYPE DOC)

install(EXPORT cairnTargets NAMESPACE cairn:: DESTINATION ${CAIRN_CMAKE_DIR})
install(EXPORT cairnStaticTargets NAMESPACE cairn:: DESTINATION ${CAIRN_CMAKE_DIR})
configure_package_config_file(cmake/cairnConfig.cmake.in cairnConfig.cmake INSTALL_DESTINATION ${CAIRN_CMAKE_DIR})
# Before 1.0 a minor version may change the interface, so only the same minor version is compatible.
write_basic_package_version_file(cairnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cairnConfig.cmake ${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake
  DESTINATION ${CAIRN_CMAKE_DIR})

# The prefix in cairn.pc is relative to the file itself, so that an installed tree may be moved.
file(RELATIVE_PATH CAIRN_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(CAIRN_PC_PRIVATE ${CAIRN_YAML_LDFLAGS} ${CAIRN_HDF5_LDFLAGS} ${CAIRN_QHULL_LDFLAGS} ${CAIRN_EXPAT_LDFLAGS} ${CAIRN_OPENMP_NAMES})
list(JOIN CAIRN_PC_PRIVATE " " CAIRN_PC_PRIVATE)
configure_file(cmake/cairn.pc.in cairn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/cairn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
