#include "compiler/dependences.h"

#include <algorithm>

#include "isa/region.h"

namespace trainyard::compiler {

Actor actor_of(const isa::Program& program, std::uint32_t instruction) {
  const isa::Instruction& what = program.instructions[instruction];
  if (isa::info(what.opcode).kind == isa::Kind::dma) {
    return {static_cast<std::uint8_t>(isa::engine_count + what.queue)};
  }
  return {static_cast<std::uint8_t>(what.engine)};
}

struct DependenceTracker::Access {
  std::uint32_t instruction;
  Actor actor;
  bool writes;
  isa::Region region;
};

struct DependenceTracker::History {
  std::vector<Access> accesses;
};

DependenceTracker::DependenceTracker(const isa::Program& program, bool actors_in_order)
    : program_(program),
      actors_in_order_(actors_in_order),
      histories_(program.tensors.size()),
      written_(program.tensors.size(), false),
      seen_(program.tensors.size(), false) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
      if (isa::writes(how)) written_[tile.tensor] = true;
    });
  }
}
DependenceTracker::~DependenceTracker() = default;

const std::vector<Dependence>& DependenceTracker::next(std::uint32_t i) {
  found_.clear();
  const bool on_tensor = program_.instructions[i].engine == isa::Engine::tensor;
  program_.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
    // A matmul that accumulates does not wait for the one before: PSUM adds results in the order in
    // which they arrive.
    if (isa::reads(how) && !(on_tensor && how == isa::Access::update))
      access(i, tile, isa::Access::read);
  });
  program_.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access how) {
    if (isa::writes(how)) access(i, tile, how);
  });
  // The strongest hazard first, so that it is the one kept for a producer.
  std::sort(found_.begin(), found_.end(), [](const Dependence& a, const Dependence& b) {
    return a.producer != b.producer ? a.producer < b.producer : a.hazard < b.hazard;
  });
  found_.erase(std::unique(found_.begin(), found_.end(),
                           [](const Dependence& a, const Dependence& b) {
                             return a.producer == b.producer;
                           }),
               found_.end());
  return found_;
}

void DependenceTracker::barrier() {
  for (History& history : histories_) history.accesses.clear();
  active_.clear();
  std::fill(seen_.begin(), seen_.end(), false);
}

// A tensor's memory may have belonged to others before: their accesses come first.
void DependenceTracker::adopt(isa::TensorId id) {
  seen_[id] = true;
  const isa::Tensor& tensor = program_.tensors[id];
  if (tensor.space == isa::Space::hbm) return;
  isa::Region whole;
  whole.space = tensor.space;
  whole.first_partition = tensor.partition_start;
  whole.end_partition = tensor.partition_start + static_cast<std::int32_t>(tensor.partitions());
  whole.first_byte = tensor.address;
  whole.end_byte = tensor.address + std::max<std::int64_t>(tensor.bytes_per_partition(), 1);
  whole.dense = true;
  std::vector<Access>& mine = histories_[id].accesses;
  const std::int64_t reach = whole.first_byte - active_bytes_max_;
  for (auto at = active_.lower_bound({tensor.space, reach, 0}); at != active_.end();) {
    const auto& [space, first_byte, other] = *at;
    if (space != tensor.space || first_byte >= whole.end_byte) break;
    std::vector<Access>& accesses = histories_[other].accesses;
    // What lies inside the new tensor is handed over: later owners of the place come after this
    // one. What lies partly inside is remembered in both, once each.
    std::erase_if(accesses, [&](const Access& a) {
      if (!a.region.overlaps(whole)) return false;
      const bool known = std::any_of(mine.begin(), mine.end(), [&](const Access& m) {
        return m.instruction == a.instruction && m.writes == a.writes &&
               m.region.tensor == a.region.tensor && m.region.first_byte == a.region.first_byte;
      });
      if (!known) mine.push_back(a);
      return whole.contains(a.region);
    });
    at = accesses.empty() ? active_.erase(at) : std::next(at);
  }
  active_.insert({tensor.space, whole.first_byte, id});
  active_bytes_max_ = std::max(active_bytes_max_, whole.end_byte - whole.first_byte);
}

void DependenceTracker::access(std::uint32_t i, const isa::Tile& tile, isa::Access how) {
  if (tile.space == isa::Space::hbm && !written_[tile.tensor]) return;
  if (program_.compiled && !seen_[tile.tensor]) adopt(tile.tensor);
  const isa::Region region = isa::region_of(program_, tile);
  const bool writing = isa::writes(how);
  const Actor actor = actor_of(program_, i);
  std::vector<Access>& accesses = histories_[tile.tensor].accesses;
  const bool covers = writing && isa::covers(how) && region.dense;

  std::size_t kept = 0;
  for (Access& old : accesses) {
    bool keep = true;
    if (old.instruction != i && (writing || old.writes) && old.region.overlaps(region)) {
      found_.push_back({old.instruction, !writing     ? Hazard::read_after_write
                                         : old.writes ? Hazard::write_after_write
                                                      : Hazard::write_after_read});
      // What a full overwrite waits for need not be waited for again.
      keep = !(covers && region.contains(old.region));
    }
    // Of reads by one actor, which complete in order, the last one is enough.
    if (actors_in_order_ && !writing && !old.writes && old.actor == actor &&
        region.contains(old.region))
      keep = false;
    if (keep) accesses[kept++] = old;
  }
  accesses.resize(kept);
  accesses.push_back({i, actor, writing, region});
}

}  // namespace trainyard::compiler
