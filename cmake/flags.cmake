# Compiler settings of every target of this project, as one interface target: cairn_flags.
#
# Determinism: no contraction to fused multiply-add, no fast-math, no -march=native. Release is -O2; Debug keeps the
# assertions and optimises a little, because the sanitized suite runs in it.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
if(CAIRN_SANITIZE)
  set(CMAKE_C_FLAGS_DEBUG "-O1 -g1") # lines are all that the reports name
endif()

# -Wno-psabi: functions that pass vectors are inlined, and no vector is passed between files.
add_library(cairn_flags INTERFACE)
target_compile_definitions(cairn_flags INTERFACE _GNU_SOURCE)
target_compile_options(cairn_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
  -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wno-psabi -ffp-contract=off
  -fvisibility=$<IF:$<BOOL:${CAIRN_SHARED_TESTS}>,default,hidden>
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.
  $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>) # loops that a sanitized build does not unroll
if(CAIRN_WERROR)
  target_compile_options(cairn_flags INTERFACE -Werror)
endif()
if(CAIRN_SYNTAX_ONLY)
  target_compile_options(cairn_flags INTERFACE -fsyntax-only)
endif()
if(CAIRN_SHARED_TESTS)
  # Hundreds of programs with a library that shows all symbols: gold links one in 0.06 s, the default linker in 0.33 s.
  include(CheckLinkerFlag)
  check_linker_flag(C -fuse-ld=gold CAIRN_HAS_GOLD)
  if(CAIRN_HAS_GOLD)
    add_link_options(-fuse-ld=gold)
  endif()
endif()

set(CAIRN_SANITIZE_FLAGS "")
if(CAIRN_SANITIZE)
  set(CAIRN_SANITIZE_FLAGS -fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(${CAIRN_SANITIZE_FLAGS})
  add_link_options(${CAIRN_SANITIZE_FLAGS})
  # Two checks of the undefined-behaviour sanitizer make a third of the code, and look for what ends in an access that the address sanitizer
  # reports: the size of an object, and addresses that wrap around. The rooms that are fuzzed keep the latter (fuzz.cmake); the long suite has both.
  if(CAIRN_SANITIZE MATCHES "address" AND CAIRN_SANITIZE MATCHES "undefined" AND NOT DEFINED ENV{CAIRN_LONG})
    add_compile_options(-fno-sanitize=object-size)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
      add_compile_options(-fno-sanitize=pointer-overflow)
    endif()
  endif()
endif()
