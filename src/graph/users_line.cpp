#include "graph/users_line.h"

#include <algorithm>
#include <iterator>

#include "base/source_file.h"

namespace trainyard::graph {

UsersLine users_line(const Location& location) {
  UsersLine line{location.frames};
  // Behind a script stands what started it: the command trainyard, `python -m`.
  const auto start = std::ranges::find(line.frames, "<frozen runpy>", &SourceLine::file);
  if (start != line.frames.begin()) line.frames.erase(start, line.frames.end());
  const auto own = std::ranges::find_if_not(
      line.frames, [](const SourceLine& frame) { return base::is_library(frame.file); });
  if (own == line.frames.end()) return line;
  line.called = static_cast<std::size_t>(own - line.frames.begin());
  std::rotate(line.frames.begin(), own, std::next(own));
  return line;
}

}  // namespace trainyard::graph
