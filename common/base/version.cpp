#include "common/base/version.h"

namespace ethio {

const char* const kVersion = ETHIO_VERSION;

}  // namespace ethio
