#include "trace/labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"

namespace trainyard::trace {

std::size_t Labels::FrameHash::operator()(const Frame& frame) const {
  std::uint64_t hash =
      base::hash_combine(base::hash_seed, (std::uint64_t{frame.parent} << 32) | frame.file);
  return base::hash_combine(hash, (std::uint64_t{frame.line} << 32) | frame.function);
}

Labels::Labels() : nest_ends_{0} { add_string(""); }

std::uint32_t Labels::add_string(std::string_view text) {
  const auto [at, added] =
      string_ids_.try_emplace(std::string(text), static_cast<std::uint32_t>(strings_.size()));
  if (added) strings_.emplace_back(text);
  return at->second;
}

std::uint32_t Labels::add_frame(const Frame& frame) {
  base::check(frame.parent == no_frame || frame.parent < frames_.size(),
              "a call stack frame precedes its caller");
  const auto [at, added] =
      frame_ids_.try_emplace(frame, static_cast<std::uint32_t>(frames_.size()));
  if (added) frames_.push_back(frame);
  return at->second;
}

std::uint32_t Labels::add_nest(std::span<const Loop> loops) {
  if (loops.empty()) return 0;
  // Neighbouring instructions share their loops; looking further back would cost more than it
  // saves.
  const auto last = static_cast<std::uint32_t>(nest_ends_.size() - 1);
  if (std::ranges::equal(nest(last), loops)) return last;
  loops_.insert(loops_.end(), loops.begin(), loops.end());
  nest_ends_.push_back(loops_.size());
  return last + 1;
}

std::span<const Loop> Labels::nest(std::uint32_t id) const {
  const std::size_t begin = id == 0 ? 0 : nest_ends_[id - 1];
  return std::span(loops_).subspan(begin, nest_ends_[id] - begin);
}

std::string Labels::place(std::uint32_t instruction) const {
  if (instruction >= labels_.size() || labels_[instruction].frame == no_frame) return {};
  const Frame& frame = frames_[labels_[instruction].frame];
  return fmt::format("{}:{}", strings_[frame.file], frame.line);
}

std::vector<LoopIndex> Labels::indices(std::uint32_t instruction, std::uint32_t iteration) const {
  const std::span<const Loop> loops = nest(labels_[instruction].nest);
  std::vector<LoopIndex> indices(loops.size());
  std::uint32_t rest = iteration;
  for (std::size_t i = loops.size(); i-- > 0;) {
    const Loop& loop = loops[i];
    const std::uint32_t trip = loop.trips == 0 ? rest : rest % loop.trips;
    rest = loop.trips == 0 ? 0 : rest / loop.trips;
    // Unsigned, because a damaged file may hold any numbers.
    const std::uint64_t value =
        static_cast<std::uint64_t>(loop.first) + static_cast<std::uint64_t>(loop.step) * trip;
    indices[i] = {strings_[loop.name], static_cast<std::int64_t>(value)};
  }
  return indices;
}

}  // namespace trainyard::trace
