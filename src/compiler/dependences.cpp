#include "compiler/dependences.h"

#include <algorithm>

#include "compiler/access_list.h"

namespace trainyard::compiler {

Actor actor_of(const isa::Program& program, std::uint32_t instruction) {
  const isa::Instruction& what = program.instructions[instruction];
  if (isa::info(what.opcode).kind == isa::Kind::dma) {
    return {static_cast<std::uint8_t>(isa::engine_count + what.queue)};
  }
  return {static_cast<std::uint8_t>(what.engine)};
}

struct DependenceTracker::History {
  AccessList reads, writes;

  void clear() {
    reads.clear();
    writes.clear();
  }
};

// A tile that an instruction touches.
struct DependenceTracker::Touch {
  RegionAccess access;
  isa::Access how = isa::Access::none;
  std::uint32_t runs = 0;  // its place in runs_, if it covers what is not solid
};

namespace {

constexpr std::uint32_t none = 0xFFFFFFFFu;

// All that a placed on-chip tensor takes.
isa::Region memory_of(const isa::Tensor& tensor) {
  isa::Region whole;
  whole.space = tensor.space;
  whole.first_partition = tensor.partition_start;
  whole.end_partition = tensor.partition_start + static_cast<std::int32_t>(tensor.partitions());
  whole.first_byte = tensor.address;
  whole.end_byte = tensor.address + std::max<std::int64_t>(tensor.bytes_per_partition(), 1);
  return whole;
}

}  // namespace

DependenceTracker::DependenceTracker(const isa::Program& program, bool actors_in_order)
    : DependenceTracker(program, actors_in_order, nullptr) {}
DependenceTracker::DependenceTracker(const isa::Program& program,
                                     const std::vector<std::uint32_t>& order)
    : DependenceTracker(program, true, &order) {}
DependenceTracker::DependenceTracker(const isa::Program& program, bool actors_in_order,
                                     const std::vector<std::uint32_t>* order)
    : program_(program),
      actors_in_order_(actors_in_order),
      order_(order),
      history_of_(program.tensors.size(), none),
      last_use_(program.tensors.size(), 0),
      last_write_(program.tensors.size(), none),
      seen_(program.tensors.size(), false),
      found_at_(order == nullptr ? program.instructions.size() : order->size(), 0) {
  for (std::uint32_t i = 0; i < found_at_.size(); ++i) {
    program.for_each_tile(instruction_at(i),
                          [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
                            if (isa::orders(how)) last_write_[tile.tensor] = i;
                            last_use_[tile.tensor] = i;
                          });
  }
}
DependenceTracker::~DependenceTracker() = default;

const std::vector<Dependence>& DependenceTracker::next(std::uint32_t i) {
  found_.clear();
  const std::uint32_t instruction = instruction_at(i);
  const bool on_tensor = program_.instructions[instruction].engine == isa::Engine::tensor;
  touches_.clear();
  runs_.clear();
  program_.for_each_tile(
      instruction, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
        if (!is_followed(tile)) return;
        Touch& touch = touches_.emplace_back(
            Touch{access_of(i, tile), how, static_cast<std::uint32_t>(runs_.size())});
        const isa::Region& region = touch.access.region;
        if (isa::covers(how) && !region.solid) runs_.emplace_back(tile, region);
      });
  // A matmul that accumulates does not wait for the one before: PSUM adds results in the order in
  // which they arrive.
  const auto reads = [&](const Touch& touch) {
    return isa::reads(touch.how) && !(on_tensor && touch.how == isa::Access::update);
  };
  for (const Touch& touch : touches_)
    if (reads(touch)) read(touch);
  for (const Touch& touch : touches_)
    if (isa::orders(touch.how)) write(touch);
  // Last: what it writes comes after the reads that its own will stand for.
  for (const Touch& touch : touches_)
    if (reads(touch)) note_read(touch.access);
  for (const Touch& touch : touches_) forget_unused(i, touch.access.region);
  std::ranges::sort(found_, {}, &Dependence::producer);
  return found_;
}

// Of the hazards with one producer the strongest is kept.
void DependenceTracker::note(const Dependence& dependence) {
  std::uint32_t& place = found_at_[dependence.producer];
  if (place < found_.size() && found_[place].producer == dependence.producer) {
    found_[place].hazard = std::min(found_[place].hazard, dependence.hazard);
    return;
  }
  place = static_cast<std::uint32_t>(found_.size());
  found_.push_back(dependence);
}

void DependenceTracker::barrier() {
  histories_.clear();
  free_histories_.clear();
  std::ranges::fill(history_of_, none);
  owners_.clear();
  std::fill(seen_.begin(), seen_.end(), false);
}

// A tensor's memory may have belonged to others before: their accesses to it come first, and
// belong to this tensor from now on. Should an earlier owner be used again, it takes them back.
void DependenceTracker::adopt(isa::TensorId id) {
  seen_[id] = true;
  const isa::Tensor& tensor = program_.tensors[id];
  if (tensor.space == isa::Space::hbm) return;
  const isa::Region whole = memory_of(tensor);
  bool is_owner = false;
  for (const Owners::Owner& other : owners_.overlapping(whole)) {
    is_owner = is_owner || other.tensor == id;
    if (other.tensor == id) continue;
    History& mine = known(id);
    History& theirs = known(other.tensor);
    hand_over(theirs.reads, mine.reads, whole);
    hand_over(theirs.writes, mine.writes, whole);
    seen_[other.tensor] = false;
    if (!theirs.reads.empty() || !theirs.writes.empty()) continue;
    forget(other.tensor);
    owners_.remove(other);
  }
  if (!is_owner) owners_.add({id, whole});
}

// Moves what lies inside `whole` from one list to another.
void DependenceTracker::hand_over(AccessList& from, AccessList& to, const isa::Region& whole) {
  pieces_.clear();
  from.sift(whole, [&](const RegionAccess& a) {
    if (whole.contains(a.region)) {
      to.push(a);
      return true;
    }
    to.push({a.instruction, a.actor, inside(a.region, whole)});
    outside(a.region, whole, [&](const isa::Region& part) {
      pieces_.push_back({a.instruction, a.actor, part});
    });
    return true;
  });
  for (const RegionAccess& piece : pieces_) from.push(piece);
}

// Until it is compiled, a program's tiles lie relative to their tensors.
void DependenceTracker::place(isa::Region& region, const isa::Tensor& tensor) {
  region.first_byte += tensor.address;
  region.end_byte += tensor.address;
  region.first_partition += tensor.partition_start;
  region.end_partition += tensor.partition_start;
}

// Nothing waits for accesses of what is never written.
bool DependenceTracker::is_followed(const isa::Tile& tile) const {
  return tile.space != isa::Space::hbm || last_write_[tile.tensor] != none;
}

RegionAccess DependenceTracker::access_of(std::uint32_t i, const isa::Tile& tile) const {
  const isa::Tensor& tensor = program_.tensors[tile.tensor];
  RegionAccess now{i, actor_of(program_, instruction_at(i)), isa::region_of(program_, tile)};
  if (tensor.manual_address && !program_.compiled) place(now.region, tensor);
  return now;
}

DependenceTracker::History& DependenceTracker::history_of(isa::TensorId tensor) {
  const bool is_placed = program_.compiled || program_.tensors[tensor].manual_address;
  if (history_of_[tensor] == none) {
    if (free_histories_.empty()) {
      free_histories_.push_back(static_cast<std::uint32_t>(histories_.size()));
      histories_.emplace_back();
    }
    history_of_[tensor] = free_histories_.back();
    free_histories_.pop_back();
  }
  if (is_placed && !seen_[tensor]) adopt(tensor);
  return known(tensor);
}

DependenceTracker::History& DependenceTracker::known(isa::TensorId tensor) {
  return histories_[history_of_[tensor]];
}

void DependenceTracker::forget(isa::TensorId tensor) {
  known(tensor).clear();
  free_histories_.push_back(history_of_[tensor]);
  history_of_[tensor] = none;
}

// Nothing comes after the last accesses of a tensor but what takes over its memory.
void DependenceTracker::forget_unused(std::uint32_t i, const isa::Region& region) {
  const isa::TensorId id = region.tensor;
  if (last_use_[id] == i && history_of_[id] != none && !hands_over(id)) forget(id);
}

bool DependenceTracker::hands_over(isa::TensorId tensor) const {
  const isa::Tensor& what = program_.tensors[tensor];
  return what.space != isa::Space::hbm && (program_.compiled || what.manual_address);
}

void DependenceTracker::write(const Touch& now) {
  History& history = history_of(now.access.region.tensor);
  follow(history.reads, now, Hazard::write_after_read);
  follow(history.writes, now, Hazard::write_after_write);
  history.writes.push(now.access);
}

void DependenceTracker::read(const Touch& now) {
  follow(history_of(now.access.region.tensor).writes, now, Hazard::read_after_write);
}

void DependenceTracker::note_read(const RegionAccess& now) {
  const isa::TensorId tensor = now.region.tensor;
  const bool is_waited_for = now.instruction < last_write_[tensor] && last_write_[tensor] != none;
  if (!is_waited_for && !hands_over(tensor)) return;
  History& history = history_of(now.region.tensor);
  // Of reads by one actor, which complete in order, the last one is enough.
  if (actors_in_order_) {
    pieces_.clear();
    history.reads.sift(now.region, [&](const RegionAccess& old) {
      if (old.actor != now.actor) return false;
      if (now.region.contains(old.region)) return true;
      const std::optional<isa::Region> rest = without_end(old.region, now.region);
      if (rest) pieces_.push_back({old.instruction, old.actor, *rest});
      return rest.has_value();
    });
    for (const RegionAccess& piece : pieces_) history.reads.push(piece);
  }
  history.reads.push(now);
}

// Notes that `now` comes after those of `earlier` that it overlaps. What a full overwrite waits for
// need not be waited for again.
void DependenceTracker::follow(AccessList& earlier, const Touch& touch, Hazard hazard) {
  const RegionAccess& now = touch.access;
  const bool covers = hazard != Hazard::read_after_write && isa::covers(touch.how);
  pieces_.clear();
  earlier.sift(now.region, [&](const RegionAccess& old) {
    if (old.instruction == now.instruction) return false;
    note({old.instruction, hazard});
    if (!covers) return false;
    if (now.region.dense && now.region.contains(old.region)) return true;
    const bool own = old.region.tensor == now.region.tensor;
    const auto keep = [&](const isa::Region& part) {
      pieces_.push_back({old.instruction, old.actor, part});
    };
    if (now.region.solid) {
      if (!own) outside(old.region, now.region, keep);
      return !own;
    }
    const isa::Region rest = runs_[touch.runs].without_ends(old.region);
    const bool is_covered = rest.first_byte >= rest.end_byte;
    if (is_covered || own) return is_covered;
    const bool shrinks =
        rest.first_byte != old.region.first_byte || rest.end_byte != old.region.end_byte;
    if (shrinks) keep(rest);
    return shrinks;
  });
  for (const RegionAccess& piece : pieces_) earlier.push(piece);
}

}  // namespace trainyard::compiler
