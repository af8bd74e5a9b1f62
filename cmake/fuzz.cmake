# One libFuzzer target for each tests/fuzz/*.c, linked with the library of the sanitized tests, so that nothing is compiled for them alone. As a
# CTest test each runs for CAIRN_FUZZ_SECONDS, starting from the built-in scenes and tests/corpus/<target>/, with a fixed seed.
#
# libFuzzer is clang's, the compiler may be gcc: the rooms that read bytes from outside call tests/fuzz/coverage/passes.c, and libFuzzer when they
# compare.

if(NOT CAIRN_SANITIZE MATCHES "address" OR NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
  message(FATAL_ERROR "CAIRN_FUZZ needs gcc and -DCAIRN_SANITIZE=address,undefined")
endif()
execute_process(COMMAND clang -print-file-name=libclang_rt.fuzzer-x86_64.a OUTPUT_VARIABLE CAIRN_LIBFUZZER OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT EXISTS "${CAIRN_LIBFUZZER}")
  message(FATAL_ERROR "CAIRN_FUZZ needs libFuzzer, which comes with clang (tools/install_packages.sh test)")
endif()

set(seconds 20)
if(DEFINED ENV{CAIRN_LONG})
  set(seconds 30)
endif()
set(CAIRN_FUZZ_SECONDS ${seconds} CACHE STRING "Seconds each fuzz target runs under CTest")

set(CAIRN_COVERAGE_FLAGS -fsanitize-coverage=trace-pc,trace-cmp -fsanitize=pointer-overflow)
file(GLOB CAIRN_FUZZ_SOURCES CONFIGURE_DEPENDS tests/fuzz/*.c)
file(GLOB_RECURSE CAIRN_READERS CONFIGURE_DEPENDS src/scene/*.c src/import/*.c src/run/*.c src/base/*.c src/step/keep/*.c)
file(GLOB shape_readers CONFIGURE_DEPENDS src/model/*.c src/model/shape/*.c)
set_property(SOURCE ${CAIRN_READERS} ${shape_readers} APPEND PROPERTY COMPILE_OPTIONS ${CAIRN_COVERAGE_FLAGS})
target_sources(cairn_objects PRIVATE tests/fuzz/coverage/passes.c)
set_property(SOURCE tests/fuzz/coverage/passes.c PROPERTY COMPILE_OPTIONS -O2 -fno-sanitize=all)

foreach(source IN LISTS CAIRN_FUZZ_SOURCES)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE src tests)
  target_link_libraries(${name} PRIVATE cairn_flags cairn_static PkgConfig::CAIRN_HDF5 ${CAIRN_LIBFUZZER} stdc++ m)
  set(corpus ${PROJECT_BINARY_DIR}/corpus/${name})
  file(MAKE_DIRECTORY ${corpus})
  set(seeds ${PROJECT_SOURCE_DIR}/scenes)
  if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/tests/corpus/${name})
    set(seeds ${PROJECT_SOURCE_DIR}/tests/corpus/${name})
  endif()
  add_test(NAME ${name} COMMAND ${name} -seed=1 -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0
    -max_total_time=${CAIRN_FUZZ_SECONDS} -artifact_prefix=${PROJECT_BINARY_DIR}/ ${corpus} ${seeds})
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 600)
endforeach()
