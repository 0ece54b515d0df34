// How a long run tells whoever waits for it how far it is. The watcher may end the run by throwing;
// it cannot change anything in it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/units.h"

namespace trainyard::engines {

struct Progress {
  std::uint64_t instructions = 0;  // executed so far
  std::uint64_t expected = 0;      // of the whole run; 0 where only the run can tell
  base::Ticks time{};              // simulated so far; zero in an untimed run
  // Says where in the program the run is. To be called at once, by the watch.
  std::function<std::string()> where{};
};

// Called every few dozen instructions or events, so it must be quick; may throw.
using Watch = std::function<void(const Progress&)>;

// Between two calls: at most some milliseconds even of the largest instructions.
inline constexpr std::uint64_t steps_between_looks = 64;

}  // namespace trainyard::engines
