#include "system/interconnect.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/stable_sort.h"

namespace trainyard::system {

namespace {

constexpr std::size_t links_max = 32;       // of a record
constexpr std::size_t buckets = 512;        // of each link, over the run
constexpr std::size_t spans_max = 500'000;  // transfers that are looked at for it

constexpr double ticks_per_second = static_cast<double>(base::ticks_per_nanosecond) * 1e9;

}  // namespace

Interconnect::Interconnect(std::span<const CoreJob> jobs, const isa::Seats& seats,
                           const machine::System& system, std::int64_t cores_per_rank,
                           const Faults& faults, bool folds_chips, events::Queue& queue)
    : network_(system, cores_per_rank), queue_(queue), sites_(jobs, seats, network_) {
  if (folds_chips && faults.memory.empty()) fold_chips(jobs, seats, faults);
  if (!is_folded_) {
    problem_ = sites_.problem(faults.changes);
    folded_ = fabric::unfolded(problem_);
    running_.resize(jobs.size());
    std::iota(running_.begin(), running_.end(), std::size_t{0});
    stand_ins_ = running_;
  }
  traffic_ = std::make_unique<fabric::Traffic>(folded_, problem_, &spans_);
  times_.resize(folded_.sites.size());
}

void Interconnect::fold_chips(std::span<const CoreJob> jobs, const isa::Seats& seats,
                              const Faults& faults) {
  std::optional<fabric::Problem> problem = sites_.foldable(faults);
  if (!problem) return;
  problem_ = std::move(*problem);
  folded_ = fabric::fold(problem_);
  chip_of_chip_ = sites_.stand_ins(folded_);
  std::map<std::pair<std::int64_t, std::int32_t>, std::size_t> job_at;  // by rank and core
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    job_at[{jobs[k].rank(), seats[k].core}] = k;
    const std::int64_t chip = network_.chip_of(jobs[k].rank());
    if (chip_of_chip_.at(chip) == chip) running_.push_back(k);
  }
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const std::int64_t each = network_.ranks_per_chip();
    const std::int64_t chip = chip_of_chip_.at(network_.chip_of(jobs[k].rank()));
    stand_ins_.push_back(job_at.at({chip * each + jobs[k].rank() % each, seats[k].core}));
  }
  is_folded_ = true;
}

engines::Crossings Interconnect::crossings() {
  if (sites_.empty()) return {};
  return {.begin = [this](std::span<const std::size_t> cores,
                          const isa::Attendant& first) { return begin(cores, first); },
          .is_done = [this](std::uint32_t site) { return !traffic_->is_under_way(site); }};
}

engines::Members Interconnect::members(const CrossSite& site,
                                       const isa::Seats& running_seats) const {
  const std::int64_t each = network_.ranks_per_chip();
  std::set<std::pair<std::int64_t, std::int64_t>> stand;  // chips, and places there
  for (const std::int32_t rank : site.ranks)
    stand.emplace(chip_of_chip_.at(network_.chip_of(rank)), rank % each);
  engines::Members found;
  for (std::size_t i = 0; i < running_seats.size(); ++i) {
    const isa::Seat& seat = running_seats[i];
    if ((site.core < 0 || seat.core == site.core) &&
        stand.contains({network_.chip_of(seat.rank), seat.rank % each}))
      found.push_back(i);
  }
  return found;
}

engines::MembersOf Interconnect::members(const isa::Seats& running_seats) const {
  if (!is_folded_) return {};
  std::vector<engines::Members> by_site;
  for (std::uint32_t s = 0; s < sites_.size(); ++s)
    by_site.push_back(members(sites_[s], running_seats));
  return [this, by_site = std::move(by_site)](std::size_t core, std::uint32_t instruction) {
    const auto site = sites_.find(running_[core], instruction);
    return site ? by_site[*site] : engines::Members{};  // none: on its chip
  };
}

std::optional<std::uint32_t> Interconnect::begin(std::span<const std::size_t> cores,
                                                 const isa::Attendant& first) {
  const auto site = sites_.find(running_[cores.front()], first.instruction);
  if (!site) return std::nullopt;
  const std::uint32_t of = folded_.site_class[*site];
  ++times_[of];
  traffic_->begin(of, queue_.now());
  look_ahead();
  return of;
}

void Interconnect::look_ahead() {
  const base::Ticks next = traffic_->next();
  ++version_;
  if (next != fabric::Traffic::never) queue_.at(next, *this, {0, version_});
}

void Interconnect::handle(events::Message message) {
  if (message.index != version_) return;  // something began since
  const auto ended = traffic_->step();
  const std::vector<std::uint32_t> done(ended.begin(), ended.end());
  if (spans_.size() > spans_max) spans_.resize(spans_max);
  for (const std::uint32_t site : done) meetings_->crossed(site);
  look_ahead();
}

std::vector<std::string> Interconnect::stuck() const {
  return fabric::reasons(network_, folded_, traffic_->stuck());
}

void Interconnect::record(LinkRecord& record, base::Ticks end) const {
  record.end = end;
  record.chips = record.chips_run = sites_.chips();
  if (is_folded_) {
    record.chips_run = std::ranges::count_if(
        chip_of_chip_, [](const auto& entry) { return entry.first == entry.second; });
  }
  record.transfers = traffic_->transfers();
  for (std::uint32_t s = 0; s < sites_.size(); ++s) {
    const std::uint64_t times = times_[folded_.site_class[s]];
    if (times == 0) continue;
    const Shape& shape = sites_.shape_of(s);
    const auto same = std::ranges::find_if(record.collectives, [&](const CrossCollective& one) {
      return one.kind == sites_[s].kind && one.bytes == sites_[s].bytes &&
             one.ranks == static_cast<std::int64_t>(sites_[s].ranks.size()) &&
             one.algorithm == shape.algorithm;
    });
    if (same != record.collectives.end()) {
      ++same->groups;
      continue;
    }
    record.collectives.push_back({.kind = sites_[s].kind,
                                  .bytes = sites_[s].bytes,
                                  .ranks = static_cast<std::int64_t>(sites_[s].ranks.size()),
                                  .algorithm = shape.algorithm,
                                  .steps = shape.steps,
                                  .times = times,
                                  .candidates = shape.candidates});
  }
  add_links(record, end);
}

void Interconnect::add_links(LinkRecord& record, base::Ticks end) const {
  std::vector<std::uint32_t> order;
  for (std::uint32_t r = 0; r < folded_.capacity.size(); ++r) {
    const std::string kind = network_.kind(folded_.resource_member[r]);
    if (traffic_->carried()[r] > 0 && kind.find(" link") != kind.npos) order.push_back(r);
  }
  const auto share = [&](std::uint32_t r) { return traffic_->carried()[r] / folded_.capacity[r]; };
  base::stable_sort(order, std::greater{}, share);
  record.left_out = static_cast<std::int64_t>(order.size()) -
                    static_cast<std::int64_t>(std::min(order.size(), links_max));
  order.resize(std::min(order.size(), links_max));
  std::vector<std::size_t> place(folded_.capacity.size(), links_max);
  const double seconds = static_cast<double>(end.value) / ticks_per_second;
  for (const std::uint32_t r : order) {
    place[r] = record.links.size();
    record.links.push_back({.name = network_.name(folded_.resource_member[r]),
                            .alike = folded_.resource_members[r],
                            .bytes = traffic_->carried()[r],
                            .share = seconds > 0 ? share(r) / seconds : 0,
                            .use = std::vector<double>(buckets)});
  }
  record.is_cut = spans_.size() >= spans_max;
  const double width = std::max(1.0, static_cast<double>(end.value) / buckets);
  for (const fabric::Span& span : spans_) {
    const double begin = static_cast<double>(span.begin.value) / width;
    const double stop = static_cast<double>(span.end.value) / width;
    if (stop <= begin) continue;
    for (std::uint32_t u = folded_.begin[span.flow]; u < folded_.begin[span.flow + 1]; ++u) {
      const std::size_t at = place[folded_.resource[u]];
      if (at == links_max) continue;
      const double bytes = folded_.flows[span.flow].flow.bytes * folded_.weight[u];
      const double full = folded_.capacity[folded_.resource[u]] * width / ticks_per_second;
      const auto last = std::min(buckets - 1, static_cast<std::size_t>(stop));
      for (auto b = static_cast<std::size_t>(begin); b <= last; ++b) {
        const double from = std::max(begin, static_cast<double>(b));
        const double to = std::min(stop, static_cast<double>(b + 1));
        if (to > from) record.links[at].use[b] += bytes * (to - from) / (stop - begin) / full;
      }
    }
  }
}

}  // namespace trainyard::system
