// Where fio and its engine are: the real fio binary and the libethio.so that belongs to this build.
#pragma once

#include <string>

#include "cli/process/interrupt.h"

namespace ethio {

struct FioPrograms {
  std::string fio;          // absolute path
  std::string fio_version;  // "fio-3.33"
  std::string engine;       // absolute path of libethio.so
};

// fio is $ETHIO_FIO, else the one on PATH. The engine is $ETHIO_ENGINE, else libethio.so beside
// this executable, else in the library folder that it was installed to. Throws Error that says what
// was looked for and what to do.
FioPrograms find_fio(Interrupt& interrupt);

}  // namespace ethio
