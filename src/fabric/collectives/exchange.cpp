// What moves without adding: all-to-all, permutations, messages, broadcasts, barriers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "fabric/collectives/placement.h"
#include "fabric/select.h"

namespace trainyard::fabric {

namespace {

Schedule of_one_step(const Placement& placement, const char* algorithm) {
  Schedule schedule{.algorithm = algorithm, .ranks = placement.ranks};
  schedule.phases = {Phase{.from_input = true}};
  return schedule;
}

using Counts = std::vector<std::vector<double>>;

[[noreturn]] void refuse_counts(std::string found) {
  throw base::InputError({"fabric.counts", "counts are a row for each rank with its parts for all",
                          "", std::move(found),
                          "write N rows of N numbers of 0 or more, at least one of them larger"});
}

// The largest sum of a row or of a column.
double whole_of(const Counts& counts) {
  std::vector<double> columns(counts.size(), 0);
  double whole = 0;
  for (const auto& row : counts) {
    if (row.size() != counts.size())
      refuse_counts(fmt::format("{} numbers in a row of {} ranks", row.size(), counts.size()));
    double sum = 0;
    for (std::size_t target = 0; target < row.size(); ++target) {
      if (!(row[target] >= 0) || !std::isfinite(row[target]))
        refuse_counts(fmt::format("{}", row[target]));
      sum += row[target];
      columns[target] += row[target];
    }
    whole = std::max(whole, sum);
  }
  for (const double sum : columns) whole = std::max(whole, sum);
  if (!(whole > 0) || !std::isfinite(whole)) refuse_counts("nothing that moves");
  return whole;
}

}  // namespace

Schedule uneven_exchange(const Counts& counts) {
  const double whole = whole_of(counts);
  Schedule schedule{.algorithm = "direct", .ranks = static_cast<std::int32_t>(counts.size())};
  schedule.phases = {Phase{.from_input = true}};
  for (std::int32_t source = 0; source < schedule.ranks; ++source) {
    for (std::int32_t target = 0; target < schedule.ranks; ++target) {
      const double count =
          counts[static_cast<std::size_t>(source)][static_cast<std::size_t>(target)];
      if (source == target || count == 0) continue;
      schedule.phases[0].transfers.push_back({.source = source,
                                              .target = target,
                                              .count = schedule.ranks,
                                              .part = static_cast<float>(count / whole)});
    }
  }
  return schedule;
}

Schedule exchange(const Placement& placement) {
  Schedule schedule = of_one_step(placement, "direct");
  schedule.phases[0].pairs = Pairs{.from = Pairs::Piece::of_target, .to = Pairs::Piece::of_source};
  return schedule;
}

Schedule shift(const Placement& placement) {
  Schedule schedule = of_one_step(placement, "direct");
  for (std::int32_t source = 0; source < placement.ranks; ++source) {
    schedule.phases[0].transfers.push_back(
        {.source = source, .target = (source + 1) % placement.ranks, .count = placement.ranks});
  }
  return schedule;
}

Schedule send(const Placement& placement, std::int32_t source, std::int32_t target) {
  Schedule schedule = of_one_step(placement, "direct");
  schedule.phases[0].transfers = {{.source = source, .target = target, .count = placement.ranks}};
  return schedule;
}

Schedule barrier(const Placement& placement) {
  Schedule schedule = exchange(placement);
  schedule.algorithm = "semaphores";
  schedule.phases[0].pairs->is_empty = true;
  return schedule;
}

Schedule broadcast(const Placement& placement, const Halves& halves, std::int32_t root) {
  Schedule schedule{.algorithm = "scatter, " + halves.algorithm,
                    .ranks = placement.ranks,
                    .stripes = halves.stripes};
  Phase scatter{.from_input = true};
  for (std::size_t stripe = 0; stripe < halves.stripes.size(); ++stripe) {
    for (std::int32_t target = 0; target < placement.ranks; ++target) {
      if (target == root) continue;
      const auto& places = halves.stripes[stripe].place;
      const std::int32_t at = places.empty() ? target : places[static_cast<std::size_t>(target)];
      scatter.transfers.push_back({.source = root,
                                   .target = target,
                                   .first = at,
                                   .to = at,
                                   .stripe = static_cast<std::int16_t>(stripe)});
    }
  }
  schedule.phases.push_back(std::move(scatter));
  schedule.phases.insert(schedule.phases.end(), halves.gather.begin(), halves.gather.end());
  return schedule;
}

}  // namespace trainyard::fabric
