// The tensor engine's array: its size, what each mode costs, and the throttle of its clock.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "machine/quantity.h"

namespace trainyard::machine {

struct PeArray {
  std::int64_t rows = 0;     // contraction: partitions of stationary and moving
  std::int64_t columns = 0;  // output partitions
  std::int64_t tile_rows_min =
      0;  // smallest row tile; tiles at multiples of their size run side by side
  std::int64_t tile_columns_min = 0;
  std::int64_t stationary_free_max = 0;
  std::int64_t moving_free_max_fp32 = 0;  // what one instruction accepts, by PSUM element size
  std::int64_t moving_free_max_bf16 = 0;
  std::int64_t accumulation_groups = 0;  // outstanding, one per PSUM bank

  // Multiply-accumulates per processing element and cycle.
  Rate macs_bf16;  // BF16, FP16, TF32, FP8 without double row, mixed
  Rate macs_fp32;
  Rate macs_fp32_onezero;
  Rate macs_fp32_transpose;
  Rate macs_double_row;
  Rate macs_mx;
  Rate macs_sparse;
  std::int64_t fp32_passes = 0;  // LoadStationary + MultiplyMoving pairs of one FP32 tile
  std::int64_t fp32_transpose_passes = 0;

  base::Cycles
      matmul_overhead;  // cycles between one MultiplyMoving and the next, above the columns moved
  base::Cycles mx_overhead;  // besides, of an MX MultiplyMoving
  Rate load_stationary;      // stationary columns loaded per cycle
  Rate load_stationary_fp32;
  base::Cycles load_stationary_overhead;
  base::Cycles load_stationary_latency;  // fill until the array may use it
  base::Cycles fill;   // of a result, besides its move: the part that the clock limit leaves alone
  base::Cycles drain;  // the part that the clock limit slows down
  bool load_in_background = false;  // the next LoadStationary overlaps the running MultiplyMoving
  Rate transpose_chain;             // speed-up of a chain of transposes in the background window

  [[nodiscard]] bool transposes_go_beside_products() const {
    return transpose_chain.elements > transpose_chain.cycles;
  }
};

// The clock limit against current steps: full/denominator when busy, low/denominator after idling.
struct Throttle {
  bool enabled = false;
  bool starts_low = false;
  base::Ticks window;    // the activity is judged window by window
  std::int64_t low = 0;  // of `denominator` cycles
  std::int64_t full = 0;
  std::int64_t denominator = 0;
  Fraction threshold;                // busy share of a window below which the limit falls
  std::int64_t windows_to_rise = 0;  // consecutive busy windows before the limit is lifted
  std::int64_t windows_to_fall = 0;
  base::Ticks phase;     // how far into a window a run begins
  bool thermal = false;  // TDP-driven limits: no numbers are public
};

}  // namespace trainyard::machine
