// All that findings say, to compare those of two runs.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "checkers/finding.h"

namespace trainyard::checkers {

[[nodiscard]] inline std::vector<std::string> in_words(const std::vector<Finding>& findings) {
  std::vector<std::string> all;
  for (const Finding& one : findings)
    all.push_back(fmt::format("{} {} {} times: {}", one.check->id, base::name(one.category),
                              one.count, base::describe(one.violation)));
  return all;
}

}  // namespace trainyard::checkers
