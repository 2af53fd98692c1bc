# The headers of the fio that will load libethio.so. Sets
#   ETHIO_FIO_SOURCE_DIR   a configured source tree: as given, else the one that cmake/fio_headers.sh keeps
#   ETHIO_FIO_VERSION      what that fio answers to --version, e.g. fio-3.33
include(CheckCSourceCompiles)

if(NOT ETHIO_FIO_SOURCE_DIR)
  execute_process(COMMAND "${PROJECT_SOURCE_DIR}/cmake/fio_headers.sh" --find
                  OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR
      "libethio.so is built against the source of the installed fio, which is not here yet. Run "
      "cmake/fio_headers.sh (./bootstrap.sh does), or give a configured tree with -DETHIO_FIO_SOURCE_DIR=..., "
      "or go without with -DETHIO_BUILD_FIO_ENGINE=OFF.")
  endif()
  set(ETHIO_FIO_SOURCE_DIR "${found}")
endif()
if(NOT EXISTS "${ETHIO_FIO_SOURCE_DIR}/config-host.h")
  message(FATAL_ERROR "${ETHIO_FIO_SOURCE_DIR} is not a configured fio source tree: config-host.h is missing; "
                      "run ./configure there")
endif()

# A tree that has been built says its version in FIO-VERSION-FILE, a release in FIO-VERSION-GEN.
foreach(file FIO-VERSION-GEN FIO-VERSION-FILE)
  if(EXISTS "${ETHIO_FIO_SOURCE_DIR}/${file}")
    file(STRINGS "${ETHIO_FIO_SOURCE_DIR}/${file}" line REGEX "^(DEF_VER=|FIO_VERSION = )" LIMIT_COUNT 1)
    string(REGEX REPLACE "^(DEF_VER=|FIO_VERSION = )" "" ETHIO_FIO_VERSION "${line}")
  endif()
endforeach()

# As fio itself is compiled. Its headers are system headers here: their warnings are not ours.
function(ethio_use_fio target)
  target_include_directories(${target} SYSTEM PRIVATE "${ETHIO_FIO_SOURCE_DIR}")
  target_compile_definitions(${target} PRIVATE
    _GNU_SOURCE _LARGEFILE_SOURCE _FILE_OFFSET_BITS=64 ETHIO_FIO_VERSION="${ETHIO_FIO_VERSION}"
    $<$<BOOL:${ETHIO_FIO_SETS_ISSUE_TIME}>:ETHIO_FIO_SETS_ISSUE_TIME>)
  target_compile_options(${target} PRIVATE -include "${ETHIO_FIO_SOURCE_DIR}/config-host.h")
endfunction()

# Lets commit() stamp a batch with one look at the clock; an enumerator, so the compiler has to be asked.
set(CMAKE_REQUIRED_INCLUDES "${ETHIO_FIO_SOURCE_DIR}")
set(CMAKE_REQUIRED_FLAGS "-include ${ETHIO_FIO_SOURCE_DIR}/config-host.h -std=gnu11")
set(CMAKE_REQUIRED_DEFINITIONS -D_GNU_SOURCE -D_LARGEFILE_SOURCE -D_FILE_OFFSET_BITS=64)
check_c_source_compiles("
#include \"fio.h\"
int main(void) { return FIO_ASYNCIO_SETS_ISSUE_TIME == 0; }" ETHIO_FIO_SETS_ISSUE_TIME)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_DEFINITIONS)
