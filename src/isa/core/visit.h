// Calls a function with an operand's value as its own type. Text, binary form and comparison of
// records are written on it.
#pragma once

#include "isa/core/definition.h"

namespace trainyard::isa {

// f(value) with a reference to the operand in `record` (const void* or void*).
template <typename RecordPointer, typename F>
decltype(auto) visit_operand(const OperandInfo& operand, RecordPointer record, F&& f) {
  return visit_type(operand.type,
                    [&]<typename T>(T*) -> decltype(auto) { return f(operand.in<T>(record)); });
}

}  // namespace trainyard::isa
