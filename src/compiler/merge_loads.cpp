#include "compiler/merge_loads.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "compiler/drop.h"
#include "compiler/liveness.h"
#include "isa/core/control_flow.h"

namespace trainyard::compiler {

namespace {

using isa::Program;
using isa::TensorId;

// The part of SBUF that kept tiles may fill together with everything else; the rest stays free for
// loads that run ahead of their use.
constexpr std::int64_t share_percent = 75;

// What a transfer brings, and where to; nothing of another instruction.
std::optional<isa::Copied> transfer_at(const Program& program, std::uint32_t i) {
  const isa::InstructionInfo& info = program.info_at(i);
  if (info.kind != isa::Kind::dma || info.copies == nullptr) return std::nullopt;
  return info.copies(program.record(i));
}
TensorId filled_by(const Program& program, std::uint32_t load) {
  return transfer_at(program, load)->dst.tensor;
}

// A load that could stand for a later one like it.
bool is_candidate(const Program& program, std::uint32_t i,
                  const std::vector<std::uint32_t>& written,
                  const std::vector<std::uint32_t>& first) {
  const std::optional<isa::Copied> load = transfer_at(program, i);
  return load && first[load->dst.tensor] == i && load->src.space == isa::Space::hbm &&
         load->src.dynamic == 0 && written[load->src.tensor] == 0 &&
         is_written_whole(program, load->dst, written);
}

// Whether two loads leave the same bytes at the same places of their tensors.
bool fill_alike(const Program& program, std::uint32_t a, std::uint32_t b) {
  const std::optional<isa::Copied> x = transfer_at(program, a), y = transfer_at(program, b);
  return x->src == y->src && lie_alike(program, x->dst, y->dst);
}

struct Repeat {
  std::uint32_t load = 0, earlier = 0;
  std::uint32_t first = 0;  // of all that fill alike
  std::int64_t wait = 0;    // instructions between the last use of one and the other
};

std::vector<Repeat> repeats(const Program& program, const std::vector<Lifetime>& lives) {
  const std::vector<std::uint32_t> written = writers(program), first = first_uses(program);
  const isa::LoopTree loops(program);
  struct Alike {
    std::uint32_t first = 0, latest = 0;
  };
  std::map<std::tuple<TensorId, std::int64_t, std::int64_t>, std::vector<Alike>> seen;
  std::map<std::uint32_t, std::uint32_t> ends;  // last use, by the first load of those alike
  std::vector<Repeat> found;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (!is_candidate(program, i, written, first)) continue;
    const isa::Copied load = *transfer_at(program, i);
    auto& alike = seen[{load.src.tensor, load.src.offset, load.src.elements()}];
    const auto match = std::find_if(alike.begin(), alike.end(), [&](const Alike& earlier) {
      // Whenever this one runs, that one has run.
      return loops.encloses(loops.around(earlier.latest), loops.around(i)) &&
             fill_alike(program, earlier.latest, i);
    });
    if (match == alike.end()) {
      alike.push_back({i, i});
      continue;
    }
    const Lifetime& before = lives[filled_by(program, match->latest)];
    found.push_back({i, match->latest, match->first, std::int64_t{i} - std::int64_t{before.last}});
    match->latest = i;
    ends[match->first] = lives[load.dst.tensor].last;
  }
  const std::size_t half = program.instructions.size() / 2;
  std::erase_if(found, [&](const Repeat& one) {
    return one.wait > inner_turn && ends[one.first] - one.first < half;
  });
  return found;
}

// Bytes of a partition in use at each instruction.
class Usage {
 public:
  Usage(const Program& program, const std::vector<Lifetime>& lives, std::int64_t limit)
      : change_(program.instructions.size() + 1, 0), limit_(limit) {
    for (TensorId t = 0; t < program.tensors.size(); ++t) {
      if (program.tensors[t].space == isa::Space::sbuf && lives[t].used())
        add(lives[t].first, lives[t].last, program.tensors[t].bytes_per_partition());
    }
  }

  void add(std::uint32_t first, std::uint32_t last, std::int64_t bytes) {
    change_[first] += bytes;
    change_[last + 1] -= bytes;
  }

  [[nodiscard]] bool fits() const {
    std::int64_t now = 0;
    return std::all_of(change_.begin(), change_.end(),
                       [&](std::int64_t change) { return (now += change) <= limit_; });
  }

 private:
  std::vector<std::int64_t> change_;
  std::int64_t limit_;
};

class Merger {
 public:
  Merger(Program& program, const machine::Core& core)
      : program_(program),
        lives_(lifetimes(program)),
        usage_(program, lives_, core.sbuf.usable().value * share_percent / 100),
        root_(program.tensors.size()),
        dropped_(program.instructions.size(), false) {
    for (TensorId t = 0; t < root_.size(); ++t) root_[t] = t;
  }

  void run() {
    // By how long they wait, as a power of two, then by the line that loads.
    std::map<std::pair<int, std::uint32_t>, std::vector<Repeat>> classes;
    for (const Repeat& one : repeats(program_, lives_)) {
      const std::uint32_t location = program_.instructions[one.load].location;
      const auto wait = static_cast<std::uint64_t>(std::max<std::int64_t>(one.wait, 0));
      classes[{std::bit_width(wait), program_.locations[location].frame}].push_back(one);
    }
    bool any = false;
    for (const auto& [key, members] : classes) any = keep(members) || any;
    if (any) drop(program_, dropped_, root_);
  }

 private:
  [[nodiscard]] std::int64_t bytes(const Repeat& one) const {
    return program_.tensors[target(one.load)].bytes_per_partition();
  }
  [[nodiscard]] TensorId target(std::uint32_t load) const { return filled_by(program_, load); }

  // Between the two uses the tile stays; where both were live at once, one of them goes.
  void account(const Repeat& one, std::int64_t sign) {
    const Lifetime& before = lives_[target(one.earlier)];
    const Lifetime& after = lives_[target(one.load)];
    if (before.last < after.first) {
      if (before.last + 1 < after.first)
        usage_.add(before.last + 1, after.first - 1, sign * bytes(one));
    } else {
      usage_.add(after.first, std::min(before.last, after.last), -sign * bytes(one));
    }
  }

  [[nodiscard]] bool keep(const std::vector<Repeat>& members) {
    for (const Repeat& one : members) account(one, 1);
    if (!usage_.fits()) {
      for (const Repeat& one : members) account(one, -1);
      return false;
    }
    for (const Repeat& one : members) {
      root_[target(one.load)] = target(one.earlier);
      dropped_[one.load] = true;
    }
    return true;
  }

  Program& program_;
  std::vector<Lifetime> lives_;
  Usage usage_;
  std::vector<TensorId> root_;
  std::vector<bool> dropped_;
};

}  // namespace

void merge_loads(Program& program, const machine::Core& core) {
  if (is_rewritable(program)) Merger(program, core).run();
}

}  // namespace trainyard::compiler
