#include "isa/core/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trainyard::isa {

std::string queue_name(std::uint8_t queue) {
  const int issuer = queue / 2;
  if (queue >= queue_count) return fmt::format("queue {}", queue);
  if (is_collective_queue(queue))
    return fmt::format("collectives {}", queue - collective_queue_first);
  if (queue >= exchange_queue_first) {
    const int pipe = queue - exchange_queue_first;
    return fmt::format("{}exchange pipe {}", pipe >= exchange_pipes ? "gpsimd " : "",
                       pipe % exchange_pipes);
  }
  return fmt::format("{} {}", name(static_cast<Engine>(issuer)),
                     queue % 2 == 0 ? "loads" : "stores");
}

std::uint64_t Program::room_for(std::size_t bytes) {
  constexpr std::size_t alignment = 16;
  const std::size_t gap = (alignment - records_.size() % alignment) % alignment;
  static_cast<void>(records_.append(gap + bytes));
  return records_.size() - bytes;
}

std::uint32_t Program::append_raw(Opcode opcode, const void* record, Engine engine,
                                  std::uint32_t location) {
  const InstructionInfo& what = info(opcode);
  const std::uint64_t at = room_for(what.record_bytes);
  std::memcpy(records_.data() + at, record, what.record_bytes);
  instructions.push_back({opcode, engine, 0, location, at});
  return static_cast<std::uint32_t>(instructions.size() - 1);
}

std::uint64_t Program::copy_record(std::uint32_t i) {
  const std::size_t bytes = info_at(i).record_bytes;
  const std::uint64_t at = room_for(bytes);
  std::memcpy(records_.data() + at, records_.data() + instructions[i].record, bytes);
  return at;
}

RankGroups Program::groups_of(RankLists lists) {
  if (lists.empty()) return {};
  const auto known = std::ranges::find(rank_groups, lists, &IndexedRankLists::lists);
  const auto number = static_cast<std::uint32_t>(known - rank_groups.begin());
  if (known == rank_groups.end()) rank_groups.emplace_back(std::move(lists));
  return {number + 1};
}

std::span<const std::int32_t> Program::group_with(RankGroups groups, std::int32_t rank) const {
  const std::span<const RankPlace> places = places_of(groups, rank);
  if (places.empty()) return {};
  return this->groups(groups)[places.front().list];
}

std::string Program::describe_location(std::uint32_t location) const {
  if (location == 0 || location >= locations.size()) return {};
  const Location& where = locations[location];
  std::string text;
  for (std::uint32_t f = where.frame; f != 0; f = frames[f].caller) {
    const Frame& frame = frames[f];
    if (!text.empty()) text += "\n    called from ";
    text += fmt::format("{}:{} in {}", strings[frame.file], frame.line, strings[frame.function]);
    if (f != where.frame) continue;
    for (std::uint32_t k = 0; k < where.index_count; ++k) {
      const LoopIndex& index = loop_indices[where.first_index + k];
      text += fmt::format(", {}={}", strings[index.name], index.value);
    }
  }
  return text;
}

}  // namespace trainyard::isa
