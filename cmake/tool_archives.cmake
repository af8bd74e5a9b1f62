# The tool with its libraries inside.
#
#   cairn_link_archives(<target>)
#
# HDF5's shared library loads libcurl and Kerberos, cairo's loads X11: 60 shared objects and 8 ms before main(), for code
# that no command calls. From the archives of the same libraries the linker takes only what is called; the tool then
# loads the C library and OpenMP's, and starts in about 1 ms. Where an archive is missing, or they do not link (built
# otherwise than Debian's), the tool keeps the shared libraries.

option(CAIRN_ARCHIVES "Link the tool with the archives of its libraries where they are installed: it starts faster" ON)

include(CheckCSourceCompiles)

# Paths of the archives in link order, or nothing where one of them is missing.
function(cairn_find_archives result)
  set(names yaml hdf5 qhullstatic_r camd suitesparseconfig)
  if(CAIRN_LWS_FOUND)
    list(APPEND names websockets cap ssl crypto)
  endif()
  list(APPEND names cairo pixman-1 fontconfig freetype png16 expat brotlidec brotlicommon z sz aec)
  set(found "")
  foreach(name IN LISTS names)
    find_library(CAIRN_ARCHIVE_${name} NAMES lib${name}.a HINTS ${CAIRN_HDF5_LIBRARY_DIRS})
    mark_as_advanced(CAIRN_ARCHIVE_${name})
    if(NOT CAIRN_ARCHIVE_${name})
      message(STATUS "lib${name}.a is missing: the tool links shared libraries and starts more slowly")
      set(${result} "" PARENT_SCOPE)
      return()
    endif()
    list(APPEND found ${CAIRN_ARCHIVE_${name}})
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# Whether the archives are complete: a program that calls into each library links with nothing else.
function(cairn_check_archives archives)
  set(CMAKE_REQUIRED_LIBRARIES ${archives} dl pthread m)
  set(functions yaml_parser_parse H5Fopen H5Dread H5Dwrite qh_new_qhull camd_order cairo_show_text
    cairo_image_surface_create cairo_surface_write_to_png_stream deflate)
  if(CAIRN_LWS_FOUND)
    list(APPEND functions lws_create_context)
  endif()
  set(declared "")
  set(called "")
  foreach(function IN LISTS functions)
    string(APPEND declared "char ${function}(void);\n")
    string(APPEND called "${function}();")
  endforeach()
  check_c_source_compiles("${declared} int main(void) { ${called} return 0; }" CAIRN_ARCHIVES_LINK)
endfunction()

function(cairn_link_archives target)
  if(NOT CAIRN_ARCHIVES OR CAIRN_SHARED_TESTS)
    return()
  endif()
  cairn_find_archives(archives)
  if(archives)
    cairn_check_archives("${archives}")
  endif()
  if(NOT archives OR NOT CAIRN_ARCHIVES_LINK)
    return()
  endif()
  # The shared libraries follow on the command line; nothing is left for them to define, so none is recorded.
  target_link_options(${target} PRIVATE LINKER:--as-needed)
  target_link_libraries(${target} PRIVATE cairn_static ${archives} ${CMAKE_DL_LIBS})
endfunction()
