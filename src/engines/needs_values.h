// The Fault "time.data": a run without values came to control flow that depends on them.
#pragma once

#include "base/error.h"

namespace trainyard::engines {

struct NeedsValues : base::Fault {
  using base::Fault::Fault;
};

}  // namespace trainyard::engines
