// What each instruction of a program moves and calculates whenever it runs, and where its transfers
// go, as JSON for programs that ask for it by instruction. docs/formats/view.md.
#pragma once

#include <nlohmann/json.hpp>

#include "isa/core/program.h"
#include "machine/machine.h"

namespace trainyard::report {

// `instructions`: a column of numbers for each fact; `transfers` and the `tiles` that they name;
// `semaphores`: what each instruction waits for and raises.
[[nodiscard]] nlohmann::ordered_json instruction_facts(const isa::Program& program,
                                                       const machine::Core& core);

}  // namespace trainyard::report
