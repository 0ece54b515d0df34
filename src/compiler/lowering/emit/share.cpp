#include "compiler/lowering/emit/share.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "isa/instructions/core_barrier.h"

namespace trainyard::compiler {

namespace {

constexpr std::size_t cores = 2;

// When the program is walked, which takes each loop of both cores twice: what the second turn needs
// of the first is what every turn needs of the one before.
using Step = std::uint32_t;

// A use of a tensor.
struct Use {
  Step step = 0;
  std::uint32_t instruction = 0, section = 0;
};

// The latest use of a tensor, and the latest one in an earlier section.
class Uses {
 public:
  void note(const Use& use) {
    if (last_ && last_->section != use.section) before_ = last_;
    last_ = use;
  }
  [[nodiscard]] std::optional<Use> outside(std::uint32_t section) const {
    return last_ && last_->section == section ? before_ : last_;
  }

 private:
  std::optional<Use> last_, before_;
};

struct Barrier {
  std::uint32_t before = 0;  // an instruction of the whole program
  isa::TensorId tensor = isa::no_tensor;
  std::uint32_t location = 0;
};

// A barrier stands where the section begins in which a core uses what the other one has used: in
// front of a loop that began behind that use, and at the begin of the turn where it was in the turn
// before.
class Barriers {
 public:
  Barriers(const isa::Program& whole, std::span<const Share> shares)
      : whole_(whole),
        shares_(shares),
        ends_(loop_ends(whole)),
        histories_(whole.tensors.size()),
        by_place_(whole.instructions.size() + 1) {}

  std::vector<Barrier> find() {
    walk(0, static_cast<std::uint32_t>(whole_.instructions.size()));
    std::vector<Barrier> all;
    for (const std::vector<Barrier>& here : by_place_)
      all.insert(all.end(), here.begin(), here.end());
    return all;
  }

 private:
  struct History {
    std::array<Uses, cores> writes, all;
    Step ordered = 0;  // what came before this is
  };
  struct Loop {
    std::uint32_t begin = 0;         // its loop_begin
    Step begun = 0, turn_begun = 0;  // when
  };

  // Of each loop_begin the loop_end.
  static std::vector<std::uint32_t> loop_ends(const isa::Program& whole) {
    std::vector<std::uint32_t> ends(whole.instructions.size(), 0);
    for (std::uint32_t i = 0; i < whole.instructions.size(); ++i) {
      if (const isa::OperandInfo* const loop = whole.info_at(i).with(isa::Role::loop))
        ends[static_cast<std::size_t>(loop->in<std::int32_t>(whole.record(i)))] = i;
    }
    return ends;
  }

  void walk(std::uint32_t first, std::uint32_t end) {
    for (std::uint32_t i = first; i < end; ++i) {
      visit(i);
      if (ends_[i] == 0) continue;
      loops_.push_back({i, step_ - 1, 0});
      const int turns = shares_[i].core == Share::both ? 2 : 1;
      for (int turn = 0; turn < turns; ++turn) {
        loops_.back().turn_begun = step_;
        walk(i + 1, ends_[i] + 1);
      }
      loops_.pop_back();
      i = ends_[i];
    }
  }

  void visit(std::uint32_t i) {
    if (i > 0 && shares_[i].section != shares_[i - 1].section) section_ = {step_, i};
    for (const Barrier& barrier : by_place_[i]) histories_[barrier.tensor].ordered = step_;
    whole_.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
      if (tile.space == isa::Space::hbm) use(i, tile, isa::writes(how));
    });
    ++step_;
  }

  void use(std::uint32_t i, const isa::Tile& tile, bool writes) {
    const auto [core, section] = shares_[i];
    History& history = histories_[tile.tensor];
    const Uses& others = (writes ? history.all : history.writes).at(1 - core);
    if (const auto last = others.outside(section); last && last->step >= history.ordered) {
      const std::uint32_t place = place_behind(*last);
      by_place_[place].push_back({place, tile.tensor, whole_.instructions[i].location});
      history.ordered = std::max(last->step + 1, place == section_.second ? section_.first : 0);
    }
    const Use made{step_, i, section};
    history.all.at(core).note(made);
    if (writes) history.writes.at(core).note(made);
  }

  [[nodiscard]] std::uint32_t place_behind(const Use& last) const {
    for (const Loop& loop : loops_) {
      if (last.step < loop.begun) return loop.begin;
      if (last.step < loop.turn_begun) return loop.begin + 1;
    }
    return section_.first > last.step ? section_.second : last.instruction + 1;
  }

  const isa::Program& whole_;
  std::span<const Share> shares_;
  std::vector<std::uint32_t> ends_;
  std::vector<History> histories_;
  std::vector<std::vector<Barrier>> by_place_;
  std::vector<Loop> loops_;                   // around the instruction at hand
  std::pair<Step, std::uint32_t> section_{};  // when and where the one at hand begins
  Step step_ = 0;
};

isa::CoreBarrier barrier_on(const isa::Program& program, isa::TensorId id) {
  const isa::Tensor& tensor = program.tensors[id];
  isa::CoreBarrier barrier;
  barrier.data = {.space = isa::Space::hbm, .dtype = tensor.dtype, .rank = 1, .tensor = id};
  barrier.data.dims[0] = {1, static_cast<std::int32_t>(tensor.elements())};
  barrier.cores.count = cores;
  barrier.cores.items[1] = 1;
  return barrier;
}

isa::Program part_of(const isa::Program& whole, std::span<const Share> shares,
                     std::span<const Barrier> barriers, std::uint8_t core) {
  isa::Program part;
  part.name = whole.name;
  part.generation = whole.generation;
  part.strings = whole.strings;
  part.tensors = whole.tensors;
  part.dynamics = whole.dynamics;
  part.frames = whole.frames;
  part.loop_indices = whole.loop_indices;
  part.locations = whole.locations;
  std::vector<std::uint32_t> places(whole.instructions.size() + 1);
  auto barrier = barriers.begin();
  for (std::uint32_t i = 0; i <= whole.instructions.size(); ++i) {
    for (; barrier != barriers.end() && barrier->before == i; ++barrier)
      part.append(barrier_on(whole, barrier->tensor), isa::Engine::gpsimd, barrier->location);
    places[i] = static_cast<std::uint32_t>(part.instructions.size());
    if (i == whole.instructions.size()) continue;
    if (shares[i].core != core && shares[i].core != Share::both) continue;
    const isa::Instruction& instruction = whole.instructions[i];
    const std::uint32_t at = part.append_raw(instruction.opcode, whole.record(i),
                                             instruction.engine, instruction.location);
    if (const isa::OperandInfo* const loop = part.info_at(at).with(isa::Role::loop)) {
      auto& begin = loop->in<std::int32_t>(part.record(at));
      begin = static_cast<std::int32_t>(places[static_cast<std::size_t>(begin)]);
    }
  }
  for (isa::Tensor& tensor : part.tensors) {
    tensor.created = places[tensor.created];
    tensor.shared = tensor.space == isa::Space::hbm;
  }
  return part;
}

// Loops in which core 1 has nothing to do are core 0's.
std::vector<Share> without_empty_loops(const isa::Program& whole, std::span<const Share> given) {
  std::vector<Share> shares(given.begin(), given.end());
  std::vector<std::uint32_t> works(shares.size() + 1, 0);  // instructions of core 1 before each one
  for (std::size_t i = 0; i < shares.size(); ++i)
    works[i + 1] = works[i] + (shares[i].core == 1 ? 1 : 0);
  for (std::uint32_t i = 0; i < whole.instructions.size(); ++i) {
    const isa::OperandInfo* const loop = whole.info_at(i).with(isa::Role::loop);
    if (loop == nullptr || shares[i].core != Share::both) continue;
    const auto begin = static_cast<std::size_t>(loop->in<std::int32_t>(whole.record(i)));
    if (works[i] == works[begin]) shares[i].core = shares[begin].core = 0;
  }
  return shares;
}

}  // namespace

std::vector<isa::Program> shared_out(isa::Program whole, std::span<const Share> given) {
  std::vector<isa::Program> parts;
  if (std::ranges::none_of(given, [](const Share& share) { return share.core == 1; })) {
    parts.push_back(std::move(whole));
    return parts;
  }
  const std::vector<Share> shares = without_empty_loops(whole, given);
  base::check(whole.schedule_edges.empty(), "a lowered program has no edges of an author");
  const std::vector<Barrier> barriers = Barriers(whole, shares).find();
  for (std::uint8_t core = 0; core < cores; ++core)
    parts.push_back(part_of(whole, shares, barriers, core));
  return parts;
}

}  // namespace trainyard::compiler
