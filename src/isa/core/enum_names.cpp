#include "isa/core/enum_names.h"

#include <array>

namespace trainyard::isa {

std::string_view name(TensorRole role) {
  constexpr std::array<std::string_view, 4> names{"internal", "input", "output", "constant"};
  return names.at(static_cast<std::size_t>(role));
}

std::string_view name(DynamicAddress::Kind kind) {
  constexpr std::array<std::string_view, 4> names{"register_offset", "tile_offset", "vector_offset",
                                                  "indirect"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace trainyard::isa
