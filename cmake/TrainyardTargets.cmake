# One folder of src/ is one static library named trainyard_<folder>. What it may include is what src/FLOORS allows;
# it links every existing folder of the floors below.

# Reads FLOORS into the global properties FLOOR_<folder> and BANNED_<folder>.
function(trainyard_read_floors file)
  file(STRINGS "${file}" lines REGEX "^[0-9]")
  set(all "")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE " *!.*$" "" allowed "${line}")
    string(REGEX MATCH "!.*$" banned "${line}")
    separate_arguments(allowed)
    list(POP_FRONT allowed floor)
    string(REPLACE "!" "" banned "${banned}")
    separate_arguments(banned)
    foreach(folder IN LISTS allowed)
      set_property(GLOBAL PROPERTY FLOOR_${folder} ${floor})
      set_property(GLOBAL PROPERTY BANNED_${folder} "${banned}")
      list(APPEND all ${folder})
    endforeach()
  endforeach()
  set_property(GLOBAL PROPERTY TRAINYARD_FOLDERS "${all}")
endfunction()

# trainyard_precompile(<target> <owner> <header>...): the target reads the headers as the owner has compiled them; the first
# target that names itself is the owner. Only headers from outside, so that a change of our own compiles no more than before.
# Sanitizers' builds do without, and so find forgotten includes.
function(trainyard_precompile target owner)
  if(NOT TRAINYARD_PRECOMPILE)
    return()
  endif()
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# trainyard_optimise_briefly(<target>): where building it takes longer than what -O2 would spare its runs.
function(trainyard_optimise_briefly target)
  # At -O1 alone g++ inlines no small function that isn't declared inline, which makes for more code and takes longer to compile.
  # At -O1 g++ 12 does not see that a std::optional is only read where it has a value.
  target_compile_options(${target} PRIVATE
    "$<$<CONFIG:Release>:-O1;-finline-small-functions;-fstrict-aliasing;-Wno-maybe-uninitialized>")
endfunction()

# trainyard_unity(<target>): the files of a directory are compiled as one, and those of directories of at most 16 files together,
# which takes less than half as long; a change of one compiles all of its group. Generated files have groups already.
function(trainyard_unity target)
  if(NOT TRAINYARD_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/src/.*\\.cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(directory "${source}" DIRECTORY)
    get_filename_component(group "${directory}" NAME)
    file(GLOB beside "${directory}/*.cpp")
    list(LENGTH beside files)
    if(files LESS_EQUAL 16)
      set(group small)
    endif()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()

# trainyard_folder(<folder> [extra libraries]) builds the library of one folder from all its *.cpp files.
function(trainyard_folder folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp"
       "${PROJECT_SOURCE_DIR}/src/${folder}/*.h")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  if(NOT sources MATCHES "\\.cpp")
    return()
  endif()
  get_property(made GLOBAL PROPERTY TRAINYARD_SOURCES_${folder})
  add_library(trainyard_${folder} STATIC ${sources} ${made})
  set_target_properties(trainyard_${folder} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(trainyard_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include/trainyard>)
  target_compile_features(trainyard_${folder} PUBLIC cxx_std_20)
  target_link_libraries(trainyard_${folder} PRIVATE $<BUILD_INTERFACE:trainyard_options> PUBLIC fmt::fmt ${ARGN})
  set(owner trainyard_base)
  if(folder IN_LIST TRAINYARD_BRIEFLY_OPTIMISED)
    trainyard_optimise_briefly(trainyard_${folder})
    list(GET TRAINYARD_BRIEFLY_OPTIMISED 0 owner)
    set(owner trainyard_${owner})
  endif()
  trainyard_precompile(trainyard_${folder} ${owner} ${TRAINYARD_COMMON_HEADERS})
  if(NOT folder STREQUAL "numerics")  # what Highway compiles once for each instruction set can only stay apart
    trainyard_unity(trainyard_${folder})
  endif()
  get_property(floor GLOBAL PROPERTY FLOOR_${folder})
  get_property(banned GLOBAL PROPERTY BANNED_${folder})
  get_property(all GLOBAL PROPERTY TRAINYARD_FOLDERS)
  foreach(other IN LISTS all)
    get_property(other_floor GLOBAL PROPERTY FLOOR_${other})
    if(other_floor LESS floor AND NOT other IN_LIST banned AND TARGET trainyard_${other})
      target_link_libraries(trainyard_${folder} PUBLIC trainyard_${other})
    endif()
  endforeach()
endfunction()

# trainyard_spare_vectorised(<folder>): under sanitizers, files that Highway compiles once for each instruction set do
# without the checks that g++ 12 takes minutes for in their inlined functions. Out-of-bounds accesses are still found, but
# not where readers are fuzzed: no reader is among these files, and clang takes minutes for each.
function(trainyard_spare_vectorised folder)
  if(NOT TRAINYARD_SANITIZE)
    return()
  endif()
  set(spared "-fno-sanitize=undefined;-fno-sanitize-address-use-after-scope")
  if(TRAINYARD_FUZZ)
    set(spared "-fno-sanitize=all")
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
  foreach(source IN LISTS sources)
    file(STRINGS "${source}" vectorised REGEX "hwy/foreach_target" LIMIT_COUNT 1)
    if(vectorised)
      set_source_files_properties("${source}" PROPERTIES
        COMPILE_OPTIONS "${spared}")
    endif()
  endforeach()
endfunction()

# trainyard_test(<folder> [extra libraries]) builds tests/<folder>/*.cpp into one GoogleTest program labelled <folder>.
function(trainyard_test folder)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp")
  if(NOT sources OR NOT TARGET trainyard_${folder})
    return()
  endif()
  add_executable(test_${folder} ${sources})
  target_compile_definitions(test_${folder} PRIVATE TRAINYARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(folder MATCHES "^(numerics|session)$")  # whose tests are loops over many values
    set(owner test_numerics)
  else()
    set(owner test_base)
    target_compile_options(test_${folder} PRIVATE -O0)
  endif()
  target_link_libraries(test_${folder} PRIVATE trainyard_options trainyard_${folder} GTest::gtest_main GTest::gmock ${ARGN})
  trainyard_precompile(test_${folder} ${owner} ${TRAINYARD_COMMON_HEADERS} <gmock/gmock.h> <gtest/gtest.h>)
  gtest_discover_tests(test_${folder} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS ${folder})
endfunction()

# Makes one translation unit for each header in src/isa/instructions/, which derives that instruction's table entry.
# The record's name is the CamelCase form of the file's name: nc_matmul.h holds struct NcMatmul.
function(trainyard_instructions)
  file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/isa/instructions/*.h")
  set(units "")
  foreach(header IN LISTS headers)
    get_filename_component(INSTRUCTION "${header}" NAME_WE)
    string(REPLACE "_" ";" words "${INSTRUCTION}")
    set(RECORD "")
    foreach(word IN LISTS words)
      string(SUBSTRING "${word}" 0 1 first)
      string(SUBSTRING "${word}" 1 -1 rest)
      string(TOUPPER "${first}" first)
      string(APPEND RECORD "${first}${rest}")
    endforeach()
    set(unit "${PROJECT_BINARY_DIR}/instructions/${INSTRUCTION}.cpp")
    configure_file("${PROJECT_SOURCE_DIR}/cmake/instruction_unit.cpp.in" "${unit}" @ONLY)
    list(APPEND units "${unit}")
  endforeach()
  set_property(GLOBAL PROPERTY TRAINYARD_SOURCES_isa "${units}")
  # All units read the same headers, which takes longer than what they add: they are compiled as one.
  set_source_files_properties(${units} DIRECTORY "${PROJECT_SOURCE_DIR}/src" PROPERTIES UNITY_GROUP instructions)
endfunction()
