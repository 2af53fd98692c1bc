# cmake -DBUILD=... -DSOURCE=... -DWORK=... -P run.cmake: installs the build into a fresh folder below WORK, then
# configures, builds and runs the consumer against it. A failing step stops with its output.
function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGN}\nended with ${result}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE "${WORK}")
step("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
step("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}/build" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
     "-DCMAKE_BUILD_TYPE=Release" "-DCMAKE_C_FLAGS=${FLAGS}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
step("${CMAKE_COMMAND}" --build "${WORK}/build")
step("${WORK}/build/consumer")
if(NOT output MATCHES "^[0-9a-f]+\n$")
  message(FATAL_ERROR "consumer printed: ${output}")
endif()
file(REMOVE_RECURSE "${WORK}")
