#include "compiler/accumulate.h"

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "isa/region.h"

namespace trainyard::compiler {

namespace {

using isa::Accumulate;
using isa::OperandType;
using isa::Tile;

// Which bytes of one PSUM tensor were written. Equal regions, the common case, are recognised
// without looking at bytes.
class Written {
 public:
  enum class State : std::uint8_t { none, all, some };

  explicit Written(const isa::Tensor& tensor)
      : bytes_per_partition_(tensor.bytes_per_partition()), partitions_(tensor.partitions()) {}

  [[nodiscard]] State state(const isa::Region& region, const Tile& tile) {
    bool touched = false;
    for (const isa::Region& seen : regions_) {
      if (seen.dense && seen.contains(region)) return State::all;
      touched = touched || seen.overlaps(region);
    }
    return touched ? exact_state(tile) : State::none;
  }

  void mark(const isa::Region& region, const Tile& tile) {
    for (const isa::Region& seen : regions_) {
      if (seen.dense && seen.contains(region)) return;
    }
    regions_.push_back(region);
    tiles_.push_back(tile);
  }

 private:
  [[nodiscard]] State exact_state(const Tile& tile) {
    std::vector<bool> bytes(static_cast<std::size_t>(bytes_per_partition_ * partitions_));
    for (const Tile& seen : tiles_) {
      for_each_byte(seen, [&](std::size_t at) { bytes[at] = true; });
    }
    bool any = false, every = true;
    for_each_byte(tile, [&](std::size_t at) {
      any = any || bytes[at];
      every = every && bytes[at];
    });
    return every ? State::all : any ? State::some : State::none;
  }

  template <typename F>
  void for_each_byte(const Tile& tile, F&& f) const {
    const std::int64_t n = tile.free_elements();
    for (std::int64_t i = 0; i < n; ++i) {
      std::int64_t rest = i, offset = tile.offset;
      for (std::size_t d = tile.rank; d-- > 0;) {
        offset += (rest % tile.dims[d].count) * tile.dims[d].step * tile.element_bytes();
        rest /= tile.dims[d].count;
      }
      for (int p = 0; p < tile.partitions; ++p) {
        f(static_cast<std::size_t>((tile.partition_start + p) * bytes_per_partition_ + offset));
      }
    }
  }

  std::int64_t bytes_per_partition_, partitions_;
  std::vector<isa::Region> regions_;
  std::vector<Tile> tiles_;
};

Accumulate* open_flag(isa::Program& program, std::uint32_t i) {
  for (const isa::OperandInfo& operand : program.info_at(i).operands) {
    if (operand.type == OperandType::accumulate) return &operand.in<Accumulate>(program.record(i));
  }
  return nullptr;
}

}  // namespace

void resolve_accumulation(isa::Program& program) {
  std::unordered_map<isa::TensorId, Written> written;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    Accumulate* flag = open_flag(program, i);
    program.for_each_tile(i, [&](const isa::OperandInfo& operand, const Tile& tile,
                                 isa::Access access) {
      if (tile.space != isa::Space::psum || !isa::writes(access)) return;
      Written& seen = written.try_emplace(tile.tensor, program.tensors[tile.tensor]).first->second;
      const isa::Region region = isa::region_of(program, tile);
      if (flag != nullptr && *flag == Accumulate::automatic && operand.name == "dst") {
        const Written::State state = seen.state(region, tile);
        if (state == Written::State::some) {
          throw base::Fault(
              base::FaultCategory::unimplemented,
              {"accumulate.mixed", "one matmul finds its whole destination written, or none of it",
               program.place(i), fmt::format("{} is written in part", describe(tile)),
               "pass accumulate=True or False, or clear the destination with memset first"});
        }
        *flag = state == Written::State::all ? Accumulate::add : Accumulate::overwrite;
      }
      seen.mark(region, tile);
    });
  }
}

}  // namespace trainyard::compiler
