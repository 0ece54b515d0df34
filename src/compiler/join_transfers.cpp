#include "compiler/join_transfers.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/drop.h"
#include "isa/core/control_flow.h"
#include "isa/core/region.h"
#include "isa/instructions/dma_copy.h"

namespace trainyard::compiler {

namespace {

using isa::Dim;
using isa::DmaCopy;
using isa::Program;
using isa::Region;
using isa::TensorId;
using isa::Tile;

constexpr std::int64_t bytes_max = 4096;  // of a partition

enum class Way : std::uint8_t { load, store };

const Tile& chip_side(const DmaCopy& copy, Way way) {
  return way == Way::load ? copy.dst : copy.src;
}
const Tile& hbm_side(const DmaCopy& copy, Way way) {
  return way == Way::load ? copy.src : copy.dst;
}

// Rows of a matrix in HBM, one for each partition.
struct Rows {
  std::int64_t step = 0;     // elements between two rows
  std::int64_t columns = 0;  // elements of a row, side by side
};

std::optional<Rows> rows_of(const Tile& hbm, std::int64_t partitions) {
  const std::int64_t columns = hbm.elements() / partitions;
  const Tile plain = isa::simplified(hbm);
  const Dim &first = plain.dims[0], &last = plain.dims[plain.rank - 1u];
  if (plain.rank == 2 && first.count == partitions && last.step == 1)
    return Rows{first.step, columns};
  if (plain.rank != 1) return std::nullopt;
  if (columns == 1) return Rows{first.step, 1};
  if (first.step == 1) return Rows{columns, columns};
  return std::nullopt;
}

// Which instructions touch each tensor.
class Uses {
 public:
  explicit Uses(const Program& program)
      : program_(program),
        by_tensor_(program.tensors.size()),
        at_run_time_(program.tensors.size(), false) {
    for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
      program.for_each_tile(i, [&](const isa::OperandInfo&, const Tile& tile, isa::Access) {
        auto& users = by_tensor_[tile.tensor];
        if (users.empty() || users.back() != i) users.push_back(i);
        if (tile.dynamic != 0) at_run_time_[tile.tensor] = true;
      });
    }
    for (const isa::DynamicAddress& dynamic : program.dynamics) {
      if (dynamic.index) at_run_time_[dynamic.index.tensor] = true;
    }
  }

  // Whether an instruction between the two, both left out, touches some of what `tile` does.
  [[nodiscard]] bool touched(const Tile& tile, std::uint32_t after, std::uint32_t before,
                             bool only_writes) const {
    const Region region = isa::region_of(program_, tile);
    const auto& users = by_tensor_[tile.tensor];
    bool found = false;
    for (auto i = std::upper_bound(users.begin(), users.end(), after);
         i != users.end() && *i < before && !found; ++i) {
      program_.for_each_tile(
          *i, [&](const isa::OperandInfo&, const Tile& other, isa::Access access) {
            if (other.tensor != tile.tensor || (only_writes && !isa::writes(access))) return;
            found = found || region.overlaps(isa::region_of(program_, other));
          });
    }
    return found;
  }

  // Whether all uses of the tensor may move to another place.
  [[nodiscard]] bool can_move(TensorId tensor) const {
    return !program_.tensors[tensor].manual_address && !at_run_time_[tensor];
  }

 private:
  const Program& program_;
  std::vector<std::vector<std::uint32_t>> by_tensor_;
  std::vector<bool> at_run_time_;
};

// Transfers that become one.
struct TransferGroup {
  std::vector<std::uint32_t> members;
  Rows rows;
  std::int64_t step = 0;   // bytes in HBM from one member to the next
  bool one_tensor = true;  // on chip, whose slices they are; else each is the whole of its own
};

class Joiner {
 public:
  Joiner(Program& program, const machine::Core& core, Way way)
      : program_(program),
        core_(core),
        way_(way),
        uses_(program),
        loops_(program),
        places_(program.tensors.size()),
        taken_(program.tensors.size(), false),
        dropped_(program.instructions.size(), false) {}

  void run() {
    std::map<std::uint32_t, TransferGroup> open;  // by source line
    for (std::uint32_t i = 0; i < dropped_.size(); ++i) {
      const std::optional<Rows> rows = candidate(i);
      if (!rows) continue;
      const std::uint32_t location = program_.instructions[i].location;
      TransferGroup& group = open[program_.locations[location].frame];
      if (!group.members.empty() && take(group, i)) continue;
      close(group);
      group = TransferGroup{.members = {i}, .rows = *rows};
    }
    for (auto& [line, group] : open) close(group);
    for (const auto& [kept, record] : joined_)
      *static_cast<DmaCopy*>(program_.record(kept)) = record;
    rename();
    std::vector<TensorId> same(program_.tensors.size());
    std::iota(same.begin(), same.end(), TensorId{0});
    drop(program_, dropped_, std::move(same));
  }

 private:
  // Where a tensor lies that has become a part of another one.
  struct Place {
    TensorId tensor = isa::no_tensor;
    std::int64_t offset = 0;
  };

  [[nodiscard]] const DmaCopy& copy(std::uint32_t i) const { return program_.as<DmaCopy>(i); }
  [[nodiscard]] const Tile& chip(std::uint32_t i) const { return chip_side(copy(i), way_); }
  [[nodiscard]] const Tile& hbm(std::uint32_t i) const { return hbm_side(copy(i), way_); }
  [[nodiscard]] static std::int64_t row_bytes(const Tile& chip) {
    return chip.free_elements() * chip.element_bytes();
  }

  [[nodiscard]] std::optional<Rows> candidate(std::uint32_t i) const {
    if (!program_.is<DmaCopy>(i)) return std::nullopt;
    const Tile &on_chip = chip(i), &in_hbm = hbm(i);
    const bool fits = on_chip.space == isa::Space::sbuf && in_hbm.space == isa::Space::hbm &&
                      on_chip.dynamic == 0 && in_hbm.dynamic == 0 && on_chip.contiguous() &&
                      uses_.can_move(on_chip.tensor);
    return fits ? rows_of(in_hbm, on_chip.partitions) : std::nullopt;
  }

  // Adds `i` to the group if it belongs there.
  bool take(TransferGroup& group, std::uint32_t i) {
    const std::uint32_t first = group.members.front();
    const auto count = static_cast<std::int64_t>(group.members.size());
    const std::int64_t step = hbm(i).offset - hbm(group.members.back()).offset;
    const bool is_next =
        count == 1 ? step > 0 && step % hbm(i).element_bytes() == 0 : step == group.step;
    if (loops_.around(i) != loops_.around(first)) return false;  // they run equally often
    if (!is_next || !are_alike(first, i) || (count + 1) * row_bytes(chip(i)) > bytes_max)
      return false;
    const bool one_tensor = chip(i).tensor == chip(first).tensor;
    if (count > 1 && one_tensor != group.one_tensor) return false;
    const bool fits = one_tensor ? chip(i).offset == chip(first).offset + count * row_bytes(chip(i))
                                 : is_free(i) && (count > 1 || is_free(first));
    if (!fits || !may_move(group, i)) return false;
    if (!one_tensor) taken_[chip(first).tensor] = taken_[chip(i).tensor] = true;
    group.members.push_back(i);
    group.step = step;
    group.one_tensor = one_tensor;
    return true;
  }

  [[nodiscard]] bool are_alike(std::uint32_t a, std::uint32_t b) const {
    DmaCopy moved = copy(b);
    Tile& on_chip = way_ == Way::load ? moved.dst : moved.src;
    Tile& in_hbm = way_ == Way::load ? moved.src : moved.dst;
    on_chip.tensor = chip(a).tensor;
    on_chip.offset = chip(a).offset;
    in_hbm.offset = hbm(a).offset;
    const DmaCopy& first = copy(a);
    return moved.dst == first.dst && moved.src == first.src && moved.priority == first.priority &&
           moved.oob_mode == first.oob_mode && moved.dge_mode == first.dge_mode &&
           program_.instructions[a].engine == program_.instructions[b].engine;
  }

  // The tile is all of a tensor that no group has taken, and keeps the alignment of the next one.
  [[nodiscard]] bool is_free(std::uint32_t i) const {
    const Tile& tile = chip(i);
    return tile.elements() == program_.tensors[tile.tensor].elements() && !taken_[tile.tensor] &&
           row_bytes(tile) % core_.sbuf.alignment.value == 0;
  }

  // Whether the load `i` may stand at the first member, or the members, stores, at `i`.
  [[nodiscard]] bool may_move(const TransferGroup& group, std::uint32_t i) const {
    const auto moves = [&](std::uint32_t what, std::uint32_t after, std::uint32_t before) {
      return !uses_.touched(copy(what).dst, after, before, false) &&
             !uses_.touched(copy(what).src, after, before, true);
    };
    if (way_ == Way::load) return moves(i, group.members.front(), i);
    return std::all_of(group.members.begin(), group.members.end(),
                       [&](std::uint32_t member) { return moves(member, member, i + 1); });
  }

  void close(const TransferGroup& group) {
    if (group.members.size() < 2) return;
    const std::uint32_t kept = way_ == Way::load ? group.members.front() : group.members.back();
    const std::uint32_t first = group.members.front();
    const auto count = static_cast<std::int32_t>(group.members.size());
    Tile on_chip = chip(first), in_hbm = hbm(first);
    const auto columns = static_cast<std::int32_t>(group.rows.columns);
    if (!group.one_tensor) {
      on_chip.tensor = lay_side_by_side(group);
      on_chip.offset = 0;
    }
    on_chip.rank = 1;
    on_chip.dims = {Dim{1, columns * count}};
    in_hbm.rank = 3;
    in_hbm.dims = {Dim{static_cast<std::int32_t>(group.rows.step), on_chip.partitions},
                   Dim{static_cast<std::int32_t>(group.step / in_hbm.element_bytes()), count},
                   Dim{1, columns}};
    DmaCopy record = copy(kept);
    (way_ == Way::load ? record.dst : record.src) = on_chip;
    (way_ == Way::load ? record.src : record.dst) = in_hbm;
    joined_.emplace_back(kept, record);
    for (const std::uint32_t member : group.members) dropped_[member] = member != kept;
  }

  // One tensor with room for those of all members.
  TensorId lay_side_by_side(const TransferGroup& group) {
    const auto made = static_cast<TensorId>(program_.tensors.size());
    isa::Tensor tensor = program_.tensors[chip(group.members.front()).tensor];
    const std::int64_t bytes = tensor.bytes_per_partition();
    tensor.shape = {tensor.partitions(), tensor.elements() / tensor.partitions() *
                                             static_cast<std::int64_t>(group.members.size())};
    std::int64_t offset = 0;
    for (const std::uint32_t member : group.members) {
      tensor.created = std::min(tensor.created, program_.tensors[chip(member).tensor].created);
      places_[chip(member).tensor] = {made, offset};
      offset += bytes;
    }
    program_.tensors.push_back(std::move(tensor));
    return made;
  }

  void rename() {
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) {
      program_.for_each_tile_mutable(i, [&](Tile& tile) {
        if (tile.tensor >= places_.size() || places_[tile.tensor].tensor == isa::no_tensor) return;
        const Place& place = places_[tile.tensor];
        tile.offset += place.offset;
        tile.tensor = place.tensor;
      });
    }
  }

  Program& program_;
  const machine::Core& core_;
  Way way_;
  Uses uses_;
  isa::LoopTree loops_;
  std::vector<Place> places_;  // by tensor, of those that the program came with
  std::vector<bool> taken_;    // whole tensors that a group has
  std::vector<std::pair<std::uint32_t, DmaCopy>> joined_;
  std::vector<bool> dropped_;
};

}  // namespace

void join_transfers(Program& program, const machine::Core& core) {
  if (!core.features.hardware_dge || !is_rewritable(program)) return;
  for (const Way way : {Way::load, Way::store}) Joiner(program, core, way).run();
}

}  // namespace trainyard::compiler
