#include "planner/links.h"

#include <algorithm>
#include <array>
#include <cmath>
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
std::optional<double> by_schedule(const Chip& chip, fabric::CollectiveOp operation, double bytes,
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

// The sum of `bytes` over `members` of one level: by a ring, or for few bytes by a tree, of which
// the faster counts; by the switch where it adds.
Transfer sum_of_level(const Level& level, double bytes, double members) {
  const double ring_bytes = 2 * bytes * (members - 1) / members;
  if (level.in_switch > 0) {
    // At best a chip sends its numbers and receives the sums.
    const double moved = ring_bytes + level.in_switch * (std::min(ring_bytes, bytes) - ring_bytes);
    return {level.latency + 2 * level.step + moved / level.bandwidth, moved};
  }
  const double ring = 2 * (members - 1) * level.step + ring_bytes / level.bandwidth;
  const double tree = 2 * std::ceil(std::log2(members)) * level.step +
                      std::max(ring_bytes, 2 * bytes) / level.bandwidth;
  const bool is_ring = ring <= tree;
  return {level.latency + std::min(ring, tree), is_ring ? ring_bytes : 2 * bytes};
}

// Levels work at once, on one piece after another. Rings run through the whole group, so that links
// of the outer levels carry what passes by for all of it.
Transfer sum_by_links(const Chip& chip, double bytes, double group, double stride) {
  Transfer result;
  if (group <= 1) return result;
  const std::array<double, 4> members = layout(chip, group, stride);
  const double ring = (group - 1) / group;
  double share = bytes;    // what is left to reduce once the levels inside have scattered it
  double all_at_once = 0;  // the rate of a chip whose levels are all busy
  double slowest = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] <= 1) continue;
    const Level& level = chip.levels[i];
    const Transfer sum = sum_of_level(level, share, members[i]);
    const double passing = chip.is_ideal ? sum.bytes : std::max(sum.bytes, 2 * share * ring);
    const bool is_first = share == bytes;
    const double moved = is_first ? sum.bytes : passing;
    result.seconds += sum.seconds - sum.bytes / level.bandwidth;
    slowest = std::max(slowest, moved / level.bandwidth);
    result.bytes += moved;
    all_at_once += level.bandwidth;
    share /= members[i];
  }
  result.seconds += chip.is_ideal ? result.bytes / all_at_once : slowest;
  return result;
}

}  // namespace

Transfer all_reduce(const Chip& chip, double bytes, double group) {
  Transfer result = sum_by_links(chip, bytes, group, 1);
  const auto known = by_schedule(chip, fabric::CollectiveOp::all_reduce, bytes, group, 1, true);
  if (known) result.seconds = *known;
  return result;
}

Transfer all_reduce_replicas(const Chip& chip, double bytes, double group, double stride) {
  Transfer result = sum_by_links(chip, bytes, group, stride);
  if (group <= 1) return result;
  const auto known = by_schedule(chip, fabric::CollectiveOp::all_reduce, bytes / chip.logical_cores,
                                 group, stride, false);
  if (known) result.seconds = *known;
  return result;
}

Transfer all_to_all(const Chip& chip, double bytes, double group, double stride) {
  Transfer result;
  if (group <= 1) return result;
  const std::array<double, 4> members = layout(chip, group, stride);
  double inside = 1;
  double slowest = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] <= 1) continue;
    // What goes to chips that this level joins, and no level inside does.
    const double moved = bytes * inside * (members[i] - 1) / group;
    const bool network = i + 1 == members.size();
    const double rate = chip.levels[i].bandwidth * (network ? 1 : chip.all_to_all);
    slowest = std::max(slowest, moved / rate);
    result.seconds += chip.levels[i].latency + chip.levels[i].step;
    result.bytes += moved;
    inside *= members[i];
  }
  result.seconds += slowest;
  const auto known = by_schedule(chip, fabric::CollectiveOp::all_to_all, bytes / chip.logical_cores,
                                 group, stride, stride == 1);
  if (known) result.seconds = *known;
  return result;
}

Transfer send(const Chip& chip, double bytes, double stride) {
  const auto known = by_schedule(chip, fabric::CollectiveOp::send_receive,
                                 bytes / chip.logical_cores, 2, stride, false);
  if (known) return {*known, bytes};
  double reached = 1;
  for (const Level& level : chip.levels) {
    reached *= level.size;
    if (level.bandwidth > 0 && stride < reached)
      return {level.latency + level.step + bytes / level.bandwidth, bytes};
  }
  const Level& network = chip.levels.back();
  return {network.latency + network.step + bytes / network.bandwidth, bytes};
}

}  // namespace trainyard::planner
