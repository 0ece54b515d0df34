#include "system/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/hash.h"

namespace trainyard::system {

namespace {

using isa::CollectiveKind;

// One step along the edges, whole buffers.
fabric::Schedule of_edges(const CrossSite& site) {
  fabric::Schedule schedule{.algorithm = "direct",
                            .ranks = static_cast<std::int32_t>(site.ranks.size())};
  schedule.phases = {fabric::Phase{.from_input = true}};
  const auto place = [&](std::int32_t rank) {
    return static_cast<std::int32_t>(std::ranges::find(site.ranks, rank) - site.ranks.begin());
  };
  for (const auto& [from, to] : site.edges) {
    if (from == to) continue;
    schedule.phases[0].transfers.push_back(
        {.source = place(from), .target = place(to), .count = schedule.ranks});
  }
  return schedule;
}

std::tuple<CollectiveKind, std::int64_t, bool, std::size_t, bool, fabric::Memory> likeness(
    const CrossSite& site) {
  return {site.kind, site.bytes, site.follows, site.ranks.size(), site.core < 0, site.memory};
}

// Who of a group is on the chip of a rank, and how many are not; where those are is known to the
// network.
class ChipMembers {
 public:
  explicit ChipMembers(std::int64_t ranks_per_chip) : ranks_per_chip_(ranks_per_chip) {}

  // The same for all ranks of the group on a chip. `group` must outlive this.
  [[nodiscard]] std::uint64_t hash(std::span<const std::int32_t> group, std::int32_t rank) {
    const auto [at, is_new] = of_chips_.try_emplace(group.data());
    if (is_new) count(group, at->second);
    return at->second[rank / ranks_per_chip_];
  }

 private:
  using OfChips = std::map<std::int64_t, std::uint64_t>;

  void count(std::span<const std::int32_t> group, OfChips& of_chips) const {
    const std::uint64_t away = base::hash_combine(base::hash_seed, ~std::uint64_t{0});
    for (const std::int32_t rank : group) {
      const std::uint64_t here =
          base::hash_combine(base::hash_seed, static_cast<std::uint64_t>(rank % ranks_per_chip_));
      of_chips.try_emplace(rank / ranks_per_chip_, group.size() * away).first->second +=
          here - away;
    }
  }

  std::int64_t ranks_per_chip_;
  std::map<const std::int32_t*, OfChips> of_chips_;  // by group
};

// What of a program's collectives costs a rank time: all but where the others of its group are.
std::uint64_t meetings_hash(std::span<const BodyCollective> collectives,
                            const isa::Program& program, std::int32_t rank, ChipMembers& members) {
  std::uint64_t hash = base::hash_seed;
  for (const BodyCollective& one : collectives) {
    const isa::Meeting& meeting = one.meeting;
    for (const std::uint64_t word :
         {std::uint64_t{one.instruction}, static_cast<std::uint64_t>(meeting.kind),
          static_cast<std::uint64_t>(meeting.channel), static_cast<std::uint64_t>(meeting.channels),
          static_cast<std::uint64_t>(meeting.bytes.value), std::uint64_t{meeting.follows},
          members.hash(program.group_with(meeting.groups, rank), rank)})
      hash = base::hash_combine(hash, word);
  }
  return hash;
}

}  // namespace

fabric::CollectiveOp operation_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::reduce: return fabric::CollectiveOp::all_reduce;
    case CollectiveKind::gather: return fabric::CollectiveOp::all_gather;
    case CollectiveKind::scatter: return fabric::CollectiveOp::reduce_scatter;
    case CollectiveKind::all_to_all: return fabric::CollectiveOp::all_to_all;
    case CollectiveKind::permute: return fabric::CollectiveOp::permute;
  }
  base::fail("unknown kind of collective");
}

bool operator<(const CrossSite& a, const CrossSite& b) {
  return std::tie(a.kind, a.ranks, a.bytes, a.follows, a.channel, a.core, a.share, a.memory) <
         std::tie(b.kind, b.ranks, b.bytes, b.follows, b.channel, b.core, b.share, b.memory);
}

Sites::Sites(std::span<const CoreJob> jobs, const isa::Seats& seats, const fabric::Network& network)
    : jobs_(jobs), seats_(seats), network_(network), of_(jobs.size()) {
  std::set<std::int64_t> chips;
  for (const CoreJob& job : jobs) {
    if (job.rank() >= network.ranks()) {
      throw base::InputError(
          {"system.ranks", "every rank is a logical core of the system", network.system().name,
           fmt::format("rank {} where it has ranks 0 to {}", job.rank(), network.ranks() - 1),
           "run on fewer ranks, or on a larger system"});
    }
    chips.insert(network.chip_of(job.rank()));
  }
  chips_.assign(chips.begin(), chips.end());
  collect();
  choose();
}

bool Sites::is_between_chips(std::span<const std::int32_t> ranks) const {
  return std::ranges::any_of(ranks, [&](std::int32_t rank) {
    return network_.chip_of(rank) != network_.chip_of(ranks.front());
  });
}

void Sites::collect() {
  for (const CoreJob& job : jobs_) {
    const auto [at, is_new] = collectives_.try_emplace(&job.program);
    if (is_new) at->second = collectives_of(job.program, network_.system().chip.core);
  }
  std::map<CrossSite, std::uint32_t> numbers;
  // What a body's collective is for a group and a core of it; nothing where that stays on a chip.
  std::map<std::tuple<const BodyCollective*, const std::int32_t*, std::int32_t>,
           std::optional<std::uint32_t>>
      known;
  std::set<std::tuple<std::uint32_t, std::int32_t, std::int32_t>> edges;  // by site: from, to
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    const isa::Program& program = jobs_[k].program;
    const std::int32_t rank = jobs_[k].rank();
    for (const BodyCollective& one : collectives_.at(&program)) {
      const auto ranks = program.group_with(one.meeting.groups, rank);
      const std::int32_t core = one.is_of_whole_rank ? -1 : seats_[k].core;
      const auto [at, is_new] = known.try_emplace({&one, ranks.data(), core});
      if (is_new && is_between_chips(ranks)) at->second = number_of(one, ranks, k, numbers);
      if (!at->second) continue;
      const std::uint32_t site = *at->second;
      of_[k][one.instruction] = site;
      uses_[site].push_back({k, one.instruction});
      if (one.meeting.kind != CollectiveKind::permute) continue;
      const std::int32_t to =
          isa::edges_of(program, one.meeting.groups, one.meeting.pairs, rank).to;
      if (to >= 0 && edges.emplace(site, rank, to).second) list_[site].edges.emplace_back(rank, to);
    }
  }
}

std::uint32_t Sites::number_of(const BodyCollective& one, std::span<const std::int32_t> ranks,
                               std::size_t job, std::map<CrossSite, std::uint32_t>& numbers) {
  const auto cores =
      static_cast<std::int32_t>(seats_.cores_of(jobs_[job].program, one.instruction, job));
  const CrossSite site{.kind = one.meeting.kind,
                       .ranks = {ranks.begin(), ranks.end()},
                       .bytes = one.meeting.bytes.value,
                       .follows = one.meeting.follows,
                       .channel = one.meeting.channel,
                       .core = one.is_of_whole_rank ? -1 : seats_[job].core,
                       .cores = cores,
                       .share = one.share,
                       .memory = one.memory};
  const auto [at, is_new] = numbers.try_emplace(site, static_cast<std::uint32_t>(list_.size()));
  if (is_new) {
    list_.push_back(site);
    uses_.emplace_back();
  }
  return at->second;
}

std::optional<std::uint32_t> Sites::find(std::size_t job, std::uint32_t instruction) const {
  const auto found = of_[job].find(instruction);
  if (found == of_[job].end()) return std::nullopt;
  return found->second;
}

// Sites that are alike are priced together as far as they have no rank in common.
void Sites::choose() {
  schedules_.resize(list_.size());
  std::map<decltype(likeness(list_[0])), std::vector<std::uint32_t>> alike;
  for (std::uint32_t s = 0; s < list_.size(); ++s) alike[likeness(list_[s])].push_back(s);
  for (const auto& [key, sites] : alike) choose_for(sites);
}

void Sites::choose_for(std::span<const std::uint32_t> alike) {
  const CrossSite& first = list_[alike.front()];
  const fabric::CollectiveOp operation = operation_of(first.kind);
  const auto bytes = static_cast<double>(first.bytes);
  fabric::Price price;
  if (first.kind != CollectiveKind::permute) {
    std::vector<fabric::Group> groups;
    std::set<std::int32_t> taken;
    for (const std::uint32_t s : alike) {
      const auto& ranks = list_[s].ranks;
      if (std::ranges::any_of(ranks, [&](std::int32_t r) { return taken.contains(r); })) continue;
      taken.insert(ranks.begin(), ranks.end());
      groups.push_back(ranks);
    }
    price = fabric::price(network_, operation, bytes, groups, {.memory = first.memory});
  }
  for (const std::uint32_t s : alike) {
    if (first.kind == CollectiveKind::permute) {
      schedules_[s] = of_edges(list_[s]);
    } else {
      std::vector<fabric::Schedule> ways = fabric::schedules(network_, operation, list_[s].ranks);
      auto way = std::ranges::find(ways, price.algorithm, &fabric::Schedule::algorithm);
      schedules_[s] = std::move(way == ways.end() ? ways.front() : *way);
    }
    list_[s].shape = shape_number(list_[s], schedules_[s], price);
  }
}

// Sites of one number have the same phases, so that their transfers can be alike.
std::uint32_t Sites::shape_number(const CrossSite& site, const fabric::Schedule& schedule,
                                  const fabric::Price& price) {
  std::vector<std::int64_t> key{static_cast<std::int64_t>(site.kind),
                                site.bytes,
                                site.follows ? 1 : 0,
                                static_cast<std::int64_t>(site.ranks.size()),
                                static_cast<std::int64_t>(schedule.stripes.size()),
                                static_cast<std::int64_t>(site.memory)};
  for (const fabric::Phase& phase : schedule.phases) {
    key.push_back(phase.repeat);
    key.push_back(phase.rings ? 1 : 0);
  }
  const auto [at, is_new] =
      shape_numbers_.try_emplace(key, static_cast<std::uint32_t>(shapes_.size()));
  if (is_new) shapes_.push_back({schedule.algorithm, schedule.steps(), price.candidates});
  return at->second;
}

fabric::Problem Sites::problem(std::vector<fabric::Change> changes, bool are_chips_alike) const {
  std::vector<fabric::Collective> collectives;
  for (std::uint32_t s = 0; s < list_.size(); ++s) {
    collectives.push_back({list_[s].ranks, &schedules_[s], static_cast<double>(list_[s].bytes),
                           !list_[s].follows, list_[s].shape, list_[s].share, list_[s].memory});
  }
  fabric::Problem problem = fabric::make_joint(network_, collectives, are_chips_alike);
  problem.changes = std::move(changes);
  return problem;
}

// Every rank of a group runs its collective equally often, in equal words, and knows of the edges
// that lead to it.
bool Sites::fits_together() const {
  for (std::uint32_t s = 0; s < list_.size(); ++s) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> times;  // by rank and core
    std::set<std::pair<std::int32_t, std::int32_t>> arriving;
    const Use& first = uses_[s].front();
    const isa::Program& program = jobs_[first.job].program;
    for (const Use& use : uses_[s]) {
      ++times[{jobs_[use.job].rank(), seats_[use.job].core}];
      const isa::Program& other = jobs_[use.job].program;
      const std::int32_t rank = jobs_[use.job].rank();
      if (const auto from = isa::meeting_of(other, use.instruction, rank).receives_from; from >= 0)
        arriving.emplace(from, rank);
      const isa::InstructionInfo& info = program.info_at(first.instruction);
      if (program.instructions[first.instruction].opcode !=
              other.instructions[use.instruction].opcode ||
          !info.mismatch(program.record(first.instruction), other.record(use.instruction)).empty())
        return false;
    }
    if (arriving != std::set(list_[s].edges.begin(), list_[s].edges.end())) return false;
    const std::size_t wanted = times.begin()->second;
    for (const auto& [who, count] : times) {
      if (count != wanted) return false;
    }
    for (const std::int32_t rank : list_[s].ranks) {
      const auto at = times.lower_bound({rank, 0});
      if (at == times.end() || at->first.first != rank) return false;
    }
  }
  return true;
}

std::map<std::int32_t, std::uint64_t> Sites::marks_of(std::uint32_t site) const {
  std::map<std::int32_t, std::uint64_t> marks;
  for (const Use& use : uses_[site]) {
    const std::int32_t rank = jobs_[use.job].rank();
    const auto [at, is_new] = marks.try_emplace(rank, chip_marks_.at(network_.chip_of(rank)));
    std::uint64_t& mark = at->second;
    if (is_new)
      mark = base::hash_combine(mark, static_cast<std::uint64_t>(rank % network_.ranks_per_chip()));
    mark = base::hash_combine(mark, static_cast<std::uint64_t>(seats_[use.job].core));
    mark = base::hash_combine(mark, use.instruction);
  }
  return marks;
}

std::uint32_t Sites::node_of_chip(std::int64_t chip) const {
  const auto at = std::ranges::find(chips_, chip) - chips_.begin();
  return static_cast<std::uint32_t>(list_.size()) + static_cast<std::uint32_t>(at);
}

std::optional<fabric::Problem> Sites::foldable(const Faults& faults) {
  if (!fits_together()) return std::nullopt;
  std::map<const isa::Program*, std::uint64_t> hash_of;  // many ranks run one body
  for (const auto& [program, collectives] : collectives_) hash_of[program] = time_hash(*program);
  ChipMembers members(network_.ranks_per_chip());
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    const std::int64_t rank = jobs_[k].rank();
    std::uint64_t& mark =
        chip_marks_.try_emplace(network_.chip_of(rank), base::hash_seed).first->second;
    mark = base::hash_combine(mark, static_cast<std::uint64_t>(rank % network_.ranks_per_chip()));
    mark = base::hash_combine(mark, static_cast<std::uint64_t>(seats_[k].core));
    mark = base::hash_combine(mark, hash_of.at(&jobs_[k].program));
    mark = base::hash_combine(mark, meetings_hash(collectives_.at(&jobs_[k].program),
                                                  jobs_[k].program, jobs_[k].rank(), members));
  }
  for (const auto& [rank, delay] : faults.late) {
    const auto chip = chip_marks_.find(network_.chip_of(rank));
    if (chip == chip_marks_.end()) continue;
    chip->second = base::hash_combine(chip->second, static_cast<std::uint64_t>(rank));
    chip->second = base::hash_combine(chip->second, static_cast<std::uint64_t>(delay.value));
  }
  const bool are_chips_alike =
      faults.changes.empty() && std::ranges::all_of(chip_marks_, [&](const auto& chip) {
        return chip.second == chip_marks_.begin()->second;
      });
  fabric::Problem problem = this->problem(faults.changes, are_chips_alike);
  problem.nodes = static_cast<std::uint32_t>(list_.size() + chips_.size());
  std::vector<std::map<std::int32_t, std::uint64_t>> marks;  // by site
  for (std::uint32_t s = 0; s < list_.size(); ++s) marks.push_back(marks_of(s));
  std::map<std::uint32_t, std::uint32_t> first_actor;  // by site
  for (std::uint32_t a = 0; a < problem.actors; ++a) {
    const std::uint32_t site = problem.site_of_actor[a];
    const std::uint32_t first = first_actor.try_emplace(site, a).first->second;
    const std::uint64_t stripe = (a - first) % schedules_[site].stripes.size();
    const std::int32_t rank = problem.rank_of_actor[a];
    problem.marks.push_back(base::hash_combine(marks[site].at(rank), stripe));
    problem.ties.push_back({a, site, 0});
    problem.ties.push_back({a, node_of_chip(network_.chip_of(rank)), 1});
  }
  return problem;
}

std::map<std::int64_t, std::int64_t> Sites::stand_ins(const fabric::Folded& folded) const {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::int64_t> first;  // by class and programs
  std::map<std::int64_t, std::int64_t> result;
  for (const std::int64_t chip : chips_) {
    const std::pair alike{folded.node_class[node_of_chip(chip)], chip_marks_.at(chip)};
    result[chip] = first.try_emplace(alike, chip).first->second;
  }
  return result;
}

}  // namespace trainyard::system
