#include "isa/builder/source_table.h"

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
  const std::size_t first = program_.loop_indices.size() - index_count;
  program_.locations.push_back(
      {frame, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(index_count)});
  return static_cast<std::uint32_t>(program_.locations.size() - 1);
}

}  // namespace trainyard::isa
