// What instructions do, counted: multiply-accumulates, elements, bytes. Time does not depend on it.
#pragma once

#include <array>
#include <cstdint>

#include "base/state_visitor.h"
#include "isa/core/program.h"

namespace trainyard::engines {

// Of one run of an instruction.
struct Work {
  isa::Activity activity{};
  std::int64_t sbuf_bytes = 0, psum_bytes = 0, hbm_read_bytes = 0, hbm_written_bytes = 0;
  std::int64_t dma_bytes = 0;
  std::int64_t transfers = 0;  // 1, or 0

  // Bytes that it reads or writes.
  void add(isa::Space space, std::int64_t bytes, isa::Access access) {
    const bool reads = isa::reads(access), writes = isa::writes(access);
    const std::int64_t moved = bytes * ((reads ? 1 : 0) + (writes ? 1 : 0));
    if (space == isa::Space::sbuf) sbuf_bytes += moved;
    if (space == isa::Space::psum) psum_bytes += moved;
    if (space == isa::Space::hbm && reads) hbm_read_bytes += bytes;
    if (space == isa::Space::hbm && writes) hbm_written_bytes += bytes;
    if (transfers > 0 && writes) dma_bytes += bytes;
  }
};
[[nodiscard]] inline Work work_without_bytes(const isa::InstructionInfo& info, const void* record) {
  return {.activity = info.activity(record), .transfers = info.kind == isa::Kind::dma ? 1 : 0};
}

// Of a run of a program.
struct WorkTotals {
  std::array<std::int64_t, numerics::dtype_count> macs{};  // by format of the multipliers
  std::array<std::int64_t, isa::engine_count> elements{};  // by engine
  std::int64_t sbuf_bytes = 0, psum_bytes = 0, hbm_read_bytes = 0, hbm_written_bytes = 0;
  std::int64_t dma_bytes = 0;
  std::int64_t instructions = 0, transfers = 0;

  void add(isa::Engine engine, const Work& work) {
    macs[static_cast<std::size_t>(work.activity.mac_format)] += work.activity.macs;
    elements[static_cast<std::size_t>(engine)] += work.activity.elements;
    sbuf_bytes += work.sbuf_bytes;
    psum_bytes += work.psum_bytes;
    hbm_read_bytes += work.hbm_read_bytes;
    hbm_written_bytes += work.hbm_written_bytes;
    dma_bytes += work.dma_bytes;
    transfers += work.transfers;
    ++instructions;
  }
  void show(base::StateVisitor& visitor);
};

}  // namespace trainyard::engines
