// The names that a trace of a program carries, made from the program: mnemonics, operands as text,
// source lines with their call stacks, and loop indices.
#pragma once

#include "isa/core/program.h"
#include "trace/labels.h"

namespace trainyard::report {

// One label for each instruction of the program.
[[nodiscard]] trace::Labels labels_of(const isa::Program& program);

}  // namespace trainyard::report
