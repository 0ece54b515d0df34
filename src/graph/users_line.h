// The user's own line of a location whose innermost frames stand in libraries.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

// The innermost frame outside of installed libraries, then the frames of libraries that it calls,
// then those that lead to it from the user's script, innermost first; as they are where all stand
// in libraries.
struct UsersLine {
  std::vector<SourceLine> frames;
  std::size_t called = 0;  // how many of the frames behind the first one it calls
};
[[nodiscard]] UsersLine users_line(const Location& location);

}  // namespace trainyard::graph
