// The operands of an instruction's record from Python values.
#pragma once

#include <nanobind/nanobind.h>

#include "binding/tracer.h"

namespace trainyard::binding {

// Fills a record from values in the schema's order; None is the record's default. Throws InputError
// "argument.type" and those of isa::tile_of.
void set_operands(TraceState& trace, const isa::InstructionInfo& info, void* record,
                  nanobind::handle values);

}  // namespace trainyard::binding
