// A report as text for people.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace trainyard::report {

struct TextOptions {
  std::size_t lines_max = 12;        // of the user's source
  std::size_t assumptions_max = 12;  // the JSON form has all of them
};

[[nodiscard]] std::string to_text(const Report& report, const TextOptions& options = {});

}  // namespace trainyard::report
