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

# trainyard_folder(<folder> [extra libraries]) builds the library of one folder from all its *.cpp files.
function(trainyard_folder folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp"
       "${PROJECT_SOURCE_DIR}/src/${folder}/*.h")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$|/module\\.cpp$")
  add_library(trainyard_${folder} STATIC ${sources})
  set_target_properties(trainyard_${folder} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(trainyard_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include/trainyard>)
  target_compile_features(trainyard_${folder} PUBLIC cxx_std_20)
  target_link_libraries(trainyard_${folder} PRIVATE $<BUILD_INTERFACE:trainyard_options> PUBLIC fmt::fmt ${ARGN})
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

# trainyard_test(<folder> [extra libraries]) builds tests/<folder>/*.cpp into one GoogleTest program labelled <folder>.
function(trainyard_test folder)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/${folder}/*.cpp")
  add_executable(test_${folder} ${sources})
  target_compile_definitions(test_${folder} PRIVATE TRAINYARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(test_${folder} PRIVATE trainyard_options GTest::gtest_main GTest::gmock ${ARGN})
  gtest_discover_tests(test_${folder} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS ${folder})
endfunction()
