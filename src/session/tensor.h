// A tensor that lies in HBM between runs: what goes in and out of a tensor program.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "graph/attribute.h"

namespace trainyard::session {

// Nobody changes it, so that runs and buffers can share it. An input that is the same as in the
// last run is not written again.
using Tensor = std::shared_ptr<const graph::Literal>;

// All zeros, in the memory of one element.
[[nodiscard]] inline Tensor zero(const graph::Type& type) {
  const auto element = static_cast<std::size_t>(graph::size_in_bytes(type.element));
  return std::make_shared<const graph::Literal>(
      graph::Literal{.type = type, .content = std::vector<std::byte>(element), .splat = true});
}

}  // namespace trainyard::session
