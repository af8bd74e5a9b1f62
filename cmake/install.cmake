# Installed: both libraries, the headers, the tool with its manual page and completions, scenes, schema and documents, cairn.pc and the
# CMake package.

include(CMakePackageConfigHelpers)
set(CAIRN_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)

# The tool holds the static library. Other libraries are found where they were at the build, and beside an installed tree that was
# moved.
set_target_properties(cairn PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" INSTALL_RPATH_USE_LINK_PATH ON)
set_target_properties(cairn_shared PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS cairn)
install(TARGETS cairn_shared EXPORT cairnTargets)
install(TARGETS cairn_static EXPORT cairnStaticTargets)
install(DIRECTORY include/cairn TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff TYPE DOC)
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "*.svg")
install(DIRECTORY scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn FILES_MATCHING PATTERN "*.yaml")
install(FILES schema/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn/schema)

# The manual page is what the tool says about itself, so a tool that this machine cannot run has none.
if(NOT CMAKE_CROSSCOMPILING)
  add_custom_command(OUTPUT cairn.1 DEPENDS cairn ${PROJECT_SOURCE_DIR}/tools/make_man.sh VERBATIM
    COMMAND sh ${PROJECT_SOURCE_DIR}/tools/make_man.sh $<TARGET_FILE:cairn> > cairn.1)
  add_custom_target(cairn_manual ALL DEPENDS cairn.1)
  install(FILES ${PROJECT_BINARY_DIR}/cairn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES cli/shell/cairn.bash RENAME cairn DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES cli/shell/cairn.zsh RENAME _cairn DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES cli/shell/cairn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

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
