// The DMA engines of a core, their rings and packets, and who generates descriptors at what cost.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "machine/quantity.h"

namespace trainyard::machine {

// Of descriptors made in one way: static (host), hardware (Sync or Scalar commands a DGE block) or
// software (GpSimd).
struct DescriptorCosts {
  base::Ticks trigger_latency;  // end of the trigger instruction to the first byte moved
  base::Ticks spread;           // between the first bytes of the first and the last DMA engine
  base::Ticks issue_interval;   // least time between starts of two transfers from the same source
  base::Ticks packet_overhead;  // of every packet on its engine, besides its bytes
  base::Ticks packet_min;       // least time of a packet
};

struct Dma {
  // Programs name their rings by these numbers, so that a machine has at least so many.
  static constexpr std::int64_t rings_named = 16;
  static constexpr std::int64_t engines_max = 16;  // of a core

  std::int64_t engines = 0;
  std::int64_t rings_per_engine = 0;
  std::int64_t descriptors_per_packet = 0;
  std::int64_t descriptor_dimensions = 0;
  std::int64_t sources_max = 0;  // of a compute operation
  std::int64_t priorities = 0;   // 0 is the highest; 1: round robin at packet boundaries
  // Packets that a ring of each priority moves in its turn where policy.dma_arbitration is
  // weighted.
  std::int64_t class_share_0 = 0, class_share_1 = 0, class_share_2 = 0, class_share_3 = 0;
  // What a ring of hardware descriptors holds before its issuer waits.
  std::int64_t ring_stores = 0;  // transfers into HBM
  std::int64_t ring_depth = 0;   // descriptors, for each engine
  base::Bytes packet_static;     // default packet of a static transfer
  base::Bytes packet_collective;
  base::Bytes descriptor_size;            // read from HBM by static rings
  base::Bytes software_descriptor_space;  // SBUF scratch per partition
  Bandwidth link;                         // of one engine
  Bandwidth achieved;                     // of one engine on long rows, as the maker advises
  Bandwidth packet_rate;                  // of one engine while it moves the bytes of a packet
  base::Bytes slow_start;                 // of every piece, these first bytes move slower
  Bandwidth slow_start_rate;
  base::Ticks packet_latency;         // of a packet, beyond its turn on the engine
  Fraction transpose_efficiency_hbm;  // of the copy rate
  Fraction transpose_efficiency_sbuf;
  Fraction compute_efficiency;  // read-modify-write
  DescriptorCosts fixed, hardware, software;
  // What GpSimd spends on descriptors before it issues a trigger: from a standing start, and behind
  // another trigger.
  base::Ticks software_prepare;
  base::Ticks software_prepare_next;
  std::int64_t dge_blocks = 0;
  base::Ticks completion;                // last byte written to the waiting instruction's start
  std::int64_t semaphore_increment = 0;  // by each engine of a transfer, idle ones too
  base::Bytes semaphore_write;
  Bandwidth gpsimd_bandwidth;            // GpSimd's own DMA, all processors and both directions
  std::int64_t gpsimd_elements_max = 0;  // of a partition in one sendrecv over it

  // Of all engines together.
  [[nodiscard]] Bandwidth links() const { return {link.bytes_per_second * engines}; }
  // How long they move bytes of which each has an even share, whatever the pieces.
  [[nodiscard]] base::Ticks even_shares(base::Bytes bytes) const {
    return packet_rate({base::ceil_div(bytes.value, engines)});
  }
};

}  // namespace trainyard::machine
