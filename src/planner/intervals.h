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
  // Of answers with every figure drawn from its range at once, a tenth lies below p10, a tenth
  // above p90, and i twentieths below quantiles[i]. Empty where nothing was drawn.
  double p10 = 0, p90 = 0;
  std::vector<double> quantiles = {};
  std::vector<Influence> moved_by;  // most first, those below a thousandth left out
};

struct Bracketed {
  std::map<std::string, Bracket, std::less<>> values;
  std::vector<std::string> unknown;
};

// `low` has every figure at the end that makes the answer smaller by itself, all at once; `high`
// the other ends: a bracket, not a confidence interval, which encloses the draws. p10 and p90 are
// of draws().
[[nodiscard]] Bracketed bracket(const std::vector<Sheet>& sheets, const Ask& ask);

// The answers of 256 draws, always the same ones: each figure lies with equal chance below and
// above its value, there anywhere alike (by its logarithm where its range is above 0),
// independently of the others; a Latin hypercube, so that few draws cover every range. Figures of
// finance are drawn once for all sheets. The rule was written before any claim was decided by it.
[[nodiscard]] std::vector<Answer> draws(const std::vector<Sheet>& sheets, const Ask& ask);

}  // namespace trainyard::planner
