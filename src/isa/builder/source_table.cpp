#include "isa/builder/source_table.h"

#include <algorithm>

namespace trainyard::isa {

std::size_t SourceTable::FrameHash::operator()(const Frame& frame) const {
  std::uint64_t hash = 0;
  for (const std::uint32_t part : {frame.file, frame.function, frame.line, frame.caller})
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
  return static_cast<std::size_t>(hash ^ (hash >> 32));
}

std::uint32_t SourceTable::string(std::string_view text) {
  const auto [entry, is_new] =
      strings_.try_emplace(std::string(text), static_cast<std::uint32_t>(program_.strings.size()));
  if (is_new) program_.strings.push_back(entry->first);
  return entry->second;
}

std::uint32_t SourceTable::frame(const Frame& frame) {
  const auto [entry, is_new] =
      frames_.try_emplace(frame, static_cast<std::uint32_t>(program_.frames.size()));
  if (is_new) program_.frames.push_back(frame);
  return entry->second;
}

std::uint32_t SourceTable::location(std::uint32_t frame, std::size_t index_count) {
  std::vector<LoopIndex>& indices = program_.loop_indices;
  std::size_t first = indices.size() - index_count;
  // Neighbours mostly stand in the same turn of the same loops, and share one list of indices.
  const Location last = program_.locations.back();
  const auto of_last = std::span(indices).subspan(last.first_index, last.index_count);
  if (index_count > 0 && std::ranges::equal(of_last, std::span(indices).subspan(first))) {
    indices.resize(first);
    first = last.first_index;
  }
  program_.locations.push_back(
      {frame, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(index_count)});
  return static_cast<std::uint32_t>(program_.locations.size() - 1);
}

}  // namespace trainyard::isa
