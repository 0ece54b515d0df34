// The figures of a system file: those of each level and those of the transport. Reader, overrides
// and ranges use this list.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/schema.h"
#include "machine/topology.h"

namespace trainyard::machine {

struct SystemField {
  Field field;  // key, meaning, dimension, bounds, choices; its store and fetch are not used
  void (*store)(System&, std::size_t level, const Value&);
  Value (*fetch)(const System&, std::size_t level);
  std::size_t level = 0;
  bool is_optional = false;
};

// All fields of a system with these levels: "sled.size", ..., "transport.rank", ...
[[nodiscard]] std::vector<SystemField> system_schema(std::span<const std::string> levels);

}  // namespace trainyard::machine
