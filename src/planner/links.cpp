#include "planner/links.h"

#include <algorithm>
#include <array>
#include <optional>

namespace trainyard::planner {

namespace {

// How many members of the group each level joins.
std::array<double, 4> layout(const Chip& chip, double group, double stride) {
  std::array<double, 4> members{};
  double inside = stride;  // chips that the stride steps over, still to be placed
  double left = group;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const double skipped = std::min(inside, chip.levels[i].size);
    inside /= skipped;
    members[i] = std::max(1.0, std::min(left, chip.levels[i].size / skipped));
    left /= members[i];
  }
  members.back() *= std::max(1.0, left);
  return members;
}

// Nothing where no schedule covers the chips. `bytes`: of a chip.
std::optional<double> by_schedule(const Chip& chip, fabric::Operation operation, double bytes,
                                  double group, double stride, bool whole_chips) {
  if (!chip.schedules) return std::nullopt;
  auto seconds = chip.schedules->seconds({.operation = operation,
                                          .bytes = bytes,
                                          .chips = static_cast<std::int64_t>(group),
                                          .stride = static_cast<std::int64_t>(stride),
                                          .whole_chips = whole_chips},
                                         chip.link_ends);
  if (seconds) *seconds /= chip.reach_collective;
  return seconds;
}

Transfer sum_by_links(const Chip& chip, double bytes, double group, double stride) {
  Transfer result;
  if (group <= 1) return result;
  const std::array<double, 4> members = layout(chip, group, stride);
  double share = bytes;    // what is left to reduce once the levels inside have scattered it
  double all_at_once = 0;  // the rate of a chip whose levels are all busy
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] <= 1) continue;
    const double moved = 2 * share * (members[i] - 1) / members[i];
    result.seconds += chip.levels[i].latency + moved / chip.levels[i].bandwidth;
    result.bytes += moved;
    all_at_once += chip.levels[i].bandwidth;
    share /= members[i];
  }
  if (chip.is_ideal) result.seconds = result.bytes / all_at_once;
  return result;
}

}  // namespace

Transfer all_reduce(const Chip& chip, double bytes, double group) {
  Transfer result = sum_by_links(chip, bytes, group, 1);
  const auto known = by_schedule(chip, fabric::Operation::all_reduce, bytes, group, 1, true);
  if (known) result.seconds = *known;
  return result;
}

Transfer all_reduce_replicas(const Chip& chip, double bytes, double group, double stride) {
  Transfer result = sum_by_links(chip, bytes, group, stride);
  if (group <= 1) return result;
  const auto known = by_schedule(chip, fabric::Operation::all_reduce, bytes / chip.logical_cores,
                                 group, stride, false);
  if (known) result.seconds = *known;
  return result;
}

Transfer all_to_all(const Chip& chip, double bytes, double group) {
  Transfer result;
  if (group <= 1) return result;
  const std::array<double, 4> members = layout(chip, group, 1);
  double inside = 1;
  double slowest = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] <= 1) continue;
    // What goes to chips that this level joins, and no level inside does.
    const double moved = bytes * inside * (members[i] - 1) / group;
    const bool network = i + 1 == members.size();
    const double rate = chip.levels[i].bandwidth * (network ? 1 : chip.all_to_all);
    slowest = std::max(slowest, moved / rate);
    result.seconds += chip.levels[i].latency;
    result.bytes += moved;
    inside *= members[i];
  }
  result.seconds += slowest;
  const auto known =
      by_schedule(chip, fabric::Operation::all_to_all, bytes / chip.logical_cores, group, 1, true);
  if (known) result.seconds = *known;
  return result;
}

Transfer send(const Chip& chip, double bytes, double stride) {
  const auto known = by_schedule(chip, fabric::Operation::send_receive, bytes / chip.logical_cores,
                                 2, stride, false);
  if (known) return {*known, bytes};
  double reached = 1;
  for (const Level& level : chip.levels) {
    reached *= level.size;
    if (level.bandwidth > 0 && stride < reached)
      return {level.latency + bytes / level.bandwidth, bytes};
  }
  return {chip.levels.back().latency + bytes / chip.levels.back().bandwidth, bytes};
}

}  // namespace trainyard::planner
