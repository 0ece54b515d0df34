#include "system/sites.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/hash.h"
#include "isa/core/visit.h"
#include "isa/cost/transfer.h"
#include "isa/forms/binary.h"

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

// The class of service of the DMA engines: 0 is the highest. A strict order is shares so far apart
// that what is left to a lower class beside a higher one is nothing to speak of.
float share_of(const isa::Program& program, std::uint32_t instruction, const machine::Core& core) {
  constexpr int strict_bits = 10;
  if (core.policy.dma_arbitration == machine::DmaArbitration::round_robin) return 1;
  const isa::Transfer transfer = isa::transfer_of_collective(
      program.info_at(instruction), program.record(instruction), {1}, {1}, core);
  const machine::Dma& dma = core.dma;
  const std::array shares{dma.class_share_0, dma.class_share_1, dma.class_share_2,
                          dma.class_share_3};
  if (transfer.priority < 0) return 1;
  const auto of = static_cast<std::size_t>(transfer.priority);
  if (core.policy.dma_arbitration == machine::DmaArbitration::strict_priority)
    return std::ldexp(1.0F, -strict_bits * transfer.priority);
  return static_cast<float>(shares.at(of)) / static_cast<float>(shares.front());
}

std::tuple<CollectiveKind, std::int64_t, bool, std::size_t, bool, fabric::Memory> likeness(
    const CrossSite& site) {
  return {site.kind, site.bytes, site.follows, site.ranks.size(), site.core < 0, site.memory};
}

// A collective reads and writes one memory.
fabric::Memory memory_of(const isa::Program& program, std::uint32_t instruction) {
  bool on_chip = false;
  program.for_each_tile(instruction,
                        [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
                          if (isa::writes(access)) on_chip = tile.space == isa::Space::sbuf;
                        });
  return on_chip ? fabric::Memory::sbuf : fabric::Memory::hbm;
}

// What of a program's collectives costs a rank time: all but where the others of its group are.
std::uint64_t meetings_hash(const isa::Program& program, std::int32_t rank,
                            std::int64_t ranks_per_chip) {
  std::uint64_t hash = base::hash_seed;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Meeting meeting = isa::meeting_of(program, i, rank);
    if (meeting.encounter != isa::Encounter::collective) continue;
    for (const std::uint64_t word :
         {std::uint64_t{i}, static_cast<std::uint64_t>(meeting.kind),
          static_cast<std::uint64_t>(meeting.channel), static_cast<std::uint64_t>(meeting.channels),
          static_cast<std::uint64_t>(meeting.bytes.value), std::uint64_t{meeting.follows}})
      hash = base::hash_combine(hash, word);
    // Who is on this chip, and how many are not; where they are is known to the network.
    std::uint64_t members = 0;
    for (const std::int32_t other : meeting.ranks) {
      const bool here = other / ranks_per_chip == rank / ranks_per_chip;
      members += base::hash_combine(
          base::hash_seed,
          here ? static_cast<std::uint64_t>(other % ranks_per_chip) : ~std::uint64_t{0});
    }
    hash = base::hash_combine(hash, members);
  }
  return hash;
}

// What else of a program costs time: all but which ranks its collectives name.
std::uint64_t time_hash(isa::Program program) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (isa::meeting_of(program, i).encounter != isa::Encounter::collective) continue;
    for (const isa::OperandInfo& operand : program.info_at(i).operands) {
      isa::visit_operand(operand, program.record(i), [](auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, isa::RankGroups> || std::is_same_v<T, bool>) value = T{};
      });
    }
  }
  return isa::binary_hash(program);
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

void Sites::collect() {
  std::map<CrossSite, std::uint32_t> numbers;
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    const isa::Program& program = jobs_[k].program;
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
      const isa::Meeting meeting = isa::meeting_of(program, i, jobs_[k].rank());
      if (meeting.encounter != isa::Encounter::collective) continue;
      const auto chip = [&](std::int32_t rank) { return network_.chip_of(rank); };
      if (std::ranges::all_of(meeting.ranks, [&](std::int32_t rank) {
            return chip(rank) == chip(meeting.ranks.front());
          }))
        continue;
      const bool whole = isa::is_of_whole_rank(program, i);
      CrossSite site{.kind = meeting.kind,
                     .ranks = {meeting.ranks.begin(), meeting.ranks.end()},
                     .bytes = meeting.bytes.value,
                     .follows = meeting.follows,
                     .channel = meeting.channel,
                     .core = whole ? -1 : seats_[k].core,
                     .cores = static_cast<std::int32_t>(seats_.cores_of(program, i, k)),
                     .share = share_of(program, i, network_.system().chip.core),
                     .memory = memory_of(program, i)};
      const auto [at, is_new] = numbers.try_emplace(site, static_cast<std::uint32_t>(list_.size()));
      if (is_new) {
        list_.push_back(site);
        uses_.emplace_back();
      }
      of_[k][i] = at->second;
      uses_[at->second].push_back({k, i});
      auto& edges = list_[at->second].edges;
      const std::pair edge{jobs_[k].rank(), meeting.sends_to};
      if (edge.second >= 0 && std::ranges::find(edges, edge) == edges.end()) edges.push_back(edge);
    }
  }
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

std::uint64_t Sites::mark_of(std::uint32_t site, std::int32_t rank) const {
  std::uint64_t hash = chip_marks_.at(network_.chip_of(rank));
  hash = base::hash_combine(hash, static_cast<std::uint64_t>(rank % network_.ranks_per_chip()));
  for (const Use& use : uses_[site]) {
    if (jobs_[use.job].rank() != rank) continue;
    hash = base::hash_combine(hash, static_cast<std::uint64_t>(seats_[use.job].core));
    hash = base::hash_combine(hash, use.instruction);
  }
  return hash;
}

std::uint32_t Sites::node_of_chip(std::int64_t chip) const {
  const auto at = std::ranges::find(chips_, chip) - chips_.begin();
  return static_cast<std::uint32_t>(list_.size()) + static_cast<std::uint32_t>(at);
}

std::optional<fabric::Problem> Sites::foldable(const Faults& faults) {
  if (!fits_together()) return std::nullopt;
  std::map<const isa::Program*, std::uint64_t> hash_of;  // many ranks run one body
  for (const CoreJob& job : jobs_) {
    if (!hash_of.contains(&job.program)) hash_of[&job.program] = time_hash(job.program);
  }
  for (std::size_t k = 0; k < jobs_.size(); ++k) {
    const std::int64_t rank = jobs_[k].rank();
    std::uint64_t& mark =
        chip_marks_.try_emplace(network_.chip_of(rank), base::hash_seed).first->second;
    mark = base::hash_combine(mark, static_cast<std::uint64_t>(rank % network_.ranks_per_chip()));
    mark = base::hash_combine(mark, static_cast<std::uint64_t>(seats_[k].core));
    mark = base::hash_combine(mark, hash_of.at(&jobs_[k].program));
    mark = base::hash_combine(
        mark, meetings_hash(jobs_[k].program, jobs_[k].rank(), network_.ranks_per_chip()));
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
  std::map<std::uint32_t, std::uint32_t> first_actor;  // by site
  for (std::uint32_t a = 0; a < problem.actors; ++a) {
    const std::uint32_t site = problem.site_of_actor[a];
    const std::uint32_t first = first_actor.try_emplace(site, a).first->second;
    const std::uint64_t stripe = (a - first) % schedules_[site].stripes.size();
    const std::int32_t rank = problem.rank_of_actor[a];
    problem.marks.push_back(base::hash_combine(mark_of(site, rank), stripe));
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
