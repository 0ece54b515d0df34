#include "session/executable.h"

#include <array>
#include <utility>

#include "base/error.h"

namespace trainyard::session {

namespace {

constexpr std::array<std::string_view, 2> names{"reference", "machine"};

}  // namespace

std::vector<Execution> Executable::execute_together(std::vector<Arguments> arguments) const {
  if (arguments.size() == 1) return {execute(std::move(arguments.front()))};
  throw base::InputError(
      {"model.devices", "a program for several devices runs in the mode \"reference\"", "",
       "the mode \"machine\"", "use the mode \"reference\", which takes no time"});
}

std::string_view name(Mode mode) { return names.at(static_cast<std::size_t>(mode)); }

std::optional<Mode> mode_from_name(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Mode>(i);
  }
  return std::nullopt;
}

}  // namespace trainyard::session
