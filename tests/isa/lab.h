// A core to execute single instructions on: tiles with addresses, filled and read element by
// element through this file's own address arithmetic and the one-value conversions, never through
// the code under test.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "isa/rules/validate.h"
#include "isa/semantics/execution.h"
#include "machine/machine.h"
#include "numerics/convert.h"

namespace trainyard::isa {

class Lab {
 public:
  explicit Lab(const char* machine_name = "trn3")
      : machine(machine::load(machine_name)),
        core({.partitions = static_cast<int>(machine.core.sbuf.partitions),
              .sbuf_bytes_per_partition = machine.core.sbuf.partition_size.value,
              .psum_bytes_per_partition = machine.core.psum.partition_size().value,
              .registers_per_engine = 1},
             std::make_shared<state::Hbm>(1 << 20)),
        execution{.core = core, .program = program, .hbm_base = {}, .machine = machine.core} {
    program.compiled = true;
  }

  machine::Machine machine;
  Program program;
  state::Core core;
  Execution execution;

  // A tile of its own memory. `dims` are [step, count], slowest first.
  Tile strided(Space space, DType dtype, int partitions, std::vector<Dim> dims, int start = 0) {
    Tile tile{.space = space,
              .dtype = dtype,
              .rank = static_cast<std::uint8_t>(dims.size()),
              .partition_start = static_cast<std::uint16_t>(start),
              .partitions = static_cast<std::uint16_t>(partitions)};
    std::copy(dims.begin(), dims.end(), tile.dims.begin());
    std::int64_t& next = space == Space::psum ? next_psum_ : next_sbuf_;
    tile.offset = next - tile.low_byte();
    const std::int64_t bytes = tile.high_byte() - next;
    Tensor tensor;
    tensor.name = "t" + std::to_string(program.tensors.size());
    tensor.shape = {partitions, bytes / tile.element_bytes()};
    tensor.dtype = dtype;
    tensor.space = space;
    tensor.partition_start = tile.partition_start;
    tensor.address = next;
    tile.tensor = static_cast<TensorId>(program.tensors.size());
    program.tensors.push_back(std::move(tensor));
    next += (bytes + 63) / 64 * 64;
    return tile;
  }
  Tile sbuf(DType dtype, int partitions, std::vector<int> sizes, int start = 0) {
    return strided(Space::sbuf, dtype, partitions, dense(sizes), start);
  }
  Tile psum(DType dtype, int partitions, std::vector<int> sizes, int start = 0) {
    return strided(Space::psum, dtype, partitions, dense(sizes), start);
  }

  // Element i of partition p, in pattern order.
  std::byte* at(const Tile& tile, int p, std::int64_t i) {
    std::int64_t element = 0;
    for (int d = tile.rank - 1; d >= 0; --d) {
      const Dim& dim = tile.dims[static_cast<std::size_t>(d)];
      element += i % dim.count * dim.step;
      i /= dim.count;
    }
    state::Scratchpad& memory = tile.space == Space::psum ? core.psum : core.sbuf;
    return memory.row(tile.partition_start + p) + tile.offset +
           element * numerics::size_in_bytes(tile.dtype);
  }
  std::uint32_t bits(const Tile& tile, int p, std::int64_t i) {
    std::uint32_t word = 0;
    std::memcpy(&word, at(tile, p, i),
                static_cast<std::size_t>(numerics::size_in_bytes(tile.dtype)));
    return word;
  }
  void set_bits(const Tile& tile, int p, std::int64_t i, std::uint32_t word) {
    std::memcpy(at(tile, p, i), &word,
                static_cast<std::size_t>(numerics::size_in_bytes(tile.dtype)));
  }
  float get(const Tile& tile, int p, std::int64_t i) {
    return numerics::to_float(tile.dtype, bits(tile, p, i));
  }
  void set(const Tile& tile, int p, std::int64_t i, float value) {
    set_bits(tile, p, i, numerics::from_float(tile.dtype, value));
  }
  std::vector<float> row(const Tile& tile, int p) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < tile.free_elements(); ++i) values.push_back(get(tile, p, i));
    return values;
  }
  void set_row(const Tile& tile, int p, const std::vector<float>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      set(tile, p, static_cast<std::int64_t>(i), values[i]);
  }
  // Uniform in [low, high).
  void fill(const Tile& tile, float low, float high) {
    for (int p = 0; p < tile.partitions; ++p) {
      for (std::int64_t i = 0; i < tile.free_elements(); ++i)
        set(tile, p, i, low + (high - low) * static_cast<float>(random_.uniform()));
    }
  }
  // Uniform bit patterns.
  void fill_bits(const Tile& tile) {
    for (int p = 0; p < tile.partitions; ++p) {
      for (std::int64_t i = 0; i < tile.free_elements(); ++i)
        set_bits(tile, p, i, random_.next32());
    }
  }
  base::Random& random() { return random_; }

  // Runs a legal instruction.
  template <typename Record>
  void run(const Record& record, Engine engine = Engine::any) {
    const InstructionInfo& info = info_of<Record>();
    for (const base::Violation& v : violations(info, &record, engine, program, machine.core))
      ADD_FAILURE() << base::describe(v);
    execution.engine = engine;
    info.execute(&record, execution);
  }

  // dst must hold expected(p, i), rounded once to its dtype.
  template <typename Expected>
  void expect(const Tile& dst, Expected&& expected) {
    for (int p = 0; p < dst.partitions; ++p) {
      for (std::int64_t i = 0; i < dst.free_elements(); ++i) {
        const float wanted = expected(p, i);
        ASSERT_EQ(bits(dst, p, i), numerics::from_float(dst.dtype, wanted))
            << "partition " << p << ", element " << i << ": " << get(dst, p, i) << ", wanted "
            << wanted;
      }
    }
  }

 private:
  static std::vector<Dim> dense(const std::vector<int>& sizes) {
    std::vector<Dim> dims;
    int step = 1;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      dims.insert(dims.begin(), {step, *size});
      step *= *size;
    }
    return dims;
  }

  std::int64_t next_sbuf_ = 0, next_psum_ = 0;
  base::Random random_{20260817};
};

}  // namespace trainyard::isa
