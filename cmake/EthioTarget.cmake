# One place for what every target of ethio is compiled with.
#
#   ethio_target(NAME)   warnings, language level, sanitizers; products stand in the build folder itself
#   ethio_optimise_whole(NAME)   for a product with a hot path: compiled as one program with the data plane

function(ethio_target name)
  target_compile_features(${name} PRIVATE c_std_11 cxx_std_20)
  set_target_properties(${name} PROPERTIES
    C_EXTENSIONS ON CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
    LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  # The stream must be the same on every machine: no fused multiply-add behind the code's back.
  target_compile_options(${name} PRIVATE -Wall -Wextra -ffp-contract=off
    $<$<BOOL:${ETHIO_WERROR}>:-Werror>)
  # GCC 12 sees overlapping copies in std::string's operator+ where there are none (GCC bug 105651).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  endif()
  if(ETHIO_SANITIZE)
    target_compile_options(${name} PRIVATE -fsanitize=${ETHIO_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${name} PRIVATE -fsanitize=${ETHIO_SANITIZE})
  endif()
endfunction()

# An access passes through small functions of a dozen files; in line they cost a sixth less. The data plane is compiled once
# more for this, as objects of their own: only the compiler that made such objects can read them, so ethio_core, which
# others link, must not consist of them. Elsewhere, and for debugging, the product just links ethio_core.
function(ethio_optimise_whole name)
  if(NOT TARGET ethio_data_plane)
    return()
  endif()
  target_link_libraries(${name} PRIVATE ethio_data_plane)
  target_compile_options(${name} PRIVATE -flto)
  target_link_options(${name} PRIVATE -flto=auto)
endfunction()
