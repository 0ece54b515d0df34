// Export of a trace, or a window of it, to Perfetto's protobuf format (ui.perfetto.dev). A view for
// people: Perfetto counts whole nanoseconds, so exact ticks travel as arguments.
// docs/formats/perfetto.md says what is where.
#pragma once

#include <optional>
#include <string>

#include "trace/trace_file.h"

namespace trainyard::trace {

struct PerfettoOptions {
  base::Ticks begin{};
  std::optional<base::Ticks> end{};  // default: the end of the run
  bool idle = false;                 // also show idle time as slices
  bool flows = true;                 // arrows from what ended a wait to the wait
};

// The bytes of a .pftrace file.
[[nodiscard]] std::string to_perfetto(const TraceFile& trace, const PerfettoOptions& options = {});

}  // namespace trainyard::trace
