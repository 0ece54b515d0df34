// SBUF, PSUM and HBM as sizes, ports and rates; and the limits of the access patterns that address
// them.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "machine/quantity.h"

namespace trainyard::machine {

struct Sbuf {
  std::int64_t partitions = 0;
  base::Bytes partition_size;
  base::Bytes partition_stride;  // in the linear address space a DMA sees
  base::Bytes reserved;          // per partition, not available to programs
  base::Bytes alignment;         // of an allocation
  std::int64_t quadrant = 0;     // partitions that move together: starts are multiples of it
  std::int64_t banks = 0;        // 1: free of conflicts
  base::Bytes port_width;        // per partition and cycle of one engine interface at 1x
  bool vector_gpsimd_exclusive = false;   // v2: the two never access SBUF at once
  bool vector_gpsimd_shared_bus = false;  // v3+: they alternate while Vector is in a perf mode
  Rate dma_share;                         // slots a DMA gets when it meets an engine at a bank

  [[nodiscard]] constexpr base::Bytes usable() const { return partition_size - reserved; }
};

struct Psum {
  std::int64_t partitions = 0;
  std::int64_t banks = 0;
  base::Bytes bank_size;  // per partition
  base::Bytes alignment;
  std::int64_t banks_dma_transpose =
      0;  // usable while DMA transposes are lowered to the tensor engine
  bool vector_scalar_exclusive = false;  // v2: the two never access PSUM at once
  Rate same_bank_rate;                   // of an engine reading the bank the tensor engine writes
  base::Cycles
      conflict_penalty;  // what the second accessor of a bank waits, besides the first's access

  [[nodiscard]] constexpr base::Bytes partition_size() const { return bank_size * banks; }
};

struct Hbm {
  std::int64_t stacks = 0;
  base::Bytes stack_size;
  std::int64_t cores_per_stack = 0;
  Bandwidth bandwidth_peak;          // of the chip
  Bandwidth bandwidth;               // of the chip, sustained: what the model uses
  std::int64_t channels = 0;         // per stack
  std::int64_t pseudo_channels = 0;  // per channel
  base::Bytes interleave;
  base::Ticks read_latency;  // added to a transfer that reads HBM, over one that reads SBUF
  base::Bytes read_ahead;    // of a load: its first bytes move when all of these are there
  base::Ticks write_latency;
  base::Bytes reserved_per_core;  // microcode
  base::Bytes scratchpad_page;
  base::Bytes write_granule;     // a smaller write takes the time of one of this size
  base::Bytes efficient_packet;  // smaller packets lose efficiency
  base::Bytes address_window;    // of one stack in the device address map
};

// What an access pattern may say.
struct AccessLimits {
  std::int64_t dimensions = 0;         // free dimensions in hardware
  std::int64_t size_max = 0;           // a dimension's size
  std::int64_t stride_max = 0;         // magnitude, in elements
  std::int64_t sbuf_elements_max = 0;  // free elements of one instruction
  std::int64_t psum_elements_max = 0;
  std::int64_t indirect_group = 0;  // partitions that hold the indices of one vector, interleaved
  std::int64_t indirect_group_tensor = 0;
  std::int64_t max8_elements_min = 0;
  std::int64_t max8_elements_max = 0;
  std::int64_t bn_stats_elements_max = 0;
};

}  // namespace trainyard::machine
