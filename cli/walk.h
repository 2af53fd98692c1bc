// Runs a Session without any I/O, as on a drive that takes the same time for every access: for
// looking at a stream, counting it or taking its digest.
#pragma once

#include <functional>

#include "common/stream/session.h"

namespace ethio {

// To the end of the session's units, which must be bounded (spec.units > 0). `visit` sees every
// access in the order in which a drive would be asked for it. Throws Error when the session never
// ends.
void walk(Session& session, const std::function<void(const Access&)>& visit);

}  // namespace ethio
