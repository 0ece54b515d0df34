// The element types of the interface and those of tensor programs, one for one.
#pragma once

#include "graph/type.h"
#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

// Throws Failure for what no tensor holds (invalid, token, one-bit integers).
[[nodiscard]] graph::ElementType element_type(BufferType type);
// Throws Failure for tf32, which is no format of a buffer.
[[nodiscard]] BufferType buffer_type(graph::ElementType type);

}  // namespace trainyard::pjrt
