#include "trace/pyramid.h"

#include <algorithm>

namespace trainyard::trace {

Level coarser(const Level& level, unsigned step_log2) {
  const std::size_t factor = std::size_t{1} << step_log2;
  Level result{level.width_log2 + step_log2,
               std::vector<ReasonTotals>((level.buckets.size() + factor - 1) / factor)};
  for (std::size_t i = 0; i < level.buckets.size(); ++i)
    result.buckets[i / factor] += level.buckets[i];
  return result;
}

void Pyramid::add(std::span<const Interval> rows) {
  if (rows.empty()) return;
  rows_ += rows.size();
  reach(std::max<std::int64_t>(rows.back().end.value - 1, 0));
  for (const Interval& row : rows) add_row(row);
}

void Pyramid::reach(std::int64_t last_tick) {
  const std::size_t limit = std::max(buckets_min, rows_ / rows_per_bucket);
  const auto needed = [&] { return static_cast<std::size_t>(last_tick >> finest_.width_log2) + 1; };
  while (needed() > limit) finest_ = coarser(finest_, 1);
  finest_.buckets.resize(std::max(finest_.buckets.size(), needed()));
}

void Pyramid::add_row(const Interval& row) {
  const unsigned width = finest_.width_log2;
  const std::size_t reason = index(row.reason);
  std::int64_t begin = row.begin.value;
  auto bucket = static_cast<std::size_t>(begin >> width);
  while (begin < row.end.value) {
    const std::int64_t end =
        std::min(row.end.value, static_cast<std::int64_t>(bucket + 1) << width);
    finest_.buckets[bucket++].ticks[reason] += end - begin;
    begin = end;
  }
}

namespace {

// Idle is never added up: it is what remains of each bucket, and the last one ends with the run.
void fill_idle(Level& level, base::Ticks end) {
  const std::int64_t width = std::int64_t{1} << level.width_log2;
  for (std::size_t i = 0; i < level.buckets.size(); ++i) {
    const std::int64_t length = std::min(width, end.value - static_cast<std::int64_t>(i) * width);
    std::int64_t& idle = level.buckets[i].ticks[index(Reason::idle)];
    idle = 0;
    idle = length - level.buckets[i].total().value;
  }
}

}  // namespace

std::vector<Level> Pyramid::levels(base::Ticks end) const {
  Pyramid whole = *this;
  if (end.value > 0) whole.reach(end.value - 1);
  std::vector<Level> levels{std::move(whole.finest_)};
  fill_idle(levels.front(), end);
  while (levels.back().buckets.size() > buckets_min / 4)
    levels.push_back(coarser(levels.back(), step_log2));
  return levels;
}

}  // namespace trainyard::trace
