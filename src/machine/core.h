// One NeuronCore as data: every size, rate and time that an instruction or an engine model reads.
// Filled from machines/*.toml by load(); immutable afterwards. Plain members, so that reading one
// costs nothing at run time.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "base/units.h"
#include "machine/dma.h"
#include "machine/engine.h"
#include "machine/generation.h"
#include "machine/memory.h"
#include "machine/pe_array.h"
#include "machine/policy.h"
#include "machine/rates.h"

namespace trainyard::machine {

// Counters between engines, and how long their news takes.
struct Semaphores {
  std::int64_t count = 0;
  std::int64_t bits = 0;
  std::int64_t events = 0;
  base::Ticks engine_to_engine;  // end of an instruction until a waiting engine starts
};

struct Core {
  Generation generation = Generation::gen4;
  Features features;
  EngineTimes tensor, vector, scalar, gpsimd, sync;
  PeArray array;
  Throttle throttle;
  VectorRates vector_rates;
  ScalarRates scalar_rates;
  GpsimdRates gpsimd_rates;
  Sbuf sbuf;
  Psum psum;
  AccessLimits access;
  Semaphores semaphores;
  std::int64_t registers = 0;  // 32 bit, per sequencer
  std::int64_t register_bits = 0;
  std::int64_t instruction_bytes = 0;  // as fetched; 0: the fetch never stalls
  Dma dma;
  Policy policy;

  [[nodiscard]] const EngineTimes& engine(EngineKind kind) const {
    switch (kind) {
      case EngineKind::tensor: return tensor;
      case EngineKind::vector: return vector;
      case EngineKind::scalar: return scalar;
      case EngineKind::gpsimd: return gpsimd;
      case EngineKind::sync: return sync;
      case EngineKind::any: break;
    }
    base::fail("unknown engine");
  }
};

}  // namespace trainyard::machine
