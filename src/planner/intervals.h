// How far answers move over the documented ranges of the figures they lean on: each answer a
// bracket, and the figures that move it most.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "planner/answer.h"
#include "planner/sheet.h"

namespace trainyard::planner {

// Answers as a function of one or several sheets that share their finance figures.
using Ask = std::function<Answer(const std::vector<Sheet>&)>;

// An answer with one figure at the ends of its range and all others as they are.
struct Influence {
  std::string key;  // with the machine in front where several are compared: "h100:reach.memory"
  double at_low = 0, at_high = 0;
  std::string kind, source;
};

struct Bracket {
  double low = 0, value = 0, high = 0;
  std::vector<Influence> moved_by;  // most first, those below a thousandth left out
};

struct Bracketed {
  std::map<std::string, Bracket, std::less<>> values;
  std::vector<std::string> unknown;
};

// `low` has every figure at the end that makes the answer smaller by itself, all at once; `high`
// the other ends: a bracket, not a confidence interval.
[[nodiscard]] Bracketed bracket(const std::vector<Sheet>& sheets, const Ask& ask);

}  // namespace trainyard::planner
