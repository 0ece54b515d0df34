// Executes single instructions of a Bench on memories of their own: every tensor gets a place, and
// values go in and out as numbers, cast exactly by the tile's dtype.
#pragma once

#include <cstring>
#include <vector>

#include "base/random.h"
#include "bench.h"
#include "isa/semantics/execution.h"

namespace trainyard::isa {

class Runner {
 public:
  // Places the tensors that the bench has now.
  explicit Runner(Bench& bench)
      : bench_(bench),
        state_(sizes(bench.core), std::make_shared<state::Hbm>(std::int64_t{1} << 30)),
        hbm_base_(bench.program.tensors.size(), -1),
        execution_{state_, bench.program, hbm_base_, bench.core} {
    std::int64_t sbuf = 64, psum = 0;
    for (std::size_t t = 0; t < bench.program.tensors.size(); ++t) {
      Tensor& tensor = bench.program.tensors[t];
      if (tensor.space == Space::hbm) hbm_base_[t] = state_.hbm->allocate(tensor.bytes());
      std::int64_t& next = tensor.space == Space::psum ? psum : sbuf;
      if (tensor.space != Space::hbm) {
        tensor.address = next;
        next = base::round_up(next + tensor.bytes_per_partition(), 2048);
      }
    }
    for (DynamicAddress& how : bench.program.dynamics) make_absolute(how.index);
    bench.program.compiled = true;  // as far as addresses go
  }

  Execution& execution() { return execution_; }
  state::Core& state() { return state_; }

  // Values in element order, partitions first.
  void write(Tile tile, const std::vector<float>& values) {
    make_absolute(tile);
    tile.dynamic = 0;
    const auto n = static_cast<std::size_t>(tile.free_elements());
    std::vector<std::byte> row(n * static_cast<std::size_t>(tile.element_bytes()));
    for (std::size_t p = 0; p * n < values.size(); ++p) {
      numerics::narrow(tile.dtype, values.data() + p * n, row.data(), n);
      store_bits(tile, execution_, static_cast<int>(p), row.data());
    }
  }
  std::vector<float> read(const Tile& tile) {
    const std::vector<std::byte> raw = read_bits(tile);
    std::vector<float> values(static_cast<std::size_t>(tile.elements()));
    numerics::widen(tile.dtype, raw.data(), values.data(), values.size());
    return values;
  }
  void write_bits(Tile tile, const std::vector<std::byte>& raw) {
    make_absolute(tile);
    const auto row = static_cast<std::size_t>(tile.free_elements() * tile.element_bytes());
    for (std::size_t p = 0; p * row < raw.size(); ++p)
      store_bits(tile, execution_, static_cast<int>(p), raw.data() + p * row);
  }
  std::vector<std::byte> read_bits(Tile tile) {
    make_absolute(tile);
    std::vector<std::byte> raw(static_cast<std::size_t>(tile.bytes()));
    const auto row = static_cast<std::size_t>(tile.free_elements() * tile.element_bytes());
    for (std::size_t p = 0; p * row < raw.size(); ++p)
      load_bits(tile, execution_, static_cast<int>(p), raw.data() + p * row);
    return raw;
  }

  template <typename Record>
  void run(const Record& record, Engine engine = Engine::any) {
    run(info_of<Record>(), &record, engine);
  }
  void run(const InstructionInfo& what, const void* record, Engine engine) {
    alignas(16) std::byte absolute[record_bytes_max];
    alignas(16) std::byte resolved[record_bytes_max];
    std::memcpy(absolute, record, what.record_bytes);
    for (const OperandInfo& operand : what.operands)
      for_each_tile_of(operand, static_cast<void*>(absolute),
                       [&](Tile& tile) { make_absolute(tile); });
    execution_.engine = engine;
    resolve(what, absolute, engine == Engine::any ? Engine::sync : engine, execution_, resolved);
    what.execute(resolved, execution_);
  }

 private:
  static state::CoreSizes sizes(const machine::Core& core) {
    return {static_cast<int>(core.sbuf.partitions), core.sbuf.partition_size.value,
            core.psum.partition_size().value, static_cast<int>(core.registers)};
  }
  void make_absolute(Tile& tile) const {
    if (!tile.on_chip()) return;
    const Tensor& tensor = bench_.program.tensors[tile.tensor];
    tile.offset += tensor.address;
    tile.partition_start =
        static_cast<std::uint16_t>(tile.partition_start + tensor.partition_start);
  }

  Bench& bench_;
  state::Core state_;
  std::vector<std::int64_t> hbm_base_;
  Execution execution_;
};

// Small integers, which every sum of which is exact in any order.
inline std::vector<float> small_integers(std::int64_t count, std::uint64_t seed,
                                         int magnitude = 4) {
  base::Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& v : values)
    v = static_cast<float>(random.below(static_cast<std::uint64_t>(2 * magnitude + 1))) -
        static_cast<float>(magnitude);
  return values;
}

}  // namespace trainyard::isa
