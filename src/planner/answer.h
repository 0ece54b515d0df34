// What the analytic model answers: named numbers with their unit, and what went unanswered because
// a figure is unknown.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::planner {

// Names of serving follow InferenceX: tput_per_gpu is of all tokens, input and output.
struct Answer {
  std::map<std::string, double, std::less<>> values;  // by name: "mean_tpot", "usd_per_mtok"
  std::vector<std::string> unknown;                   // keys of figures that somebody has to supply

  [[nodiscard]] double at(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return values.contains(name); }
};

// The unit of a value by its name: "ms", "tok/s", "USD".
[[nodiscard]] std::string_view unit_of(std::string_view name);

}  // namespace trainyard::planner
