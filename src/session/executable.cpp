#include "session/executable.h"

#include <array>

namespace trainyard::session {

namespace {

constexpr std::array<std::string_view, 2> names{"reference", "machine"};

}  // namespace

std::string_view name(Mode mode) { return names.at(static_cast<std::size_t>(mode)); }

std::optional<Mode> mode_from_name(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Mode>(i);
  }
  return std::nullopt;
}

}  // namespace trainyard::session
