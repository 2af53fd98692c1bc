# cmake -DFIO=... -DENGINE=... -P fio_probe.cmake
#
# Loads the engine just built into the very fio that it was built for, and has it read what fio was told and set
# what fio must follow: options, depth and byte counts. Two builds of one version of fio may differ in the layout of
# their structs, and then an engine reads garbage without an error; no comparison of versions would notice. Nothing is
# written: the accesses are made by the null executor.
execute_process(
  COMMAND "${FIO}" "--ioengine=external:${ENGINE}" --name=probe --filename=ethio-probe --size=64m --rw=randread
          --ethio_workload=uniform-read --ethio_executor=null --ethio_lanes=7 --ethio_units=1000
          --output-format=json
  OUTPUT_VARIABLE report ERROR_VARIABLE said RESULT_VARIABLE status TIMEOUT 60)

set(remedy "the engine does not fit ${FIO}: run cmake/fio_headers.sh for the headers of that fio, or switch this "
           "check off with -DETHIO_FIO_PROBE=OFF where fio cannot run")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "fio ended with '${status}': ${said}\n" ${remedy})
endif()

function(expect expected)
  string(JSON value ERROR_VARIABLE problem GET "${report}" jobs 0 ${ARGN})
  if(NOT value STREQUAL expected)
    list(JOIN ARGN "." name)
    message(FATAL_ERROR "fio reports ${name} = ${value} instead of ${expected}\n" ${remedy})
  endif()
endfunction()

expect(0 error)
expect(7 latency_depth)
expect(1000 read total_ios)
expect(4096000 read io_bytes)
expect(0 write total_ios)
