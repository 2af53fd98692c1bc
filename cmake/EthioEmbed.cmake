# Data files compiled into a target, so that libethio.so and bench find the catalogue wherever they are run.
#
#   ethio_embed(TARGET NAMESPACE FILE...)
#
# generates `std::span<const EmbeddedFile> NAMESPACE::files()` (common/base/embedded.h), one row a file,
# named by its path below workloads/.

function(ethio_embed target namespace)
  set(output "${CMAKE_CURRENT_BINARY_DIR}/embedded_${namespace}.cpp")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${output}" "-DNAMESPACE=${namespace}"
            "-DBASE=${PROJECT_SOURCE_DIR}/workloads" "-DFILES=${ARGN}"
            -P "${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake"
    DEPENDS ${ARGN} "${PROJECT_SOURCE_DIR}/cmake/embed_script.cmake"
    COMMENT "Embedding ${namespace}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
