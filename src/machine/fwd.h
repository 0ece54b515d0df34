// Declares a core's description for headers that only pass it on.
#pragma once

namespace trainyard::machine {

struct Core;

}  // namespace trainyard::machine
