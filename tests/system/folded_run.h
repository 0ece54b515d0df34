// Runs a program with folded turns and turn by turn, and compares all that is told of both.
#pragma once

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "../compiler/kernel.h"
#include "compiler/compiler.h"
#include "engines/core_state.h"
#include "isa/instructions/nc_matmul.h"
#include "system/run.h"

namespace trainyard::system {

using compiler::Kernel;
using compiler::trn3;
using isa::Engine;
using isa::Space;
using isa::Tile;
using numerics::DType;

struct Told {
  RunResult result;
  trace::Summary summary;
};

inline Told timed(const isa::Program& program, const machine::Machine& machine, bool folds) {
  state::Core core(engines::sizes_of(machine.core), engines::make_stack(machine));
  const std::vector<std::int64_t> nowhere(program.tensors.size(), 0);
  isa::Execution execution{
      .core = core, .program = program, .hbm_base = nowhere, .machine = machine.core};
  trace::Recorder recorder(tracks(program, machine), program.instructions.size(),
                           trace::Detail::summary);
  RunResult result = run(program, machine, execution,
                         {.values = false, .recorder = &recorder, .folds_loops = folds});
  return {std::move(result), recorder.summary()};
}

// Both ways; returns how many turns were folded.
inline std::int64_t expect_same(const isa::Program& program, const machine::Machine& machine) {
  const Told all = timed(program, machine, false), folded = timed(program, machine, true);
  EXPECT_EQ(all.result.turns_folded, 0);
  EXPECT_EQ(folded.result.time, all.result.time);
  EXPECT_EQ(folded.result.events, all.result.events);
  EXPECT_EQ(folded.result.dma_active, all.result.dma_active);
  EXPECT_EQ(folded.result.dma_engine_busy, all.result.dma_engine_busy);
  EXPECT_EQ(folded.result.hbm_busy, all.result.hbm_busy);
  EXPECT_EQ(folded.result.throttled, all.result.throttled);
  EXPECT_EQ(folded.result.activity, all.result.activity);
  for (std::size_t e = 0; e < all.result.engines.size(); ++e)
    EXPECT_EQ(folded.result.engines[e].reasons, all.result.engines[e].reasons) << e;
  EXPECT_TRUE(folded.summary == all.summary);
  EXPECT_EQ(time(program, machine).time, all.result.time) << "without a recorder";
  return folded.result.turns_folded;
}

inline isa::Program compiled(Kernel kernel, const machine::Machine& machine,
                             compiler::Order order = compiler::Order::author) {
  return compiler::compile(std::move(kernel.program), machine.core, {.order = order});
}

inline Tile in_hbm(Kernel& k, std::int64_t columns, isa::TensorRole role = isa::TensorRole::input) {
  return k.tensor(Space::hbm, {128, columns}, DType::bfloat16, role);
}
inline Tile on_chip(Kernel& k, std::int64_t columns) {
  return k.tensor(Space::sbuf, {128, columns}, DType::bfloat16);
}
// Column block `counter` of a tensor in HBM.
inline Tile block(Kernel& k, Tile tile, int counter, std::int32_t columns) {
  k.program.dynamics.push_back({.reg = {static_cast<std::uint8_t>(counter)}, .stride = columns});
  tile.dynamic = static_cast<std::uint32_t>(k.program.dynamics.size());
  tile.dims[1].count = columns;
  return tile;
}
inline void multiply(Kernel& k, const Tile& dst, const Tile& stationary, const Tile& moving) {
  k.program.append(isa::NcMatmul{.dst = dst, .stationary = stationary, .moving = moving});
}

}  // namespace trainyard::system
