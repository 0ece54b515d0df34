#include "report/usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/stable_sort.h"

namespace trainyard::report {
namespace {

// Below this share of the run no unit can be said to bound it: half of the time even the busiest
// one waits for others.
constexpr double busy_share_of_a_bound = 0.5;

// The DMA engines and the memories of a core work side by side, so the mean of a kind says how full
// it is.
Part busy_of_kind(const std::vector<TrackUsage>& tracks, trace::TrackKind kind, std::string name,
                  base::Ticks run) {
  base::Ticks sum;
  std::int64_t count = 0;
  for (const TrackUsage& track : tracks) {
    if (track.kind != kind) continue;
    sum += track.totals.of(trace::Reason::working);
    ++count;
  }
  const base::Ticks mean{count == 0 ? 0 : sum.value / count};
  return {std::move(name), mean, share(mean, run)};
}

}  // namespace

double share(base::Ticks part, base::Ticks whole) {
  return whole.value == 0 ? 0 : static_cast<double>(part.value) / static_cast<double>(whole.value);
}

std::vector<TrackUsage> usage_of(const trace::Summary& summary,
                                 std::span<const trace::Track> tracks) {
  std::vector<TrackUsage> result;
  for (std::uint32_t t = 0; t < tracks.size(); ++t) {
    TrackUsage usage{
        tracks[t].name, tracks[t].kind, tracks[t].core, summary.totals(trace::TrackId{t}), {}};
    for (std::uint32_t c = 0; c < tracks.size(); ++c) {
      const base::Ticks ticks = summary.waited_for(trace::TrackId{t}, trace::TrackId{c});
      if (ticks > base::Ticks{0})
        usage.waits_for.push_back({tracks[c].name, ticks, share(ticks, summary.end())});
    }
    base::stable_sort(usage.waits_for, std::ranges::greater{}, &Part::ticks);
    result.push_back(std::move(usage));
  }
  return result;
}

Bound bound_of(const std::vector<TrackUsage>& tracks, base::Ticks run) {
  std::vector<Part> units;
  for (const TrackUsage& track : tracks) {
    if (track.kind != trace::TrackKind::engine) continue;
    const base::Ticks busy =
        track.totals.of(trace::Reason::working) + track.totals.of(trace::Reason::overhead);
    units.push_back({track.name, busy, share(busy, run)});
  }
  units.push_back(busy_of_kind(tracks, trace::TrackKind::dma_engine, "dma", run));
  units.push_back(busy_of_kind(tracks, trace::TrackKind::memory, "hbm", run));
  units.push_back(busy_of_kind(tracks, trace::TrackKind::link, "link", run));
  const Part& busiest = *std::ranges::max_element(units, {}, &Part::ticks);
  if (busiest.share >= busy_share_of_a_bound) {
    return {busiest.name, busiest.share, busiest.name,
            fmt::format("{} is busy for {:.1f} % of the run", busiest.name, 100 * busiest.share)};
  }
  return {"latency", busiest.share, busiest.name,
          fmt::format("even the busiest unit, {}, is busy for only {:.1f} % of the run: units wait "
                      "for each other",
                      busiest.name, 100 * busiest.share)};
}

}  // namespace trainyard::report
