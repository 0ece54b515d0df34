// A report as JSON, for programs: docs/formats/report.md.
#pragma once

#include <string>

#include "report/report.h"

namespace trainyard::report {

inline constexpr int report_format_version = 3;

[[nodiscard]] std::string to_json(const Report& report);

}  // namespace trainyard::report
