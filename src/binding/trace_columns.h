// A run as Python sees it: columns of native integers as bytes, for NumPy. No object stands
// for one interval, so that ten million of them are read in about a second.
#pragma once

#include <nanobind/nanobind.h>

#include "trace/directory.h"
#include "trace/labels.h"
#include "trace/timeline.h"

namespace trainyard::binding {

// A dict: `program`, `machine`, `version`, `end` (ticks), `ticks_per_ns`, `tracks` (dicts of name,
// kind, core and the columns begin, end (int64), reason (uint8), instruction, iteration, cause
// (uint32; 0xFFFFFFFF: none); idle time is left out), `strings`, `instructions` (columns mnemonic,
// operands, frame, nest), `frames` (columns parent, file, line, function) and `nests` (lists of
// (name, first, step, trips)).
[[nodiscard]] nanobind::dict columns_of(trace::Timeline timeline, const trace::Labels& labels,
                                        const trace::Metadata& run);

}  // namespace trainyard::binding
