#include "compiler/lowering/share.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/stable_sort.h"
#include "isa/instructions/core_barrier.h"

namespace trainyard::compiler {

namespace {

constexpr std::size_t cores = 2;

// The latest use of a tensor, and the latest one in an earlier section.
class Uses {
 public:
  void note(std::uint32_t instruction, std::uint32_t section) {
    if (last_ && section_ != section) before_ = last_;
    last_ = instruction;
    section_ = section;
  }
  [[nodiscard]] std::optional<std::uint32_t> outside(std::uint32_t section) const {
    return section_ == section ? before_ : last_;
  }

 private:
  std::uint32_t section_ = 0;
  std::optional<std::uint32_t> last_, before_;
};

struct Barrier {
  std::uint32_t before = 0;  // an instruction of the whole program
  isa::TensorId tensor = isa::no_tensor;
  std::uint32_t location = 0;
};

// A barrier stands where the section begins in which a core uses what the other one has used.
class Barriers {
 public:
  Barriers(const isa::Program& whole, std::span<const Share> shares)
      : whole_(whole), shares_(shares), histories_(whole.tensors.size()) {}

  std::vector<Barrier> find() {
    for (std::uint32_t i = 0; i < whole_.instructions.size(); ++i) {
      if (i > 0 && shares_[i].section != shares_[i - 1].section) section_begin_ = i;
      whole_.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
        if (tile.space == isa::Space::hbm) use(i, tile.tensor, isa::writes(how));
      });
    }
    base::stable_sort(found_, {}, &Barrier::before);
    return std::move(found_);
  }

 private:
  struct History {
    std::array<Uses, cores> writes, all;
    std::uint32_t ordered = 0;  // what came before this is
  };

  void use(std::uint32_t i, isa::TensorId tensor, bool writes) {
    const auto [core, section] = shares_[i];
    const std::size_t other = 1 - core;
    History& history = histories_[tensor];
    const auto last = (writes ? history.all : history.writes).at(other).outside(section);
    if (last && *last >= history.ordered) {
      history.ordered = std::max(section_begin_, *last + 1);
      found_.push_back({history.ordered, tensor, whole_.instructions[i].location});
    }
    history.all.at(core).note(i, section);
    if (writes) history.writes.at(core).note(i, section);
  }

  const isa::Program& whole_;
  std::span<const Share> shares_;
  std::vector<History> histories_;
  std::vector<Barrier> found_;
  std::uint32_t section_begin_ = 0;
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
    if (i == whole.instructions.size() || shares[i].core != core) continue;
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

}  // namespace

std::vector<isa::Program> shared_out(isa::Program whole, std::span<const Share> shares) {
  std::vector<isa::Program> parts;
  if (std::ranges::none_of(shares, [](const Share& share) { return share.core > 0; })) {
    parts.push_back(std::move(whole));
    return parts;
  }
  base::check(whole.schedule_edges.empty(), "a lowered program has no edges of an author");
  const std::vector<Barrier> barriers = Barriers(whole, shares).find();
  for (std::uint8_t core = 0; core < cores; ++core)
    parts.push_back(part_of(whole, shares, barriers, core));
  return parts;
}

}  // namespace trainyard::compiler
