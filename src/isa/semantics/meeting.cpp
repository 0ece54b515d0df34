#include "isa/semantics/meeting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace trainyard::isa {

namespace {

Meeting meeting_at(const Attendant& a) {
  return meeting_of(a.execution->program, a.instruction, a.execution->rank);
}

bool is_collective(const Attendant& a) { return meeting_at(a).encounter == Encounter::collective; }

std::string fix_for(std::span<const Attendant> attendants) {
  if (std::ranges::any_of(attendants, is_collective))
    return "let all ranks of a group run the same collectives on it, in the same order and on the "
           "same "
           "streams";
  if (attendants.size() == 1) return "run the kernel on a grid of two: kernel[2](...)";
  return "let all instances of the grid run the same core_barriers and sendrecvs, in the same "
         "order";
}

[[noreturn]] void mismatch(std::span<const Attendant> attendants, const std::string& why) {
  std::string found = why;
  std::vector<base::Side> sides;
  for (const Attendant& a : attendants) {
    const Program& program = a.execution->program;
    found += fmt::format("; {} stands at {}", a.who,
                         describe(program, a.instruction, a.execution->rank));
    sides.push_back({.role = "waits",
                     .actor = std::string(a.who),
                     .what = std::string(program.info_at(a.instruction).mnemonic),
                     .place = program.place(a.instruction)});
  }
  const Attendant& first = attendants.front();
  throw base::Fault(
      base::FaultCategory::undefined_behavior,
      {"meeting.match", "operations that several cores take part in match",
       first.execution->program.place(first.instruction), found, fix_for(attendants), sides});
}

// The one operand of its type, as a barrier names data and cores.
template <typename T>
const T& only(const Attendant& a) {
  return *a.execution->program.info_at(a.instruction).first<T>(a.record);
}

void check_barriers(std::span<const Attendant> all) {
  const Tile& first = only<Tile>(all.front());
  const auto address = [](const Attendant& a) {
    return a.execution->hbm_base[only<Tile>(a).tensor];
  };
  for (const Attendant& a : all) {
    if (const std::uint32_t cores = only<IntList>(a).count; cores != all.size())
      mismatch(all, fmt::format("a barrier of {} cores on a grid of {}", cores, all.size()));
    if (only<Tile>(a).space != first.space ||
        (first.space == Space::hbm && address(a) != address(all.front())))
      mismatch(all, "they name different data");
  }
}

void check_exchanges(std::span<const Attendant> all) {
  const InstructionInfo& info = all[0].execution->program.info_at(all[0].instruction);
  const auto cores = static_cast<std::int32_t>(all.size());
  for (std::int32_t core = 0; core < cores; ++core) {
    const Attendant& receiver = all[static_cast<std::size_t>(core)];
    const Meeting mine = meeting_at(receiver);
    if (mine.receives_from >= cores || mine.sends_to >= cores)
      mismatch(all, fmt::format("core {} exchanges with a core that the grid does not have", core));
    const Attendant& sender = all[static_cast<std::size_t>(mine.receives_from)];
    if (const std::int32_t target = meeting_at(sender).sends_to; target != core) {
      mismatch(all, fmt::format("core {} receives from {}, which sends to {}", core,
                                mine.receives_from, target));
    }
    if (const std::string why = info.mismatch(receiver.record, sender.record); !why.empty())
      mismatch(all, why);
  }
}

// Ranks that run one body have one list.
bool same_ranks(std::span<const std::int32_t> a, std::span<const std::int32_t> b) {
  return a.data() == b.data() || std::ranges::equal(a, b);
}

// Those of `all` to which or from which `mine` has an edge of its own, in their order.
std::vector<std::size_t> peers_of(const Attendant& mine, std::span<const Attendant> all) {
  const Meeting meeting = meeting_at(mine);
  const std::span<const std::int32_t> ranks = meeting.ranks;
  const std::size_t cores = all.size() / ranks.size();
  std::vector<std::size_t> found;
  for (const std::int32_t rank : {meeting.sends_to, meeting.receives_from}) {
    if (rank < 0) continue;
    const auto place = static_cast<std::size_t>(std::ranges::find(ranks, rank) - ranks.begin());
    for (std::size_t core = 0; place < ranks.size() && core < cores; ++core)
      found.push_back(place * cores + core);
  }
  std::ranges::sort(found);
  return found;
}

// What does not fit between two ranks of a collective, or nothing.
std::string collective_mismatch(const Attendant& a, const Attendant& b) {
  const Meeting mine = meeting_at(a), theirs = meeting_at(b);
  const std::int32_t me = a.execution->rank, other = b.execution->rank;
  if (mine.receives_from == other && theirs.sends_to != me)
    return fmt::format("rank {} receives from {}, which sends to {}", me, other, theirs.sends_to);
  if (mine.sends_to == other && theirs.receives_from != me)
    return fmt::format("rank {} sends to {}, which receives from {}", me, other,
                       theirs.receives_from);
  return a.execution->program.info_at(a.instruction).mismatch(a.record, b.record);
}

// All fit to the first one and, in a permute, to those whose tensors they exchange; then any two
// fit.
void check_collectives(std::span<const Attendant> all) {
  const auto compare = [&](const Attendant& a, const Attendant& b) {
    const std::string why = &a == &b ? "" : collective_mismatch(a, b);
    if (!why.empty()) mismatch(std::array{a, b}, why);
  };
  const std::span<const std::int32_t> ranks = meeting_at(all[0]).ranks;
  for (const Attendant& a : all) compare(all[0], a);
  for (const Attendant& a : all) {
    if (!same_ranks(meeting_at(a).ranks, ranks))
      mismatch(all, "they name the ranks of the group in another order");
    for (const std::size_t peer : peers_of(a, all)) compare(a, all[peer]);
  }
}

// "0, 1, 3"; of many, the first ones and how many there are.
std::string list_of(std::span<const std::int32_t> ranks) {
  constexpr std::size_t told_max = 16;
  if (ranks.size() <= told_max) return fmt::format("{}", fmt::join(ranks, ", "));
  return fmt::format("{}, ... {}; {} in all", fmt::join(ranks.first(told_max / 2), ", "),
                     ranks.back(), ranks.size());
}

std::string group_mismatch(const Meeting& mine, const Meeting& other) {
  if (same_ranks(mine.ranks, other.ranks)) return {};
  if (std::ranges::is_permutation(mine.ranks, other.ranks))
    return "they name the ranks of the group in another order";
  return fmt::format("they name different groups, ranks ({}) and ({})", list_of(mine.ranks),
                     list_of(other.ranks));
}

std::int32_t stream_of(const Meeting& meeting) { return meeting.channel - collective_queue_first; }

std::vector<std::string> names_of(std::span<const Seat> seats, bool has_ranks) {
  const bool has_grids =
      std::ranges::any_of(seats, [](const Seat& seat) { return seat.core != 0; });
  std::vector<std::string> names;
  for (const Seat& seat : seats) {
    std::string name = has_ranks ? fmt::format("rank {}", seat.rank) : "";
    if (!has_ranks || has_grids) name += fmt::format("{}core {}", has_ranks ? " " : "", seat.core);
    names.push_back(std::move(name));
  }
  return names;
}

[[noreturn]] void rank_is_missing(const Program& program, std::uint32_t instruction,
                                  std::int32_t runs, std::int32_t missing) {
  const std::string what = describe(program, instruction, runs);
  throw base::Fault(
      base::FaultCategory::deadlock,
      {"meeting.ranks", "every rank of a collective's group takes part", program.place(instruction),
       runs == missing ? fmt::format("{}, run by rank {}, which is in no group", what, runs)
                       : fmt::format("{} with no rank {}", what, missing),
       "run the kernel on as many ranks as its groups name: kernel.run_ranks([...])"});
}

}  // namespace

Meeting meeting_of(const Program& program, std::uint32_t instruction) {
  const InstructionInfo& info = program.info_at(instruction);
  return info.meeting == nullptr ? Meeting{} : info.meeting(program.record(instruction));
}

Meeting meeting_of(const Program& program, std::uint32_t instruction, std::int32_t rank) {
  Meeting meeting = meeting_of(program, instruction);
  if (meeting.encounter != Encounter::collective) return meeting;
  meeting.ranks = program.group_with(meeting.groups, rank);
  if (meeting.kind != CollectiveKind::permute) return meeting;
  const Edges edges = edges_of(program, meeting.groups, meeting.pairs, rank);
  meeting.sends_to = edges.to;
  meeting.receives_from = edges.from;
  return meeting;
}

Edges edges_of(const Program& program, RankGroups groups, RankGroups pairs, std::int32_t rank) {
  Edges edges;
  for (const RankPlace& place : program.places_of(pairs, rank)) {
    const std::vector<std::int32_t>& pair = program.groups(pairs)[place.list];
    if (pair.size() != 2) continue;  // of a program that breaks its rules
    (place.position == 0 ? edges.to : edges.from) = pair[1 - place.position];
  }
  const std::span<const RankPlace> places = program.places_of(groups, rank);
  if (pairs.id != 0 || places.empty()) return edges;
  const std::vector<std::int32_t>& ring = program.groups(groups)[places.front().list];
  const std::size_t at = places.front().position;
  return {.to = ring[(at + 1) % ring.size()], .from = ring[(at + ring.size() - 1) % ring.size()]};
}

Seats::Seats(std::vector<Seat> list) : list_(std::move(list)) {
  for (std::size_t i = 0; i < list_.size(); ++i) of_rank_[list_[i].rank].push_back(i);
  has_ranks_ =
      std::ranges::any_of(list_, [&](const Seat& seat) { return seat.rank != list_.front().rank; });
  names_ = names_of(list_, has_ranks_);
}

Seats Seats::grid(std::size_t cores) {
  std::vector<Seat> list(cores);
  for (std::size_t core = 0; core < cores; ++core)
    list[core].core = static_cast<std::int32_t>(core);
  return Seats(std::move(list));
}

bool is_of_whole_rank(const Program& program, std::uint32_t instruction) {
  bool shared = false;
  program.for_each_tile(instruction, [&](const OperandInfo&, const Tile& tile, Access) {
    shared = shared || (tile.space == Space::hbm && program.tensors[tile.tensor].shared);
  });
  return shared;
}

std::vector<std::size_t> Seats::members(const Program& program, std::uint32_t instruction,
                                        std::size_t core) const {
  const Seat& mine = list_[core];
  const Meeting meeting = meeting_of(program, instruction, mine.rank);
  std::vector<std::size_t> found;
  const auto take = [&](std::int32_t rank, bool whole) {
    const std::size_t before = found.size();
    if (const auto there = of_rank_.find(rank); there != of_rank_.end()) {
      for (const std::size_t i : there->second)
        if (whole || list_[i].core == mine.core) found.push_back(i);
    }
    if (found.size() == before) rank_is_missing(program, instruction, mine.rank, rank);
  };
  if (meeting.encounter != Encounter::collective) {
    take(mine.rank, true);
  } else {
    if (meeting.ranks.empty()) rank_is_missing(program, instruction, mine.rank, mine.rank);
    const bool whole = is_of_whole_rank(program, instruction);
    for (const std::int32_t rank : meeting.ranks) take(rank, whole);
  }
  return found;
}

std::size_t Seats::cores_of(const Program& program, std::uint32_t instruction,
                            std::size_t core) const {
  if (!is_of_whole_rank(program, instruction)) return 1;
  return of_rank_.at(list_[core].rank).size();
}

void check_match(std::span<const Attendant> attendants) {
  const Attendant& first = attendants.front();
  for (const Attendant& a : attendants) {
    if (a.execution->program.instructions[a.instruction].opcode !=
        first.execution->program.instructions[first.instruction].opcode)
      mismatch(attendants, "they wait for different things");
  }
  switch (meeting_at(first).encounter) {
    case Encounter::barrier: return check_barriers(attendants);
    case Encounter::exchange: return check_exchanges(attendants);
    case Encounter::collective: return check_collectives(attendants);
    case Encounter::none: return;
  }
}

void check_companions(const Attendant& mine, const Attendant& other) {
  const Program &program = mine.execution->program, &others = other.execution->program;
  const Meeting a = meeting_at(mine), b = meeting_at(other);
  if (a.encounter != Encounter::collective || b.encounter != Encounter::collective) return;
  const std::array both{mine, other};
  if (const std::string why = group_mismatch(a, b); !why.empty()) mismatch(both, why);
  if (program.instructions[mine.instruction].opcode !=
      others.instructions[other.instruction].opcode)
    mismatch(both, "they wait for different things");
  if (const std::string why = collective_mismatch(mine, other); !why.empty()) mismatch(both, why);
}

void check_streams(const Attendant& mine, const Attendant& other) {
  const Meeting a = meeting_at(mine);
  const Meeting b = meeting_at(other);
  if (a.encounter != Encounter::collective || b.encounter != Encounter::collective) return;
  if (a.channel == b.channel || !std::ranges::is_permutation(a.ranks, b.ranks)) return;
  if (a.channels > 1 || b.channels > 1) return;  // permutes of several channels come on all of them
  mismatch(std::array{mine, other},
           fmt::format("they are on different streams, {} and {}", stream_of(a), stream_of(b)));
}

std::vector<std::byte> outgoing(const Attendant& attendant) {
  const Program& program = attendant.execution->program;
  return outgoing(program.info_at(attendant.instruction), attendant.record, *attendant.execution);
}

std::string describe(const Program& program, std::uint32_t instruction, std::int32_t rank) {
  const std::string place = program.place(instruction);
  const Meeting meeting = meeting_of(program, instruction, rank);
  std::string group;
  if (meeting.encounter == Encounter::exchange)
    group += fmt::format(" on pipe {}", (meeting.channel - exchange_queue_first) % exchange_pipes);
  if (meeting.channels > 1)
    group += fmt::format(" on channel {}", stream_of(meeting));
  else if (meeting.encounter == Encounter::collective && stream_of(meeting) > 0)
    group += fmt::format(" on stream {}", stream_of(meeting));
  if (!meeting.ranks.empty()) group += fmt::format(" of ranks ({})", list_of(meeting.ranks));
  return fmt::format("{}{}{}", program.info_at(instruction).mnemonic, group,
                     place.empty() ? "" : fmt::format(" at {}", place));
}

}  // namespace trainyard::isa
