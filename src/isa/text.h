// Instructions and programs as text.
#pragma once

#include <string>

#include "isa/program.h"

namespace trainyard::isa {

// One operand's value in words; empty when it is absent or has its default.
[[nodiscard]] std::string describe_operand(const OperandInfo& operand, const void* record);

}  // namespace trainyard::isa
