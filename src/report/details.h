// What a page about a recorded run shows beside its report and its trace: memory over time, and the
// critical path as stretches of time; and what exports tell of instructions. As JSON;
// docs/formats/view.md.
#pragma once

#include <string>

#include "isa/core/program.h"
#include "machine/machine.h"
#include "trace/timeline.h"

namespace trainyard::report {

inline constexpr int details_format_version = 1;

[[nodiscard]] std::string details_json(const isa::Program& program, const machine::Core& core,
                                       const trace::Timeline& timeline);

}  // namespace trainyard::report
