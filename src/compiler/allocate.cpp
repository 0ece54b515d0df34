#include "compiler/allocate.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "compiler/liveness.h"

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
};

enum class Policy : std::uint8_t {
  rotate,     // go round the memory, so that a place is reused as late as possible and less has to
              // wait
  first_fit,  // the lowest place, which packs tighter
};

class Allocator {
 public:
  Allocator(Program& program, const std::vector<Lifetime>& lives, const Memory& memory)
      : program_(program), lives_(lives), memory_(memory) {
    for (TensorId t = 0; t < program.tensors.size(); ++t) {
      const Tensor& tensor = program.tensors[t];
      if (tensor.space != memory.space || !lives[t].used()) continue;
      (tensor.manual_address ? manual_ : automatic_).push_back(t);
    }
    std::stable_sort(automatic_.begin(), automatic_.end(),
                     [&](TensorId a, TensorId b) { return lives[a].first < lives[b].first; });
  }

  void run(bool allow_overlap) {
    check_manual(allow_overlap);
    for (const Policy policy : {Policy::rotate, Policy::first_fit}) {
      if (place_all(policy)) return;
    }
    report_capacity();
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
             "choose another address, or leave it to the compiler"});
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
        {"memory.overlap", "tensors that are live at the same time do not share bytes",
         program_.describe_location(y.location),
         fmt::format("'{}' at [{}, {}) and '{}' at [{}, {}), created at {}", y.name, y.address,
                     y.address + y.bytes_per_partition(), x.name, x.address,
                     x.address + x.bytes_per_partition(), program_.describe_location(x.location)),
         "move one of them, or stop using one before the other is written"});
  }

  [[nodiscard]] bool place_all(Policy policy) {
    placed_ = manual_;
    std::int64_t cursor = 0;
    for (const TensorId t : automatic_) {
      const std::optional<std::int64_t> address = find(t, policy == Policy::rotate ? cursor : 0);
      if (!address) {
        failed_ = t;
        return false;
      }
      program_.tensors[t].address = *address;
      cursor = *address + size(t);
      placed_.push_back(t);
    }
    return true;
  }

  // The first free place at or after `from`, going round once.
  [[nodiscard]] std::optional<std::int64_t> find(TensorId t, std::int64_t from) {
    busy_.clear();
    std::size_t kept = 0;
    for (const TensorId other : placed_) {
      if (lives_[other].last < lives_[t].first && !program_.tensors[other].manual_address)
        continue;  // dead for good
      placed_[kept++] = other;
      if (!lives_[other].meets(lives_[t])) continue;
      const std::int64_t start = program_.tensors[other].address;
      busy_.emplace_back(start, start + size(other));
    }
    placed_.resize(kept);
    std::sort(busy_.begin(), busy_.end());
    if (const auto place = gap(size(t), from)) return place;
    return from == 0 ? std::nullopt : gap(size(t), 0);
  }

  [[nodiscard]] std::optional<std::int64_t> gap(std::int64_t wanted, std::int64_t from) const {
    std::int64_t at = base::round_up(from, memory_.alignment);
    for (const auto& [start, end] : busy_) {
      if (end <= at) continue;
      if (start - at >= wanted) break;
      at = std::max(at, base::round_up(end, memory_.alignment));
    }
    if (at + wanted > memory_.capacity) return std::nullopt;
    return at;
  }

  [[noreturn]] void report_capacity() const {
    std::int64_t live = 0;
    std::string list;
    std::vector<TensorId> largest;
    for (const TensorId other : placed_) {
      if (lives_[other].meets(lives_[failed_])) largest.push_back(other);
    }
    std::stable_sort(largest.begin(), largest.end(),
                     [&](TensorId a, TensorId b) { return size(a) > size(b); });
    for (const TensorId other : largest) live += size(other);
    for (std::size_t i = 0; i < std::min<std::size_t>(largest.size(), 5); ++i) {
      const Tensor& tensor = program_.tensors[largest[i]];
      list += fmt::format("{}'{}' ({} bytes, {})", i == 0 ? "" : "; ", tensor.name,
                          size(largest[i]), program_.describe_location(tensor.location));
    }
    const Tensor& tensor = program_.tensors[failed_];
    const bool alone = largest.empty();
    const std::string needs = fmt::format("'{}' needs {} bytes", tensor.name, size(failed_));
    throw base::InputError(
        {std::string(memory_.label),
         fmt::format("the live tensors fit into the {} bytes that a {} partition offers",
                     memory_.capacity, name(memory_.space)),
         program_.describe_location(tensor.location),
         alone ? fmt::format("{} by itself", needs)
               : fmt::format("{} while {} are live in {} tensors, the largest: {}", needs, live,
                             largest.size(), list),
         alone ? "split the tensor into smaller tiles"
               : "use smaller tiles, or end the use of a tensor earlier"});
  }

  Program& program_;
  const std::vector<Lifetime>& lives_;
  Memory memory_;
  std::vector<TensorId> manual_, automatic_, placed_;
  std::vector<std::pair<std::int64_t, std::int64_t>> busy_;
  TensorId failed_ = 0;
};

void make_absolute(Program& program) {
  const auto rewrite = [&](isa::Tile& tile) {
    if (!tile.on_chip()) return;
    const Tensor& tensor = program.tensors[tile.tensor];
    tile.offset += tensor.address;
    tile.partition_start =
        static_cast<std::uint16_t>(tile.partition_start + tensor.partition_start);
  };
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    program.for_each_tile_mutable(i, rewrite);
  for (isa::DynamicAddress& dynamic : program.dynamics) {
    if (dynamic.index) rewrite(dynamic.index);
  }
}

}  // namespace

void allocate(Program& program, const machine::Core& core, bool allow_overlap) {
  const std::vector<Lifetime> lives = lifetimes(program);
  // Public kernels place SBUF tensors at multiples of their element size (the allocator of
  // nki-library), and PSUM tensors at banks, as the NKI migration guide asks.
  const std::int64_t bank = core.psum.bank_size.value;
  Allocator(program, lives,
            {Space::sbuf, "sbuf.capacity", core.sbuf.usable().value, core.sbuf.alignment.value, 1})
      .run(allow_overlap);
  Allocator(program, lives,
            {Space::psum, "psum.capacity", core.psum.partition_size().value, bank, bank})
      .run(allow_overlap);
  make_absolute(program);
  program.compiled = true;
}

}  // namespace trainyard::compiler
