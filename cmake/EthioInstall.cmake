# Install and export: `find_package(ethio)` gives ethio::core, the C ABI in ethio.h.
include(CMakePackageConfigHelpers)

install(TARGETS ethio_core EXPORT ethioTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES "${PROJECT_SOURCE_DIR}/common/ethio.h" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT ethioTargets NAMESPACE ethio:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ethio)
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/ethioConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/ethioConfig.cmake"
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ethio)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ethioConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ethioConfig.cmake" "${PROJECT_BINARY_DIR}/ethioConfigVersion.cmake"
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/ethio)

if(TARGET bench)
  install(TARGETS bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ethio-bench)
endif()
if(TARGET ethio_cli)
  install(TARGETS ethio_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET ethio_engine)
  install(TARGETS ethio_engine LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/fio)
endif()
