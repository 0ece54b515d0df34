#include "session/grid_conflicts.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <vector>

#include "base/error.h"
#include "checks/registry.h"
#include "isa/meeting.h"
#include "isa/region.h"

namespace trainyard::session {

namespace {

// What a program does to one shared tensor. `turn` counts the barriers between cores that come
// before it in the author's order, on whatever tensor.
struct Access {
  isa::Region region;
  bool writes = false;
  std::uint32_t instruction = 0;
  std::uint32_t turn = 0;
};
struct Barrier {
  isa::Region region;
  std::uint32_t turn = 0;  // how many came before it
};
struct History {
  std::vector<Access> accesses;
  std::vector<Barrier> barriers;
  bool written = false;
};
// By the place of the tensor in the stack.
using Histories = std::map<std::int64_t, History>;

// The author's order with the body of every loop twice: what one iteration does meets what the next
// one does.
void unroll(const isa::Program& program, std::uint32_t begin, std::uint32_t end,
            std::vector<std::uint32_t>& order) {
  for (std::uint32_t i = begin; i < end; ++i) {
    if (program.info_at(i).mnemonic != "loop_begin") {
      order.push_back(i);
      continue;
    }
    std::uint32_t close = i + 1;
    for (int depth = 1; close < end; ++close) {
      const std::string_view what = program.info_at(close).mnemonic;
      depth += what == "loop_begin" ? 1 : what == "loop_end" ? -1 : 0;
      if (depth == 0) break;
    }
    unroll(program, i + 1, close, order);
    unroll(program, i + 1, close, order);
    i = close;
  }
}

// Whether an instruction copies a tile onto itself, which leaves its bytes as they are.
bool keeps_its_bytes(const isa::Program& program, std::uint32_t instruction) {
  if (program.info_at(instruction).mnemonic != "dma_copy") return false;
  const isa::Tile* first = nullptr;
  bool same = false;
  program.for_each_tile(instruction,
                        [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
                          same = first != nullptr && *first == tile;
                          first = &tile;
                        });
  return same;
}

Histories histories_of(const Instance& instance) {
  const isa::Program& program = instance.program();
  std::vector<std::uint32_t> order;
  unroll(program, 0, static_cast<std::uint32_t>(program.instructions.size()), order);
  Histories found;
  std::uint32_t turn = 0;
  // Both cores are there when a collective on shared tensors begins, and when it ends.
  const auto fence = [&](std::uint32_t i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
      if (tile.space != isa::Space::hbm || !program.tensors[tile.tensor].shared) return;
      isa::Region region = isa::region_of(program, tile);
      region.tensor = 0;
      found[instance.hbm_base()[tile.tensor]].barriers.push_back({region, turn});
    });
    ++turn;
  };
  for (const std::uint32_t i : order) {
    const isa::Encounter encounter = isa::meeting_of(program, i).encounter;
    const bool collective =
        encounter == isa::Encounter::collective && isa::is_of_whole_rank(program, i);
    if (collective) fence(i);
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
      if (tile.space != isa::Space::hbm || !program.tensors[tile.tensor].shared) return;
      isa::Region region = isa::region_of(program, tile);
      region.tensor = 0;  // of the same tensor in both programs
      History& history = found[instance.hbm_base()[tile.tensor]];
      if (how == isa::Access::fence) return history.barriers.push_back({region, turn});
      if (tile.dynamic != 0) return;
      const bool writes = isa::writes(how) && !keeps_its_bytes(program, i);
      history.accesses.push_back({region, writes, i, turn});
      history.written = history.written || writes;
    });
    if (encounter == isa::Encounter::barrier) ++turn;
    if (collective) fence(i);
  }
  return found;
}

// A barrier orders the accesses of the bytes that it names: those before it on one core and those
// behind it on the other.
bool ordered(const Access& early, const Access& late, const History& history) {
  for (const Barrier& barrier : history.barriers) {
    if (barrier.turn >= early.turn && barrier.turn < late.turn &&
        barrier.region.overlaps(early.region) && barrier.region.overlaps(late.region))
      return true;
  }
  return false;
}

// An access by an instruction of one of the programs.
struct Party {
  const isa::Program& program;
  const Access& access;
  [[nodiscard]] std::string place() const { return program.place(access.instruction); }
  [[nodiscard]] base::Side side(int instance) const {
    return {.role = access.writes ? "writes" : "reads",
            .actor = fmt::format("instance {}", instance),
            .what = std::string(program.info_at(access.instruction).mnemonic),
            .place = place()};
  }
};

// Whether the reader had written the bytes itself, on the line and in the iteration in which the
// other core writes them: what both write alike has the same value whoever comes first.
bool writes_alike(const Party& write, const Party& read, const History& reader) {
  for (const Access& own : reader.accesses) {
    if (own.writes && own.instruction <= read.access.instruction &&
        own.region.overlaps(write.access.region) && own.region.overlaps(read.access.region) &&
        Party{read.program, own}.place() == write.place())
      return true;
  }
  return false;
}

void note(const Party& a, const Party& b, Overwrites& overwrites) {
  overwrites.any = true;
  if (a.place() == b.place()) return;
  overwrites.unlike = {a.side(0), b.side(1)};
  overwrites.instruction = a.access.instruction;
}

[[noreturn]] void report(const Party& a, const Party& b) {
  throw base::InputError(
      {"grid.conflict",
       "an instance of a grid reads HBM bytes that another one writes only when a core_barrier on "
       "them lies between the two",
       a.place(),
       fmt::format("instance 0 {} what instance 1 {} at {}", a.side(0).role, b.side(1).role,
                   b.place()),
       "let every instance write a part of its own, chosen by nl.program_id(0), and put a "
       "core_barrier on the tensor before others read it",
       {a.side(0), b.side(1)}});
}

}  // namespace

Overwrites check_conflicts(const Instance& one, const Instance& other) {
  const Histories mine = histories_of(one), theirs = histories_of(other);
  Overwrites overwrites;
  for (const auto& [address, history] : mine) {
    const auto found = theirs.find(address);
    if (found == theirs.end() || (!history.written && !found->second.written)) continue;
    for (const Access& a : history.accesses) {
      for (const Access& b : found->second.accesses) {
        const bool both = a.writes && b.writes;
        if (!(both ? overwrites.unlike.empty() : a.writes || b.writes)) continue;
        if (!a.region.overlaps(b.region)) continue;
        const bool fine = a.turn < b.turn   ? ordered(a, b, history)
                          : a.turn > b.turn ? ordered(b, a, found->second)
                                            : false;
        if (fine) continue;
        const Party x{one.program(), a}, y{other.program(), b};
        if (both)
          note(x, y, overwrites);
        else if (!(a.writes ? writes_alike(x, y, found->second) : writes_alike(y, x, history)))
          report(x, y);
      }
    }
  }
  return overwrites;
}

void report_overwrites(const Overwrites& overwrites, engines::Findings& findings) {
  if (overwrites.unlike.empty()) return;
  const isa::Program& program = findings.program();
  findings.report(
      checks::find("grid.overwrite"), program.instructions[overwrites.instruction].location, 0,
      [&] {
        const base::Side& other = overwrites.unlike[1];
        return engines::Findings::Details{
            fmt::format("instance 0 writes what {} writes at {}", other.actor, other.place),
            overwrites.unlike};
      });
}

}  // namespace trainyard::session
