# trainyard_portable(<target>): a shared object that older C++ runtimes load too. It is linked so that no symbol of it
# is newer than glibc 2.34 and gcc 11 (Amazon Linux 2023); tools/wheel/inspect_wheel.py holds wheels to that.
function(trainyard_portable target)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR TRAINYARD_SANITIZE)
    return()
  endif()
  target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/cmake/portable/condition_variable.cpp")
  target_link_options(${target} PRIVATE
    "-Wl,--wrap=_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE")
endfunction()
