#include "compiler/allocate.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "compiler/liveness.h"
#include "compiler/partition_groups.h"
#include "compiler/place.h"
#include "isa/rules/validate.h"

namespace trainyard::compiler {

namespace {

using isa::Program;
using isa::Space;
using isa::Tensor;
using isa::TensorId;

// One memory's free-dimension address range, shared by all partitions.
struct Memory {
  Space space;
  std::string_view label;
  std::int64_t capacity;          // bytes a partition offers to programs
  std::int64_t alignment;         // of what the compiler places
  std::int64_t manual_alignment;  // of what the author places; 1: of the tensor's elements
  // Where tensors do not fit at multiples of `alignment`, those that fit into as many bytes share
  // them, at multiples of this; 0: they never do.
  std::int64_t shared_alignment;
  std::int64_t block = 0;  // while they do: what a tensor begins at, or lies in one of
};

class Allocator {
 public:
  Allocator(Program& program, const machine::Core& core, const std::vector<Lifetime>& lives,
            const Memory& memory)
      : program_(program), core_(core), lives_(lives), memory_(memory) {
    for (TensorId t = 0; t < program.tensors.size(); ++t) {
      const Tensor& tensor = program.tensors[t];
      if (tensor.space != memory.space || !lives[t].used()) continue;
      (tensor.manual_address ? manual_ : automatic_).push_back(t);
    }
  }

  std::optional<Shortage> run(bool allow_overlap) {
    check_manual(allow_overlap);
    for (const Policy policy : {Policy::rotate, Policy::rotate_short, Policy::first_fit}) {
      if (place_all(policy)) return std::nullopt;
    }
    const TensorId failed = failed_;
    if (place_packed()) return std::nullopt;
    failed_ = failed;
    return shortage();
  }

 private:
  [[nodiscard]] std::int64_t size(TensorId t) const {
    return base::round_up(std::max<std::int64_t>(program_.tensors[t].bytes_per_partition(), 1),
                          memory_.alignment);
  }

  void check_manual(bool allow_overlap) const {
    std::vector<base::Violation> found;
    for (const TensorId t : manual_) {
      const Tensor& tensor = program_.tensors[t];
      const std::int64_t alignment =
          std::max<std::int64_t>(memory_.manual_alignment, numerics::size_in_bytes(tensor.dtype));
      if (tensor.address < 0 || tensor.address % alignment != 0 ||
          tensor.address + tensor.bytes_per_partition() > memory_.capacity) {
        found.push_back(
            {"memory.address",
             fmt::format(
                 "a manual address lies inside the {} bytes of a {} partition, at a multiple of {}",
                 memory_.capacity, name(memory_.space), alignment),
             program_.describe_location(tensor.location),
             fmt::format("'{}' at byte {} with {} bytes", tensor.name, tensor.address,
                         tensor.bytes_per_partition()),
             "choose another address, or leave it to the compiler",
             {isa::created(program_, t)}});
      }
    }
    for (std::size_t a = 0; a < manual_.size() && !allow_overlap; ++a) {
      for (std::size_t b = a + 1; b < manual_.size(); ++b)
        check_pair(manual_[a], manual_[b], found);
    }
    if (!found.empty()) throw base::InputError(std::move(found));
  }

  void check_pair(TensorId a, TensorId b, std::vector<base::Violation>& found) const {
    const Tensor& x = program_.tensors[a];
    const Tensor& y = program_.tensors[b];
    const bool same_bytes = x.address < y.address + y.bytes_per_partition() &&
                            y.address < x.address + x.bytes_per_partition();
    const bool same_partitions = x.partition_start < y.partition_start + y.partitions() &&
                                 y.partition_start < x.partition_start + x.partitions();
    if (!same_bytes || !same_partitions || !lives_[a].meets(lives_[b])) return;
    found.push_back(
        {"memory.overlap",
         "tensors that are live at the same time do not share bytes",
         program_.describe_location(y.location),
         fmt::format("'{}' at [{}, {}) and '{}' at [{}, {}), created at {}", y.name, y.address,
                     y.address + y.bytes_per_partition(), x.name, x.address,
                     x.address + x.bytes_per_partition(), program_.describe_location(x.location)),
         "move one of them, or stop using one before the other is written",
         {isa::created(program_, b), isa::created(program_, a)}});
  }

  // Tighter, and slower to find.
  [[nodiscard]] bool place_packed() {
    if (automatic_.size() + manual_.size() > pieces_packed_max)
      return place_sharing(Policy::first_fit);
    if (place_all(Policy::largest_first) || place_sharing(Policy::largest_first)) return true;
    if (memory_.space != Space::sbuf) return false;
    const PartitionGroups groups = partition_groups(program_, core_);
    const bool few = automatic_.size() + manual_.size() <= pieces_varied_max;
    for (unsigned variant = 0; variant < (few ? variants : 1); ++variant) {
      if (place_all(Policy::side_by_side, &groups, variant)) return true;
    }
    return false;
  }

  // Several tensors in a bank.
  [[nodiscard]] bool place_sharing(Policy policy) {
    if (memory_.shared_alignment == 0) return false;
    const Memory alone = memory_;
    memory_.block = std::exchange(memory_.alignment, memory_.shared_alignment);
    if (place_all(policy)) return true;
    memory_ = alone;
    return false;
  }

  [[nodiscard]] bool place_all(Policy policy, const PartitionGroups* groups = nullptr,
                               unsigned variant = 0) {
    std::vector<Storage> pieces;
    pieces.reserve(manual_.size() + automatic_.size());
    for (const TensorId t : manual_) pieces.push_back(piece_of(t, groups));
    for (const TensorId t : automatic_) pieces.push_back(piece_of(t, groups));
    const PlacementLimits limits{memory_.capacity, memory_.alignment,
                                 static_cast<int>(core_.sbuf.partitions), memory_.block};
    if (const std::optional<std::size_t> failed = place(pieces, limits, policy, variant)) {
      failed_ = automatic_[*failed - manual_.size()];
      return false;
    }
    for (std::size_t k = 0; k < automatic_.size(); ++k) {
      const Storage& piece = pieces[manual_.size() + k];
      isa::Tensor& tensor = program_.tensors[automatic_[k]];
      tensor.address = piece.address;
      tensor.partition_start = static_cast<std::uint16_t>(piece.partition_start);
    }
    return true;
  }

  [[nodiscard]] Storage piece_of(TensorId t, const PartitionGroups* groups) const {
    const isa::Tensor& tensor = program_.tensors[t];
    Storage piece{lives_[t], size(t), tensor.address, tensor.manual_address};
    piece.partitions = static_cast<int>(tensor.partitions());
    piece.partition_start = tensor.partition_start;
    if (groups != nullptr) {
      piece.group = groups->group[t];
      piece.start_step = groups->step[t];
    }
    return piece;
  }

  // Whether the tensor is live where the one that found no place begins.
  [[nodiscard]] bool came_before(TensorId other) const {
    return lives_[other].meets(lives_[failed_]) &&
           (program_.tensors[other].manual_address ||
            std::pair(lives_[other].first, other) < std::pair(lives_[failed_].first, failed_));
  }

  // What was missing in the order of first use.
  [[nodiscard]] Shortage shortage() const {
    std::int64_t live = 0;
    std::string list;
    std::vector<TensorId> largest;
    for (const std::vector<TensorId>* some : {&manual_, &automatic_}) {
      for (const TensorId other : *some) {
        if (other != failed_ && came_before(other)) largest.push_back(other);
      }
    }
    std::stable_sort(largest.begin(), largest.end(),
                     [&](TensorId a, TensorId b) { return size(a) > size(b); });
    std::vector<base::Side> sides{isa::created(program_, failed_)};
    for (const TensorId other : largest) live += size(other);
    for (std::size_t i = 0; i < std::min<std::size_t>(largest.size(), 5); ++i) {
      const Tensor& tensor = program_.tensors[largest[i]];
      list += fmt::format("{}'{}' ({} bytes, {})", i == 0 ? "" : "; ", tensor.name,
                          size(largest[i]), program_.describe_location(tensor.location));
      sides.push_back(isa::created(program_, largest[i]));
      sides.back().role = "is live";
    }
    const Tensor& tensor = program_.tensors[failed_];
    const bool alone = largest.empty();
    const std::string needs = fmt::format("'{}' needs {} bytes", tensor.name, size(failed_));
    return Shortage{
        {std::string(memory_.label),
         fmt::format("the live tensors fit into the {} bytes that a {} partition offers",
                     memory_.capacity, name(memory_.space)),
         program_.describe_location(tensor.location),
         alone ? fmt::format("{} by itself", needs)
               : fmt::format("{} while {} are live in {} tensors, the largest: {}", needs, live,
                             largest.size(), list),
         alone ? "split the tensor into smaller tiles"
               : "use smaller tiles, or end the use of a tensor earlier",
         std::move(sides)}};
  }

  Program& program_;
  const machine::Core& core_;
  const std::vector<Lifetime>& lives_;
  Memory memory_;
  std::vector<TensorId> manual_, automatic_;
  TensorId failed_ = 0;
};

// Moves every on-chip tile by `sign` times the address of its tensor.
void move_tiles(Program& program, int sign) {
  const auto move = [&](isa::Tile& tile) {
    if (!tile.on_chip()) return;
    const Tensor& tensor = program.tensors[tile.tensor];
    tile.offset += sign * tensor.address;
    tile.partition_start =
        static_cast<std::uint16_t>(tile.partition_start + sign * tensor.partition_start);
  };
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    program.for_each_tile_mutable(i, move);
  for (isa::DynamicAddress& dynamic : program.dynamics) {
    if (dynamic.index) move(dynamic.index);
  }
}

}  // namespace

void add_addresses(Program& program) {
  move_tiles(program, 1);
  program.compiled = true;
}

void remove_addresses(Program& program) {
  move_tiles(program, -1);
  program.compiled = false;
}

std::optional<Shortage> allocate(Program& program, const machine::Core& core, bool allow_overlap) {
  const std::vector<Lifetime> lives = lifetimes(program);
  // Public kernels place SBUF tensors at multiples of their element size (the allocator of
  // nki-library), and PSUM tensors at banks, as the NKI migration guide asks.
  const std::int64_t bank = core.psum.bank_size.value;
  const Memory memories[] = {
      {Space::sbuf, "sbuf.capacity", core.sbuf.usable().value, core.sbuf.alignment.value, 1, 0},
      {Space::psum, "psum.capacity", core.psum.partition_size().value, bank, bank,
       core.sbuf.alignment.value}};
  for (const Memory& memory : memories) {
    if (auto missing = Allocator(program, core, lives, memory).run(allow_overlap)) return missing;
  }
  add_addresses(program);
  return std::nullopt;
}

}  // namespace trainyard::compiler
