// A machine, a core with memory and small helpers to write programs by hand.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engines/core_state.h"
#include "hbm_tensors.h"
#include "isa/core/program.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/tensor_copy.h"
#include "isa/instructions/tensor_tensor.h"
#include "isa/semantics/execution.h"
#include "machine/machine.h"

namespace trainyard::engines {

inline const machine::Machine& trn3() {
  static const machine::Machine machine =
      machine::load(std::string(TRAINYARD_SOURCE_DIR) + "/machines/trn3.toml");
  return machine;
}

// A core of `machine` with the tensors of `program` in its memory.
struct Bench {
  explicit Bench(const isa::Program& p, const machine::Machine& m = trn3())
      : program(p),
        core(sizes_of(m.core), make_stack(m)),
        hbm_base(place_tensors(p, *core.hbm)),
        execution{.core = core, .program = program, .hbm_base = hbm_base, .machine = m.core} {}

  const isa::Program& program;
  state::Core core;
  std::vector<std::int64_t> hbm_base;
  isa::Execution execution;
};

// Writes programs: tensors are placed one after the other, tiles have absolute addresses.
struct Author {
  isa::Program program;
  std::int64_t next_sbuf = 0;

  isa::TensorId hbm(std::int64_t rows, std::int64_t columns, isa::TensorRole role,
                    isa::DType dtype = isa::DType::float32) {
    return add(isa::Space::hbm, rows, columns, dtype, role, -1);
  }
  isa::TensorId sbuf(std::int64_t partitions, std::int64_t columns,
                     isa::DType dtype = isa::DType::float32) {
    const std::int64_t address = next_sbuf;
    next_sbuf += columns * numerics::size_in_bytes(dtype);
    return add(isa::Space::sbuf, partitions, columns, dtype, isa::TensorRole::internal, address);
  }
  isa::TensorId add(isa::Space space, std::int64_t rows, std::int64_t columns, isa::DType dtype,
                    isa::TensorRole role, std::int64_t address) {
    isa::Tensor tensor;
    tensor.name = "t" + std::to_string(program.tensors.size());
    tensor.shape = {rows, columns};
    tensor.dtype = dtype;
    tensor.space = space;
    tensor.role = role;
    tensor.address = address;
    program.tensors.push_back(tensor);
    return static_cast<isa::TensorId>(program.tensors.size() - 1);
  }
  // All of a tensor. On-chip addresses are absolute.
  [[nodiscard]] isa::Tile all(isa::TensorId id) const {
    const isa::Tensor& tensor = program.tensors[id];
    const auto rows = static_cast<std::int32_t>(tensor.shape[0]);
    const auto columns = static_cast<std::int32_t>(tensor.shape[1]);
    isa::Tile tile{.space = tensor.space, .dtype = tensor.dtype, .tensor = id};
    if (tensor.space == isa::Space::hbm) {
      tile.rank = 2;
      tile.dims[0] = {columns, rows};
      tile.dims[1] = {1, columns};
    } else {
      tile.rank = 1;
      tile.partitions = static_cast<std::uint16_t>(rows);
      tile.offset = tensor.address;
      tile.dims[0] = {1, columns};
    }
    return tile;
  }
  // Puts instruction `i` at the end of a stream.
  isa::StreamItem& schedule(isa::Engine engine, std::uint32_t i, std::vector<isa::Wait> waits = {},
                            std::vector<isa::Signal> signals = {}) {
    isa::StreamItem item{.instruction = i,
                         .first_wait = static_cast<std::uint32_t>(program.waits.size()),
                         .first_signal = static_cast<std::uint32_t>(program.signals.size()),
                         .wait_count = static_cast<std::uint16_t>(waits.size()),
                         .signal_count = static_cast<std::uint16_t>(signals.size())};
    for (const isa::Wait& w : waits) {
      program.waits.push_back(w);
      program.semaphore_count = std::max<std::uint16_t>(
          program.semaphore_count, static_cast<std::uint16_t>(w.semaphore + 1));
    }
    for (const isa::Signal& s : signals) {
      program.signals.push_back(s);
      program.semaphore_count = std::max<std::uint16_t>(
          program.semaphore_count, static_cast<std::uint16_t>(s.semaphore + 1));
    }
    program.instructions[i].engine = engine;
    program.streams[static_cast<std::size_t>(engine)].push_back(item);
    return program.streams[static_cast<std::size_t>(engine)].back();
  }
};

}  // namespace trainyard::engines
