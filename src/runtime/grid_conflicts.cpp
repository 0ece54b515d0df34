#include "runtime/grid_conflicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "base/error.h"
#include "checkers/reach.h"
#include "isa/core/control_flow.h"
#include "isa/core/region.h"
#include "isa/core/region_index.h"
#include "isa/semantics/meeting.h"

namespace trainyard::runtime {

namespace {

// What a program does to one shared tensor. `turn` counts the barriers between cores that come
// before it in the author's order, on whatever tensor.
struct SharedAccess {
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
  std::vector<SharedAccess> accesses;
  std::vector<Barrier> barriers;  // in the order of their turns
  std::int64_t bytes = 0;         // of the tensor
  bool read = false, written = false;
  bool at_run_time = false;  // some of its addresses are known only then
};
// By the place of the tensor in the stack.
using Histories = std::map<std::int64_t, History>;

// The author's order with the body of every loop twice: what one iteration does meets what the next
// one does.
std::vector<std::uint32_t> unrolled(const isa::Program& program) {
  const isa::LoopTree tree(program);
  std::vector<std::uint32_t> order;
  std::vector<std::size_t> bodies(tree.loops().size());  // where each starts in the order
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const std::uint32_t loop = tree.at(i);
    if (loop == isa::LoopTree::none || (tree[loop].begin != i && tree[loop].end != i)) {
      order.push_back(i);
    } else if (tree[loop].begin == i) {
      bodies[loop] = order.size();
    } else {
      for (std::size_t k = bodies[loop], end = order.size(); k < end; ++k)
        order.push_back(order[k]);
    }
  }
  return order;
}

Histories histories_of(const Placed& placed) {
  const isa::Program& program = placed.program;
  Histories found;
  std::uint32_t turn = 0;
  // Both cores are there when a collective on shared tensors begins, and when it ends.
  const auto fence = [&](std::uint32_t i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
      if (tile.space != isa::Space::hbm || !program.tensors[tile.tensor].shared) return;
      isa::Region region = isa::region_of(program, tile);
      region.tensor = 0;
      found[placed.addresses[tile.tensor]].barriers.push_back({region, turn});
    });
    ++turn;
  };
  for (const std::uint32_t i : unrolled(program)) {
    const isa::Encounter encounter = isa::meeting_of(program, i).encounter;
    const bool collective =
        encounter == isa::Encounter::collective && isa::is_of_whole_rank(program, i);
    if (collective) fence(i);
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
      if (tile.space != isa::Space::hbm || !program.tensors[tile.tensor].shared) return;
      isa::Region region = isa::region_of(program, tile);
      region.tensor = 0;  // of the same tensor in both programs
      History& history = found[placed.addresses[tile.tensor]];
      history.bytes = program.tensors[tile.tensor].bytes();
      if (how == isa::Access::fence) return history.barriers.push_back({region, turn});
      const bool writes =
          isa::writes(how) && !checkers::copies_onto_itself(program.info_at(i), program.record(i));
      (writes ? history.written : history.read) = true;
      if (tile.dynamic != 0) {
        history.at_run_time = true;
      } else {
        history.accesses.push_back({region, writes, i, turn});
      }
    });
    if (encounter == isa::Encounter::barrier) ++turn;
    if (collective) fence(i);
  }
  return found;
}

// A barrier orders the accesses of the bytes that it names: those before it on one core and those
// behind it on the other.
bool ordered(const SharedAccess& early, const SharedAccess& late, const History& history) {
  auto barrier = std::ranges::lower_bound(history.barriers, early.turn, {}, &Barrier::turn);
  for (; barrier != history.barriers.end() && barrier->turn < late.turn; ++barrier) {
    if (barrier->region.overlaps(early.region) && barrier->region.overlaps(late.region))
      return true;
  }
  return false;
}

// The accesses of one kind.
class Accesses {
 public:
  Accesses(const History& history, bool writes)
      : list_(of(history, writes)), index_(regions(list_)) {}

  // Calls f(access) for those that overlap a region, in their order.
  template <typename F>
  void for_each_overlapping(const isa::Region& region, F&& f) const {
    for (const std::uint32_t i : index_.overlapping(region)) f(*list_[i]);
  }

 private:
  static std::vector<const SharedAccess*> of(const History& history, bool writes) {
    std::vector<const SharedAccess*> list;
    for (const SharedAccess& access : history.accesses) {
      if (access.writes == writes) list.push_back(&access);
    }
    return list;
  }
  static std::vector<isa::Region> regions(const std::vector<const SharedAccess*>& list) {
    std::vector<isa::Region> found;
    for (const SharedAccess* access : list) found.push_back(access->region);
    return found;
  }

  std::vector<const SharedAccess*> list_;
  isa::RegionIndex index_;
};

// An access by an instruction of one of the programs.
struct Party {
  const isa::Program& program;
  const SharedAccess& access;
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
bool writes_alike(const Party& write, const Party& read, const Accesses& writes_of_reader) {
  const std::string place = write.place();
  bool found = false;
  writes_of_reader.for_each_overlapping(read.access.region, [&](const SharedAccess& own) {
    found = found ||
            (own.instruction <= read.access.instruction &&
             own.region.overlaps(write.access.region) && Party{read.program, own}.place() == place);
  });
  return found;
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

// What two programs do to one tensor.
class Pair {
 public:
  Pair(const isa::Program& one, const History& mine, const isa::Program& other,
       const History& theirs)
      : one_(one),
        other_(other),
        mine_(mine),
        theirs_(theirs),
        my_writes_(mine, true),
        their_writes_(theirs, true),
        their_reads_(theirs, false) {}

  // Whether both write the same bytes in an order that nothing fixes.
  [[nodiscard]] bool check() const {
    bool overwrites = false;
    for (const SharedAccess& a : mine_.accesses) {
      const Party x{one_, a};
      their_writes_.for_each_overlapping(a.region, [&](const SharedAccess& b) {
        const Party y{other_, b};
        if (is_ordered(a, b)) return;
        overwrites = overwrites || a.writes;
        if (!a.writes && !writes_alike(y, x, my_writes_)) report(x, y);
      });
      if (!a.writes) continue;
      their_reads_.for_each_overlapping(a.region, [&](const SharedAccess& b) {
        const Party y{other_, b};
        if (!is_ordered(a, b) && !writes_alike(x, y, their_writes_)) report(x, y);
      });
    }
    return overwrites;
  }

 private:
  [[nodiscard]] bool is_ordered(const SharedAccess& a, const SharedAccess& b) const {
    return a.turn < b.turn   ? ordered(a, b, mine_)
           : a.turn > b.turn ? ordered(b, a, theirs_)
                             : false;
  }

  const isa::Program &one_, &other_;
  const History &mine_, &theirs_;
  Accesses my_writes_, their_writes_, their_reads_;
};

}  // namespace

SharedUse check_conflicts(const Placed& one, const Placed& other) {
  const Histories mine = histories_of(one), theirs = histories_of(other);
  SharedUse use;
  for (const auto& [address, history] : mine) {
    const auto found = theirs.find(address);
    if (found == theirs.end() || (!history.written && !found->second.written)) continue;
    const History& others = found->second;
    const bool overwrites = Pair(one.program, history, other.program, others).check();
    use.overwrites = use.overwrites || overwrites;
    const bool both = (history.read || history.written) && (others.read || others.written);
    if (overwrites || (both && (history.at_run_time || others.at_run_time)))
      use.tensors.push_back({address, history.bytes});
  }
  return use;
}

}  // namespace trainyard::runtime
