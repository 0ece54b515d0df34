# cmake --install: the folders' libraries as trainyard::<folder>, all of them as trainyard::trainyard, the headers under
# include/trainyard, the machine files, and a package for find_package(trainyard). The wheel is the component "python".
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/trainyard")
add_library(trainyard_trainyard INTERFACE)
set(libraries trainyard_trainyard)
get_property(folders GLOBAL PROPERTY TRAINYARD_FOLDERS)
foreach(folder IN LISTS folders)
  if(TARGET trainyard_${folder})
    list(APPEND libraries trainyard_${folder})
    target_link_libraries(trainyard_trainyard INTERFACE trainyard_${folder})
    install(DIRECTORY src/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/trainyard FILES_MATCHING PATTERN "*.h")
  endif()
endforeach()
foreach(library IN LISTS libraries)
  string(REPLACE "trainyard_" "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()

install(TARGETS ${libraries} EXPORT trainyard)
install(EXPORT trainyard NAMESPACE trainyard:: FILE trainyard-targets.cmake DESTINATION ${package_dir})
if(EXISTS "${PROJECT_SOURCE_DIR}/machines")
  install(DIRECTORY machines models DESTINATION ${CMAKE_INSTALL_DATADIR}/trainyard)
endif()
if(TARGET trainyard_command)
  install(TARGETS trainyard_command)
endif()

configure_package_config_file(cmake/trainyard-config.cmake.in "${PROJECT_BINARY_DIR}/trainyard-config.cmake"
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/trainyard-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/trainyard-config.cmake" "${PROJECT_BINARY_DIR}/trainyard-config-version.cmake"
        DESTINATION ${package_dir})
