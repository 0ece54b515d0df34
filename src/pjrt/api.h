// The table of functions that JAX and other frameworks call.
#pragma once

#include "pjrt/abi/slots.h"

namespace trainyard::pjrt {

// Every slot is filled. The same table for the life of the process.
[[nodiscard]] const Api& api();

}  // namespace trainyard::pjrt
