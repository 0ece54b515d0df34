#include "isa/cost/cycles.h"

#include <algorithm>

#include "machine/core.h"

namespace trainyard::isa::cost {

namespace {

using base::Cycles;
using machine::Rate;

const machine::EngineTimes& spec(Engine engine, const machine::Core& core) {
  switch (engine) {
    case Engine::tensor: return core.tensor;
    case Engine::vector: return core.vector;
    case Engine::scalar: return core.scalar;
    case Engine::gpsimd: return core.gpsimd;
    case Engine::sync: return core.sync;
    case Engine::any: break;
  }
  base::fail("a cost needs a chosen engine");
}

// A float of at most 16 bits, which the perf modes ask for (FP8 from v4 on).
bool narrow(const Tile& tile, const machine::Core& core) {
  if (!numerics::is_float(tile.dtype)) return false;
  return tile.element_bytes() == 2 ||
         (tile.element_bytes() == 1 && core.features.vector_perf_modes_fp8);
}

bool strided(const Tile& tile, const machine::Core& core) {
  return tile.inner_stride_bytes() > core.vector_rates.stride_limit_bytes;
}

Rate halved_if(bool condition, Rate rate) {
  return condition ? Rate{rate.elements, rate.cycles * 2} : rate;
}

Rate copy_rate(const machine::StreamRates& rates, const Tile& dst, const Tile& src,
               const machine::Core& core) {
  const bool psum = dst.space == Space::psum || src.space == Space::psum;
  if (!core.features.vector_perf_modes || !narrow(dst, core) || !narrow(src, core))
    return psum ? rates.wide_psum : rates.wide_sbuf;
  if (psum)
    return dst.run_elements() > 1 && src.run_elements() > 1 ? rates.narrow_psum : rates.wide_psum;
  return dst.run_elements() > 1 && src.run_elements() > 1 ? rates.narrow_sbuf
                                                          : rates.narrow_sbuf_strided;
}

// Adds an engine's fixed costs to the cycles its data path streams.
Timing with_fixed(const machine::EngineTimes& engine, Cycles stream, bool reads_psum,
                  bool writes_psum) {
  const Cycles access = reads_psum ? engine.psum_access : engine.sbuf_access;
  const Cycles occupancy = std::max(stream + engine.startup + access, engine.min_interval);
  return {occupancy,
          occupancy + engine.latency + (writes_psum ? engine.psum_write : engine.sbuf_write)};
}

}  // namespace

Timing copy(const Tile& dst, const Tile& src, Engine engine, const machine::Core& core) {
  const std::int64_t n = dst.free_elements();
  Rate rate = core.gpsimd_rates.stream;
  if (engine == Engine::vector) rate = copy_rate(core.vector_rates.copy, dst, src, core);
  if (engine == Engine::scalar) rate = copy_rate(core.scalar_rates.copy, dst, src, core);
  rate = halved_if(strided(dst, core) || strided(src, core), rate);
  return with_fixed(spec(engine, core), rate(n), src.space == Space::psum,
                    dst.space == Space::psum);
}

Timing with_numbers(Timing timing, bool columns, Engine engine, const machine::Core& core) {
  if (!columns || engine != Engine::vector) return timing;
  const Cycles extra = core.vector_rates.scalar_operand;
  return {timing.occupancy + extra, timing.latency + extra};
}

Timing pair(const Tile& dst, const Tile& a, const Tile& b, Engine engine,
            const machine::Core& core) {
  const std::int64_t n = dst.free_elements();
  const bool psum = a.space == Space::psum || b.space == Space::psum;
  const bool all_narrow = narrow(dst, core) && narrow(a, core) && narrow(b, core);
  Rate rate = core.gpsimd_rates.stream;
  if (engine == Engine::vector) {
    const machine::PairRates& rates = core.vector_rates.pair;
    rate = all_narrow ? (psum ? rates.narrow_psum : rates.narrow_sbuf)
                      : (psum ? rates.wide_psum : rates.wide_sbuf);
  }
  rate = halved_if(strided(dst, core) || strided(a, core) || strided(b, core), rate);
  return with_fixed(spec(engine, core), rate(n), psum, dst.space == Space::psum);
}

Timing activation(const Tile& dst, const Tile& src, bool reads_accumulator,
                  const machine::Core& core) {
  const std::int64_t n = dst.free_elements();
  const Rate rate =
      halved_if(strided(dst, core) || strided(src, core), core.scalar_rates.activation);
  Timing timing =
      with_fixed(core.scalar, rate(n), src.space == Space::psum, dst.space == Space::psum);
  Cycles extra = core.scalar_rates.activation_extra;
  if (reads_accumulator) extra += core.scalar_rates.read_accumulator;
  return {timing.occupancy + extra, timing.latency + extra};
}

Timing vector(const Tile& dst, const Tile& data, Rate rate, const machine::Core& core) {
  rate = halved_if(strided(dst, core) || strided(data, core), rate);
  return with_fixed(core.vector, rate(data.free_elements()), data.space == Space::psum,
                    dst.space == Space::psum);
}

Timing vector_reduce(const Tile& dst, const Tile& data, Rate rate, const machine::Core& core) {
  const Timing timing = vector(dst, data, rate, core);
  const Cycles extra = core.vector_rates.reduce_extra;
  return {timing.occupancy + extra, timing.latency + extra};
}

Timing scalar_pair(const Tile& dst, const Tile& data, const Tile& other, bool fast, bool column,
                   const machine::Core& core) {
  const machine::VectorRates& rates = core.vector_rates;
  const bool narrow_pair = data.dtype == DType::bfloat16 && other.dtype == DType::bfloat16 &&
                           data.free_elements() % 2 == 0;
  const bool psum = data.space == Space::psum || other.space == Space::psum;
  Rate rate = psum ? rates.scalar_tensor_tensor_psum : rates.scalar_tensor_tensor;
  if (fast && narrow_pair) rate = rates.scalar_tensor_tensor_narrow;
  return with_numbers(vector(dst, data, halved_if(strided(other, core), rate), core), column,
                      Engine::vector, core);
}

Timing tensor_reduce(const Tile& dst, const Tile& data, numerics::AluOp op,
                     const machine::Core& core) {
  const bool fast = dst.dtype == DType::bfloat16 && data.dtype == DType::bfloat16 &&
                    (op == numerics::AluOp::add || op == numerics::AluOp::maximum);
  return vector(dst, data, fast ? core.vector_rates.reduce_narrow : core.vector_rates.reduce, core);
}

Timing memset(const Tile& dst, bool zero, Engine engine, const machine::Core& core) {
  if (engine == Engine::gpsimd) return gpsimd(dst, dst, core.gpsimd_rates.stream, core);
  const bool fast = zero && numerics::is_float(dst.dtype) && dst.element_bytes() == 2;
  return vector(dst, dst, fast ? core.vector_rates.memset_narrow_zero : core.vector_rates.memset,
                core);
}

Timing copy_predicated(const Tile& dst, const Tile& src, const Tile& predicate,
                       const machine::Core& core) {
  const bool both_sbuf = src.space == Space::sbuf && predicate.space == Space::sbuf;
  return vector(
      dst, predicate,
      both_sbuf ? core.vector_rates.copy_predicated_sbuf : core.vector_rates.copy_predicated_mixed,
      core);
}

Timing gpsimd(const Tile& dst, const Tile& data, Rate rate, const machine::Core& core) {
  rate = halved_if(strided(dst, core) || strided(data, core), rate);
  return with_fixed(core.gpsimd, rate(data.free_elements()), false, false);
}

Timing gather(const Tile& dst, const machine::Core& core) {
  const machine::GpsimdRates& rates = core.gpsimd_rates;
  const std::int64_t n = dst.free_elements();
  const Cycles groups = rates.gather_group * base::ceil_div(n, rates.gather_group_elements);
  return with_fixed(core.gpsimd, groups + rates.gather(n), false, false);
}

// nki.isa.local_gather of tag v2.26.0, read so that longer runs are cheaper per element: the
// printed formula divides where its own advice asks to multiply.
Timing local_gather(const Tile& dst, std::int64_t indices, std::int64_t length,
                    const machine::Core& core) {
  const machine::GpsimdRates& rates = core.gpsimd_rates;
  const std::int64_t per_cycle = std::min(core.sbuf.port_width.value / dst.element_bytes(), length);
  const std::int64_t run = rates.local_gather_base + rates.local_gather_unroll * length;
  const Cycles stream{base::ceil_div(indices * run, rates.local_gather_unroll * per_cycle)};
  return with_fixed(core.gpsimd, stream, false, false);
}

Timing topk(const Tile& values, std::int64_t n, const machine::Core& core) {
  const Cycles stream = core.gpsimd_rates.topk_input(n) + Cycles{values.free_elements()};
  return with_fixed(core.gpsimd, stream, false, false);
}

Timing transpose(const Tile& dst, const Tile& data, const machine::Core& core) {
  return with_fixed(core.vector, core.vector_rates.transpose(data.free_elements()),
                    data.space == Space::psum, dst.space == Space::psum);
}

Timing quantize_mx(const Tile& src, const machine::Core& core) {
  return with_fixed(core.vector, core.vector_rates.quantize_mx(src.free_elements()), false, false);
}

namespace {

// A time of the machine file as whole cycles of the engine that spends it.
Timing held(base::Ticks time, const machine::EngineTimes& engine) {
  const Cycles cycles{base::ceil_div(time.value, engine.clock.ticks_per_cycle)};
  return {cycles, cycles};
}

}  // namespace

Timing sequencer(Engine engine, base::Ticks machine::Sequencer::*time, const machine::Core& core) {
  return held(spec(engine, core).sequencer.*time, spec(engine, core));
}

Timing drain(Engine engine, const machine::Core& core) {
  return held(spec(engine, core).sequencer.drain, spec(engine, core));
}

Passes passes(std::int64_t stationary_columns, std::int64_t moving_columns, std::int64_t depth,
              Rate macs, std::int64_t count, const machine::Core& core) {
  const machine::PeArray& array = core.array;
  const Cycles all{base::ceil_div(moving_columns * depth * macs.cycles, macs.elements)};
  // Only what moves slower than a column a cycle is FP32, whose weights load slower too.
  const bool fp32 = macs.elements < macs.cycles;
  const Rate load = fp32 ? array.load_stationary_fp32 : array.load_stationary;
  return {.count = count,
          .load = load(stationary_columns) + array.load_stationary_overhead,
          .move = {base::ceil_div(all.value, count)},
          .overhead = array.matmul_overhead,
          .loaded = stationary_columns,
          .moved = moving_columns};
}

Timing matmul(const Passes& passes, const machine::Core& core) {
  const machine::PeArray& array = core.array;
  const Cycles moving = passes.move + passes.overhead;
  const Cycles each =
      std::max({passes.load, passes.move, core.tensor.min_interval}) + passes.overhead;
  return {each * passes.count, each * (passes.count - 1) + moving + array.fill + array.drain};
}

}  // namespace trainyard::isa::cost
