// A tensor that lies in HBM between runs: what goes in and out of a tensor program.
#pragma once

#include <memory>

#include "graph/attribute.h"

namespace trainyard::session {

// Nobody changes it, so that runs and buffers can share it. An input that is the same as in the
// last run is not written again.
using Tensor = std::shared_ptr<const graph::Literal>;

}  // namespace trainyard::session
