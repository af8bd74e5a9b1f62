# One libFuzzer target for each tests/fuzz/*.c. As a CTest test each runs for CAIRN_FUZZ_SECONDS, starting from the
# built-in scenes and tests/corpus/<target>/, with a fixed seed.

set(CAIRN_FUZZ_SECONDS 30 CACHE STRING "Seconds each fuzz target runs under CTest")
# The kernels of the sweeps read no input; clang takes ten minutes to instrument them. The suite under gcc's sanitizers covers them.
file(GLOB CAIRN_FUZZ_KERNELS CONFIGURE_DEPENDS src/solve/compact/visit_*.c src/solve/compact/fields_*.c)
set_source_files_properties(${CAIRN_FUZZ_KERNELS} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
add_custom_target(fuzzers)
file(GLOB CAIRN_FUZZ_SOURCES CONFIGURE_DEPENDS tests/fuzz/*.c)
foreach(source IN LISTS CAIRN_FUZZ_SOURCES)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  add_dependencies(fuzzers ${name})
  target_include_directories(${name} PRIVATE src tests)
  target_link_libraries(${name} PRIVATE cairn_static)
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
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
