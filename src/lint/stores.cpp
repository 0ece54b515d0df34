#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "checkers/coverage.h"
#include "isa/core/accumulation.h"
#include "isa/core/control_flow.h"
#include "isa/core/region.h"
#include "lint/lint.h"
#include "lint/report.h"

namespace trainyard::lint {

namespace {

using isa::Access;
using isa::Tile;

struct Touch {
  Tile tile;
  Access access = Access::none;
};

std::vector<Touch> touches_of(const isa::Program& program, std::uint32_t i) {
  std::vector<Touch> list;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, Access access) {
    list.push_back({tile, access});
  });
  return list;
}

std::ptrdiff_t writes_in(const std::vector<Touch>& touches) {
  return std::ranges::count_if(touches, [](const Touch& t) { return isa::writes(t.access); });
}

// --- memory.unused ---

constexpr std::uint32_t nobody = 0xFFFFFFFFu;

struct Use {
  std::uint32_t writer = nobody;  // the first one
  bool consumed = false;          // read by something that writes elsewhere, or nothing
  bool byproduct = false;         // an instruction wrote it beside another result
};

void note_use(const std::vector<Touch>& touches, std::uint32_t i, std::vector<Use>& uses) {
  const std::ptrdiff_t written = writes_in(touches);
  for (const Touch& t : touches) {
    Use& use = uses[t.tile.tensor];
    if (isa::writes(t.access)) {
      if (use.writer == nobody) use.writer = i;
      use.byproduct = use.byproduct || written > 1;
    }
    if (!isa::reads(t.access)) continue;
    use.consumed =
        use.consumed || written == 0 || std::ranges::any_of(touches, [&](const Touch& other) {
          return isa::writes(other.access) && other.tile.tensor != t.tile.tensor;
        });
  }
}

void report_unused(const isa::Program& program, const std::vector<Use>& uses,
                   checkers::Findings& findings) {
  for (isa::TensorId t = 0; t < uses.size(); ++t) {
    const Use& use = uses[t];
    const isa::Tensor& tensor = program.tensors[t];
    if (use.writer == nobody || use.consumed || use.byproduct) continue;
    if (tensor.space != isa::Space::sbuf && tensor.space != isa::Space::psum) continue;
    report(findings, "memory.unused", {"writes", use.writer}, std::nullopt, [&] {
      return fmt::format("{} writes '{}', created at {}, and nothing reads it",
                         program.info_at(use.writer).mnemonic, tensor.name,
                         program.describe_location(tensor.location));
    });
  }
}

// --- memory.dead_store, perf.memset ---

// Whether its author has it leave something in the accumulators for a later instruction.
bool accumulates(const isa::Program& program, std::uint32_t i) {
  const isa::InstructionInfo& info = program.info_at(i);
  const auto sums = isa::accumulation_of(info, program.record(i));
  if (!sums || info.first<isa::ReduceCmd>(program.record(i)) == nullptr) return false;
  const isa::Accumulated left = sums->behind();
  return left != isa::Accumulated::kept && left != isa::Accumulated::undefined;
}

class DeadStores {
 public:
  DeadStores(const isa::Program& program, checkers::Findings& findings)
      : program_(program), findings_(findings), pending_(program.tensors.size()) {}

  void apply(std::uint32_t i, const std::vector<Touch>& touches, bool in_loop) {
    const bool single = writes_in(touches) == 1;
    for (const Touch& t : touches) {
      if (isa::reads(t.access)) forget(t.tile);
    }
    for (const Touch& t : touches) {
      if (!isa::writes(t.access)) continue;
      const bool known = t.tile.dynamic == 0 && !in_loop;
      if (known && t.access == Access::write) overwrite(i, t.tile);
      forget(t.tile);
      if (known && single && t.tile.on_chip()) {
        std::vector<Store>& list = pending_[t.tile.tensor];
        if (list.size() == pending_max) list.erase(list.begin());
        list.push_back({i, isa::region_of(program_, t.tile)});
      }
    }
  }

 private:
  struct Store {
    std::uint32_t instruction;
    isa::Region region;
  };
  // Tensors with more unread pieces than this are rare; the oldest are let go.
  static constexpr std::size_t pending_max = 256;

  void forget(const Tile& tile) {
    std::vector<Store>& list = pending_[tile.tensor];
    if (list.empty()) return;
    const isa::Region region = isa::region_of(program_, tile);
    std::erase_if(list, [&](const Store& store) { return store.region.overlaps(region); });
  }

  void overwrite(std::uint32_t i, const Tile& tile) {
    const isa::Region region = isa::region_of(program_, tile);
    if (!region.dense) return;
    for (const Store& store : pending_[tile.tensor]) {
      // A sum that is overwritten in PSUM is psum.lost_sum.
      if (program_.instructions[store.instruction].engine == isa::Engine::tensor) continue;
      // An instruction run for what it adds to an accumulator has to write somewhere.
      if (accumulates(program_, store.instruction)) continue;
      if (!region.contains(store.region)) continue;
      // Cleared first and then filled: a habit, at worst a waste.
      const bool clears = program_.info_at(store.instruction).fills != nullptr;
      report(findings_, clears ? "perf.memset" : "memory.dead_store",
             {"writes first", store.instruction}, Party{"overwrites", i}, [&] {
               return fmt::format("what {} writes to '{}' is overwritten by {} at {} unread",
                                  program_.info_at(store.instruction).mnemonic,
                                  program_.tensors[tile.tensor].name, program_.info_at(i).mnemonic,
                                  program_.place(i));
             });
    }
  }

  const isa::Program& program_;
  checkers::Findings& findings_;
  std::vector<std::vector<Store>> pending_;  // by tensor: written and not read yet
};

// --- memory.alias ---

bool share_bytes(const Tile& a, const Tile& b) {
  const auto by_index = [](const checkers::Word& x, const checkers::Word& y) {
    return x.index < y.index;
  };
  std::vector<checkers::Word> left, right;
  checkers::find_words(a, left);
  checkers::find_words(b, right);
  std::ranges::sort(right, by_index);
  return std::ranges::any_of(left, [&](const checkers::Word& word) {
    const auto [first, last] = std::ranges::equal_range(right, word, by_index);
    return std::ranges::any_of(
        first, last, [&](const checkers::Word& other) { return (other.bytes & word.bytes) != 0; });
  });
}

bool shifted(const isa::Program& program, std::uint32_t i, const Tile& dst, const Tile& src) {
  if (dst.space != src.space || dst.dynamic != 0 || src.dynamic != 0) return false;
  const bool transfer = program.info_at(i).kind == isa::Kind::dma;
  // A column that every element uses is read before the first result.
  if (!transfer && (src.free_elements() != dst.free_elements() || src.free_elements() == 1))
    return false;
  Tile a = isa::simplified(dst), b = isa::simplified(src);
  a.tensor = b.tensor;
  if (a.element_bytes() == b.element_bytes()) a.dtype = b.dtype;
  if (a == b)  // in place: harmless, but in another order
    return program.info_at(i).transfer == isa::TransferKind::transpose;
  return isa::region_of(program, dst).overlaps(isa::region_of(program, src)) &&
         share_bytes(dst, src);
}

void check_alias(const isa::Program& program, std::uint32_t i, const std::vector<Touch>& touches,
                 checkers::Findings& findings) {
  const isa::InstructionInfo& info = program.info_at(i);
  // What cores exchange is read on all of them before any of it is written.
  if (info.kind == isa::Kind::control || info.meeting != nullptr) return;
  // In place, a shuffle is how a row is broadcast.
  if (info.reads_first) return;
  for (const Touch& dst : touches) {
    if (!isa::writes(dst.access)) continue;
    for (const Touch& src : touches) {
      if (src.access != Access::read || !shifted(program, i, dst.tile, src.tile)) continue;
      report(findings, "memory.alias", {"reads and writes", i}, std::nullopt, [&] {
        return fmt::format(
            "{} writes {} over its source {} in '{}', at another place or in "
            "another order",
            program.info_at(i).mnemonic, describe(dst.tile), describe(src.tile),
            program.tensors[dst.tile.tensor].name);
      });
    }
  }
}

}  // namespace

void inspect_stores(const isa::Program& program, checkers::Findings& findings) {
  std::vector<Use> uses(program.tensors.size());
  DeadStores dead(program, findings);
  // Where the order of the text is not the order of a run; with branches, everywhere.
  const isa::LoopTree loops(program);
  const bool branches = isa::has_branches(program);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const std::vector<Touch> touches = touches_of(program, i);
    note_use(touches, i, uses);
    dead.apply(i, touches, branches || loops.at(i) != isa::LoopTree::none);
    check_alias(program, i, touches, findings);
  }
  report_unused(program, uses, findings);
}

}  // namespace trainyard::lint
