# Language level, warnings and build switches shared by every target.
if(SKBUILD)  # a wheel holds no tests, and building one must not need GoogleTest
  set(tests_default OFF)
else()
  set(tests_default ON)
endif()
option(TRAINYARD_TESTS "Build the C++ tests" ${tests_default})
option(TRAINYARD_BENCHMARKS "Build the benchmarks" OFF)
option(TRAINYARD_PYTHON "Build the Python extension" OFF)
option(TRAINYARD_UNITY "Compile many files of a folder at a time: a shorter build, longer ones after a change" OFF)
option(TRAINYARD_FUZZ "Build the fuzz targets; needs clang" OFF)
option(TRAINYARD_COVERAGE "Count which lines of graph and compiler are executed (gcov)" OFF)
option(TRAINYARD_WERROR "Treat warnings as errors" ON)
set(TRAINYARD_SANITIZE "" CACHE STRING "Sanitizers for every target, as -fsanitize= takes them")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2")  # assertions stay on: they are part of the product

# Headers from outside that most units read (docs/decisions/0005).
set(TRAINYARD_COMMON_HEADERS <algorithm> <array> <cmath> <cstdint> <cstring> <functional> <limits> <map> <memory>
    <numeric> <optional> <set> <span> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h> <fmt/ranges.h>)
if(TRAINYARD_SANITIZE OR TRAINYARD_FUZZ OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(TRAINYARD_PRECOMPILE OFF)
else()
  set(TRAINYARD_PRECOMPILE ON)
endif()

find_program(TRAINYARD_CCACHE ccache)
if(TRAINYARD_CCACHE)
  # Paths relative to the checkout and no build directory in the key: a second checkout, another preset with the same
  # flags and the wheel find what the first build left. The namespace stands for what ccache leaves out of the key:
  # raise its number when -fmacro-prefix-map changes. What the collector of garbage waits for (below) changes no output.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
      CCACHE_NOHASHDIR=1 CCACHE_INODECACHE=1 CCACHE_NAMESPACE=trainyard-1 "CCACHE_IGNOREOPTIONS=--param=ggc-*"
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${TRAINYARD_CCACHE}")
endif()

# g++ collects garbage once it holds more than 1 GiB (by itself 128 MiB): 0.87 of the processor time (docs/decisions/0005).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=1048576)
endif()

# A header that is compiled once more reads what it has been compiled to, and what comes out is no other checkout's: when flags
# may have changed, it starts from nothing.
file(GLOB compiled_headers "${PROJECT_BINARY_DIR}/*/CMakeFiles/*/cmake_pch.hxx.gch"
     "${PROJECT_BINARY_DIR}/*/*/CMakeFiles/*/cmake_pch.hxx.gch")
foreach(header IN LISTS compiled_headers)
  if("${CMAKE_CURRENT_LIST_FILE}" IS_NEWER_THAN "${header}")
    file(REMOVE "${header}")
  endif()
endforeach()

add_library(trainyard_options INTERFACE)
# No fused or reordered host arithmetic: results are the same on every host.
target_compile_options(trainyard_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion
                       -Wsign-conversion -ffp-contract=off)
# Places in messages start at the checkout, whether or not ccache has made the path relative.
file(RELATIVE_PATH source_from_build "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/.")  # ends in /
target_compile_options(trainyard_options INTERFACE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/="
                       "-fmacro-prefix-map=${source_from_build}=")
if(TRAINYARD_PRECOMPILE)  # g++ 12 forgets that a precompiled std::string is not ours to be warned of (GCC bug 105651)
  target_compile_options(trainyard_options INTERFACE -Wno-restrict -Wno-array-bounds -Wno-stringop-overread
                         -Wno-stringop-overflow)
endif()
if(TRAINYARD_WERROR)
  target_compile_options(trainyard_options INTERFACE -Werror)
endif()
if(TRAINYARD_FUZZ)  # libFuzzer follows what it reaches in the libraries, too
  target_compile_options(trainyard_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(TRAINYARD_SANITIZE)
  target_compile_options(trainyard_options INTERFACE -fsanitize=${TRAINYARD_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all
                         # They stand at each access to a member and cost g++ 12 as much time as all the others. A null
                         # pointer still ends the program, and x86-64 reads what is not aligned.
                         -fno-sanitize=null,alignment,object-size,vptr
                         # g++ 12 takes the branches that sanitizers add for paths of the program.
                         $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(trainyard_options INTERFACE -fsanitize=${TRAINYARD_SANITIZE})
endif()
