# What the library links: libyaml, HDF5 (serial), Qhull (reentrant), expat and CAMD, the one part of SuiteSparse used (BSD). Its dense algebra is its
# own: results must not depend on threads or on kernels picked by processor. The tool links cairo besides, for PNG,
# and zlib, for the viewer's pages. The same names are looked up again by cairnConfig.cmake.in for static users.

find_package(PkgConfig REQUIRED)
pkg_check_modules(CAIRN_YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(CAIRN_HDF5 REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(CAIRN_QHULL REQUIRED IMPORTED_TARGET qhull_r)
pkg_check_modules(CAIRN_EXPAT REQUIRED IMPORTED_TARGET expat)
pkg_check_modules(CAIRN_CAIRO REQUIRED IMPORTED_TARGET cairo)
pkg_check_modules(CAIRN_ZLIB REQUIRED IMPORTED_TARGET zlib)
# Serves the pages of `cairn view`; without it they can still be written as files.
pkg_check_modules(CAIRN_LWS IMPORTED_TARGET libwebsockets>=4.1)
# Opened at run time, by the importer of robots alone: only its headers are needed here. Not with sanitizers: those of a program in C cannot
# follow the exceptions of a library in C++ that is opened later.
set(CAIRN_ASSIMP_INCLUDE "")
if(CAIRN_ASSIMP AND NOT CAIRN_SANITIZE)
  find_path(CAIRN_ASSIMP_HEADERS assimp/cimport.h)
  if(CAIRN_ASSIMP_HEADERS)
    set(CAIRN_ASSIMP_INCLUDE ${CAIRN_ASSIMP_HEADERS})
  elseif(NOT CAIRN_ASSIMP STREQUAL "AUTO")
    message(FATAL_ERROR "CAIRN_ASSIMP is ON, but assimp/cimport.h is not there (Debian: libassimp-dev)")
  endif()
endif()
find_path(CAMD_INCLUDE camd.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(CAMD_LIBRARY camd REQUIRED)

# Only collision detection, islands and the colours of Gauss-Seidel use threads. The compiler's own library by name for static users, who may have
# it elsewhere.
set(CAIRN_OPENMP_TARGET "")
set(CAIRN_OPENMP_FILES "")
set(CAIRN_OPENMP_STATIC "")
set(CAIRN_OPENMP_NAMES "")
if(CAIRN_OPENMP)
  find_package(OpenMP COMPONENTS C)
endif()
if(CAIRN_OPENMP AND OpenMP_C_FOUND)
  set(CAIRN_OPENMP_TARGET OpenMP::OpenMP_C)
  set(CAIRN_OPENMP_FILES ${OpenMP_C_LIBRARIES})
  foreach(name IN LISTS OpenMP_C_LIB_NAMES)
    list(APPEND CAIRN_OPENMP_STATIC $<BUILD_INTERFACE:${OpenMP_${name}_LIBRARY}> $<INSTALL_INTERFACE:${name}>)
    list(APPEND CAIRN_OPENMP_NAMES -l${name})
  endforeach()
endif()

set(CAIRN_PRIVATE_FILES ${CAIRN_YAML_LINK_LIBRARIES} ${CAIRN_HDF5_LINK_LIBRARIES} ${CAIRN_QHULL_LINK_LIBRARIES}
  ${CAIRN_EXPAT_LINK_LIBRARIES} ${CAMD_LIBRARY} ${CAIRN_OPENMP_FILES}
  ${CMAKE_DL_LIBS} m)
