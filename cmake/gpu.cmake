# The device's library (src/gpu), and the same source for the processor.
#
#   cairn_gpu()        libcairn_gpu.so, where nvcc is found; libcairn opens it at run time and never links it
#   cairn_gpu_twin()   libcairn_gpu_twin.so, in single precision as on the device; for tests only
#   cairn_processor()  libcairn_processor.so, in double precision
#
# Those for the processor need a C++ compiler.
#
# nvcc comes with CUDA, or with the packages nvidia-cuda-nvcc, nvidia-cuda-runtime and nvidia-cuda-cccl of PyPI, which compile where there is no
# device (-DCAIRN_NVCC=.../nvidia/cu13/bin/nvcc).

set(CAIRN_GPU AUTO CACHE STRING "The device's library: ON (needs nvcc), OFF, or AUTO: where nvcc is there")
set(CAIRN_CUDA_ARCHITECTURE sm_90 CACHE STRING "The device that libcairn_gpu.so is built for")

set(CAIRN_GPU_SOURCE ${PROJECT_SOURCE_DIR}/src/gpu/pipeline.cu)
file(GLOB CAIRN_GPU_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gpu/*.h ${PROJECT_SOURCE_DIR}/src/gpu/*.hpp
     ${PROJECT_SOURCE_DIR}/src/gpu/shapes/*.hpp ${PROJECT_SOURCE_DIR}/src/gpu/joints/*.hpp
     ${PROJECT_SOURCE_DIR}/src/gpu/forces/*.hpp ${PROJECT_SOURCE_DIR}/src/gpu/ranks/*.hpp)

function(cairn_gpu)
  if(NOT CAIRN_GPU)
    return()
  endif()
  find_program(CAIRN_NVCC nvcc)
  if(NOT CAIRN_NVCC)
    if(NOT CAIRN_GPU STREQUAL "AUTO")
      message(FATAL_ERROR "CAIRN_GPU is ON, but nvcc is not there; name it with -DCAIRN_NVCC=PATH")
    endif()
    return()
  endif()
  # the layout of the packages of PyPI: headers beside the compiler
  get_filename_component(home ${CAIRN_NVCC} DIRECTORY)
  get_filename_component(home ${home} DIRECTORY)
  set(include "")
  if(IS_DIRECTORY ${home}/include/cccl)
    set(include -I${home}/include -I${home}/include/cccl -L${home}/lib)
  endif()
  set(library ${PROJECT_BINARY_DIR}/libcairn_gpu.so)
  add_custom_command(OUTPUT ${library} DEPENDS ${CAIRN_GPU_SOURCE} ${CAIRN_GPU_HEADERS} VERBATIM
    COMMAND ${CAIRN_NVCC} -O3 -arch=${CAIRN_CUDA_ARCHITECTURE} -std=c++17 -prec-div=false -prec-sqrt=false -Xcompiler -fPIC,-fvisibility=hidden -shared
            -cudart static ${include} ${CAIRN_GPU_SOURCE} -o ${library}
    COMMENT "Building the device's library")
  add_custom_target(cairn_gpu ALL DEPENDS ${library})
  install(FILES ${library} TYPE LIB)
endfunction()

# Macros: languages are enabled where they are called.
macro(cairn_gpu_on_processor name)
  include(CheckLanguage)
  check_language(CXX)
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cpp CONTENT "#include \"@CAIRN_GPU_SOURCE@\"\n" @ONLY)
    add_library(${name} MODULE ${PROJECT_BINARY_DIR}/${name}.cpp)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu)
    target_compile_options(${name} PRIVATE -std=c++17 ${ARGN} -Wall -Wextra -Wno-psabi -ffp-contract=off -fvisibility=hidden
      $<$<BOOL:${CAIRN_WERROR}>:-Werror>)
    if(CAIRN_SANITIZE) # as all else: 25 s of compiling instead of 70, for steps that take 5 % longer
      target_compile_options(${name} PRIVATE -O1 -g1)
    endif()
  else()
    message(STATUS "there is no C++ compiler: lib${name}.so is left out")
  endif()
endmacro()

macro(cairn_gpu_twin)
  cairn_gpu_on_processor(cairn_gpu_twin -O2)
endmacro()

macro(cairn_processor)
  cairn_gpu_on_processor(cairn_processor -O3 -DCRN_GPU_DOUBLE)
  if(TARGET cairn_processor)
    install(TARGETS cairn_processor LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endmacro()
