// Rules between the figures of a machine, checked after each figure is right by itself.
#pragma once

#include <vector>

#include "base/error.h"
#include "machine/machine.h"

namespace trainyard::machine {

// A file must also respect physical limits (sustained rate <= pin rate); an override may ask "what
// if it did not".
enum class Strictness : std::uint8_t { file, override };

// Every broken rule, label "machine.consistent". Empty when the machine is sound.
[[nodiscard]] std::vector<base::Violation> inconsistencies(const Machine& machine,
                                                           Strictness strictness);

}  // namespace trainyard::machine
