// What a device holds between the bodies of a plan, besides its arguments and results.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plan/plan.h"

namespace trainyard::plan {

// A value that is there when the most is held.
struct Held {
  std::int64_t bytes = 0;
  std::string what{};   // "bfloat16[80,8192,1024]", or "inside of a program"
  std::string place{};  // who makes it, in the author's source
};
struct HighWater {
  std::int64_t bytes = 0;
  std::vector<Held> held{};  // largest first
};

// `inside`: what a body takes while it runs, besides its arguments and results. A body overwrites
// what it was donated, a loop hands its values on in one place, and what nobody reads any more is
// free; meetings bring their values when their turn comes.
[[nodiscard]] HighWater high_water(const Plan& plan,
                                   const std::function<std::int64_t(std::size_t body)>& inside);

}  // namespace trainyard::plan
