// What a run did, counted: arithmetic by format, bytes by memory, and the least time each unit
// would have needed for its share. From the program and how often each instruction ran; not from
// time.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/units.h"
#include "economics/activity.h"
#include "isa/core/program.h"
#include "isa/cost/transfer.h"
#include "machine/machine.h"
#include "trace/summary.h"

namespace trainyard::report {

// Formats that the tensor engine runs at one rate.
enum class MacRate : std::uint8_t { fp32, bf16, fp8, mx };
inline constexpr std::array<MacRate, 4> mac_rates = {MacRate::fp32, MacRate::bf16, MacRate::fp8,
                                                     MacRate::mx};
[[nodiscard]] std::string_view name(MacRate rate);
// Multiply-accumulates per element and cycle; FP8 runs in double rows where the machine has them.
[[nodiscard]] machine::Rate rate_of(MacRate rate, const machine::Core& core);

struct BytesMoved {
  std::int64_t read = 0;
  std::int64_t written = 0;
};

struct Work {
  economics::Activity activity;                                // what energy is computed from
  std::array<std::int64_t, isa::engine_count> instructions{};  // run, by engine
  std::array<base::Ticks, isa::engine_count> busy_min{};       // if the engine never waited
  BytesMoved hbm, sbuf, psum;
  // Bytes that any kernel with these arguments moves: of what is read of an argument, and written
  // of a result, each byte once.
  std::int64_t hbm_least = 0;
  std::int64_t dma_bytes = 0;  // moved: of each transfer the larger side
  std::int64_t dma_transfers = 0;
  std::array<bool, isa::engine_count> issues_dma{};
  // Ways in which descriptors of its transfers are made.
  std::array<bool, static_cast<std::size_t>(isa::DescriptorMaker::collective) + 1> descriptors{};
  bool transposes_dma = false;
  std::int64_t control_instructions = 0;
  bool uses_run_time_addresses = false;

  [[nodiscard]] std::int64_t macs(MacRate rate) const;
  [[nodiscard]] std::int64_t flops() const;  // of the tensor engine; a multiply-accumulate is two
  // The least time in which the tensor engine can do its multiply-accumulates.
  [[nodiscard]] base::Ticks mac_ticks_min(const machine::Core& core) const;
};

// `summary` is of a run of `program` on a core like `core`.
[[nodiscard]] Work work_of(const isa::Program& program, const trace::Summary& summary,
                           const machine::Core& core);

}  // namespace trainyard::report
