#include "checkers/races.h"

#include <fmt/format.h>

#include <algorithm>

#include "checkers/history.h"
#include "checks/registry.h"

namespace trainyard::checkers {

using isa::Engine;
using isa::Space;
using isa::Tile;

RaceCheck::RaceCheck(const isa::Program& program, const machine::Core& core, Findings& findings)
    : program_(program),
      findings_(findings),
      known_(isa::engine_count),
      issued_(actors_max, 0),
      to_tell_(actors_max),
      semaphores_(program.semaphore_count),
      hbm_(program.tensors.size()),
      written_(program.tensors.size(), false) {
  base::check(core.dma.rings_per_engine <= static_cast<std::int64_t>(queues_max),
              "room for every DMA queue");
  const auto make = [](Memory& memory, std::int64_t bytes, std::int64_t granule) {
    memory.granule = granule;
    memory.buckets.resize(static_cast<std::size_t>(base::ceil_div(bytes, granule)));
  };
  constexpr std::int64_t on_chip_granule = 1024, hbm_granule = 4096, hbm_buckets = 256;
  make(sbuf_, core.sbuf.partition_size.value, on_chip_granule);
  make(psum_, core.psum.partition_size().value, on_chip_granule);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access access) {
      if (isa::orders(access)) written_[tile.tensor] = true;
    });
  }
  for (std::size_t t = 0; t < hbm_.size(); ++t) {
    const isa::Tensor& tensor = program.tensors[t];
    if (tensor.space != Space::hbm || !written_[t]) continue;
    make(hbm_[t], std::max<std::int64_t>(1, tensor.bytes()),
         std::max(hbm_granule, base::ceil_div(tensor.bytes(), hbm_buckets)));
  }
}

void RaceCheck::waited(Engine engine, std::span<const isa::Wait> waits) {
  Clock& mine = known_[static_cast<std::size_t>(engine)];
  for (const isa::Wait& wait : waits) {
    std::int64_t wanted = wait.value;
    std::deque<Told>& told = semaphores_[wait.semaphore];
    while (wanted > 0 && !told.empty()) {
      for (std::size_t a = 0; a < mine.size(); ++a)
        mine[a] = std::max(mine[a], told.front().clock[a]);
      const std::int64_t taken = std::min(wanted, told.front().amount);
      wanted -= taken;
      told.front().amount -= taken;
      if (told.front().amount == 0) told.pop_front();
    }
  }
}

void RaceCheck::issued(Engine engine, const isa::StreamItem& item, const void* record,
                       std::uint32_t iteration, base::Ticks time) {
  const auto self = static_cast<std::size_t>(engine);
  const isa::InstructionInfo& info = program_.info_at(item.instruction);
  Clock& known = known_[self];
  const std::uint32_t position = ++issued_[self];
  if (item.depends_back > 0 && item.depends_back <= position)
    known[self] = std::max(known[self], position - item.depends_back);

  const bool transfer = info.kind == isa::Kind::dma;
  const std::size_t actor =
      transfer ? isa::engine_count + std::size_t{program_.instructions[item.instruction].queue}
               : self;
  const std::uint32_t at = transfer ? ++issued_[actor] : position;
  isa::for_each_tile(info, record, program_.dynamics,
                     [&](const isa::OperandInfo&, const Tile& tile, isa::Access how) {
                       if (how == isa::Access::none) return;
                       if (tile.space == Space::hbm && !written_[tile.tensor]) return;
                       TimedAccess access = access_of(tile, how);
                       access.actor = static_cast<Actor>(actor);
                       access.position = at;
                       access.instruction = item.instruction;
                       access.iteration = iteration;
                       access.time = time;
                       enter(access, known, memory_of(tile));
                     });
  if (item.signal_count == 0) return;
  // When it is complete, so is everything before it on its actor.
  Clock told = known;
  told[actor] = at;
  to_tell_[actor].push_back(told);
}

void RaceCheck::signalled(Engine engine, const isa::StreamItem& item) {
  if (item.signal_count == 0) return;
  const bool transfer = program_.info_at(item.instruction).kind == isa::Kind::dma;
  const std::size_t actor =
      transfer ? isa::engine_count + std::size_t{program_.instructions[item.instruction].queue}
               : static_cast<std::size_t>(engine);
  const Clock clock = to_tell_[actor].front();
  to_tell_[actor].pop_front();
  for (const isa::Signal& signal : program_.signals_of(item))
    semaphores_[signal.semaphore].push_back({signal.amount, clock, item.instruction});
}

RaceCheck::Memory& RaceCheck::memory_of(const Tile& tile) {
  if (tile.space == Space::sbuf) return sbuf_;
  return tile.space == Space::psum ? psum_ : hbm_[tile.tensor];
}

RaceCheck::TimedAccess RaceCheck::access_of(const Tile& tile, isa::Access how) const {
  TimedAccess access;
  access.writes = isa::orders(how);
  access.tile = tile;
  access.region = isa::region_of(program_, tile);
  access.solid = tile.contiguous() && tile.dynamic == 0;
  access.estimated = tile.dynamic != 0;
  return access;
}

bool RaceCheck::ordered(const TimedAccess& before, const TimedAccess& now,
                        const Clock& clock) const {
  if (clock[before.actor] >= before.position) return true;
  // One engine runs in order and commits in order; only reading a result early is a mistake.
  const bool same_engine = before.actor == now.actor && before.actor < isa::engine_count;
  return same_engine && !(before.writes && !now.writes);
}

void RaceCheck::enter(const TimedAccess& access, const Clock& clock, Memory& memory) {
  const auto first = static_cast<std::size_t>(access.region.first_byte / memory.granule);
  const std::size_t last =
      std::min(static_cast<std::size_t>((access.region.end_byte - 1) / memory.granule),
               memory.buckets.size() - 1);
  for (std::size_t b = first; b <= last; ++b) {
    std::vector<TimedAccess>& bucket = memory.buckets[b];
    const std::int64_t from = static_cast<std::int64_t>(b) * memory.granule;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < bucket.size(); ++i) {
      const TimedAccess& old = bucket[i];
      bool keep = true;
      if (old.region.overlaps(access.region)) {
        const bool conflict = access.writes || old.writes;
        const bool in_order = ordered(old, access, clock);
        if (conflict && !in_order && old.instruction != access.instruction &&
            really_overlap(old, access))
          report(old, access);
        const bool covered = access.covers(old, from, from + memory.granule);
        // Whoever races with what is dropped here also races with the access that covers it.
        if (covered && in_order && access.writes) keep = false;
        if (covered && !access.writes && !old.writes && old.actor == access.actor) keep = false;
      }
      if (!keep) continue;
      if (kept != i) bucket[kept] = bucket[i];
      ++kept;
    }
    bucket.resize(kept);
    bucket.push_back(access);
  }
}

bool RaceCheck::really_overlap(const TimedAccess& a, const TimedAccess& b) {
  // Their regions overlap; whether their bytes do is a question only where one has gaps.
  if (a.estimated || b.estimated || (a.solid && b.solid)) return true;
  if (a.tile.tensor == b.tile.tensor && a.region.dense && b.region.dense) return true;
  find_words(a.tile, words_a_);
  find_words(b.tile, words_b_);
  const auto by_index = [](const Word& x, const Word& y) { return x.index < y.index; };
  std::sort(words_a_.begin(), words_a_.end(), by_index);
  std::sort(words_b_.begin(), words_b_.end(), by_index);
  for (std::size_t i = 0, j = 0; i < words_a_.size() && j < words_b_.size();) {
    if (words_a_[i].index == words_b_[j].index && (words_a_[i].bytes & words_b_[j].bytes) != 0)
      return true;
    // A word may occur more than once in an unusual pattern: step through equal ones pair by pair.
    if (words_a_[i].index < words_b_[j].index ||
        (words_a_[i].index == words_b_[j].index && i + 1 < words_a_.size() &&
         words_a_[i + 1].index == words_a_[i].index)) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

Side RaceCheck::side_of(const TimedAccess& access) const {
  Side side{.role = access.writes ? "writes" : "reads",
            .actor = actor_of(program_, access.instruction),
            .what = std::string(program_.info_at(access.instruction).mnemonic),
            .place = program_.place(access.instruction)};
  if (access.time.value != 0) side.time = access.time;
  if (access.iteration > 0) side.run = access.iteration + 1;
  return side;
}

namespace {

std::string describe(const Side& side) {
  const std::string when =
      side.time ? fmt::format(" at {:.1f} ns", base::to_nanoseconds(*side.time)) : "";
  const std::string turn = side.run > 1 ? fmt::format(", run {}", side.run) : "";
  return fmt::format("the {} {} it in {}{}{}{}", side.actor, side.role, side.what, turn, when,
                     side.place.empty() ? "" : " (" + side.place + ")");
}

}  // namespace

void RaceCheck::report(const TimedAccess& before, const TimedAccess& now) {
  const auto location = [&](const TimedAccess& access) {
    return program_.instructions[access.instruction].location;
  };
  findings_.report(checks::find("memory.race"), location(now), location(before), [&] {
    const std::int64_t low = std::max(before.region.first_byte, now.region.first_byte);
    const std::int64_t high = std::min(before.region.end_byte, now.region.end_byte);
    const Side first = side_of(before), second = side_of(now);
    return Findings::Details{
        .found = fmt::format("bytes [{}, {}) of '{}' in {}: {}; {}; nothing orders the two", low,
                             high, program_.tensors[now.tile.tensor].name, name(now.tile.space),
                             describe(first), describe(second)),
        .sides = {first, second},
        .category = base::FaultCategory::race};
  });
}

void RaceCheck::finish() {
  for (std::size_t s = 0; s < semaphores_.size(); ++s) {
    std::int64_t left = 0;
    for (const Told& told : semaphores_[s]) left += told.amount;
    if (left == 0) continue;
    const std::uint32_t signaller = semaphores_[s].back().instruction;
    findings_.report(checks::find("order.semaphore"), program_.instructions[signaller].location, 0,
                     [&] {
                       return Findings::Details{
                           .found = fmt::format("semaphore {} ends at {}", s, left),
                           .sides = {{.role = "signals",
                                      .actor = actor_of(program_, signaller),
                                      .what = std::string(program_.info_at(signaller).mnemonic),
                                      .place = program_.place(signaller)}}};
                     });
  }
}

}  // namespace trainyard::checkers
