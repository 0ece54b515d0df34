// A report as text for people.
#pragma once

#include <cstddef>
#include <string>

#include "report/report.h"

namespace trainyard::report {

struct TextOptions {
  std::size_t lines_max = 12;       // of the user's source; the JSON form has all of everything
  std::size_t parts_max = 8;        // of the energy, of the critical path
  std::size_t assumptions_max = 8;  // of figures that nobody has published
};

[[nodiscard]] std::string to_text(const Report& report, const TextOptions& options = {});

}  // namespace trainyard::report
