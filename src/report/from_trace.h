// What a trace alone can tell, where program and machine are not at hand: the parts run, duration,
// tracks, bound and lines of a report. The others stay empty.
#pragma once

#include "report/report.h"
#include "trace/trace_file.h"

namespace trainyard::report {

[[nodiscard]] Report report_of(const trace::TraceFile& trace);

}  // namespace trainyard::report
