// What surrounds the cores: the chip, its power and energy, the links, collectives and the host.
// The topology of sleds and racks is not here.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "machine/memory.h"
#include "machine/quantity.h"

namespace trainyard::machine {

// Energy per operation and byte; multiplied with activity by economics/.
struct EnergyTable {
  Energy mac_fp32, mac_bf16, mac_fp8, mac_mx,
      mac_transpose;  // per multiply-accumulate of the tensor engine
  Energy vector_operation, scalar_operation, gpsimd_operation;  // per element
  Energy sbuf_byte, psum_byte, hbm_byte, dma_byte, link_byte, host_byte;
  Energy instruction;  // fetch, decode and issue
  Power core_static;   // leakage and clocks of one core
  Power chip_static;   // HBM refresh, links and the rest of the package
};

struct PowerLimits {
  Power tdp;     // of the chip
  Power all_in;  // provisioned utility power a chip: hosts, network, cooling and losses included
  bool dvfs = false;
};

struct Headline {  // as printed by the maker, to be compared with the derived figures
  Teraflops chip_mx, chip_bf16, chip_fp32, chip_sparse;
  Teraflops core_mx, core_fp8, core_bf16, core_fp32, core_vector;
  Bandwidth links;  // chip to chip
  Bandwidth dma;    // of the chip
};

struct Chip {
  std::int64_t cores = 0;
  std::int64_t cores_per_logical = 0;  // LNC default
  std::int64_t dies = 0;
  std::int64_t dma_engines_host = 0;
  std::int64_t cc_cores_physical = 0;
  std::int64_t cc_cores = 0;  // usable
  Hbm hbm;
  Headline headline;
  EnergyTable energy;
  PowerLimits power;
};

struct Fabric {
  std::int64_t links_sled = 0, links_rack = 0, links_twin = 0;  // x8 links of one chip by level
  Bandwidth link;                                               // one link, one direction
  base::Ticks switch_latency;                                   // one traversal
  std::int64_t switch_ports_sled = 0, switch_ports_rack = 0;
  base::Ticks hop_latency;             // chip to chip in a ring, collective included
  Bandwidth efa;                       // scale-out, one chip
  base::Ticks efa_latency;             // HBM to HBM across servers
  bool fat_tree_non_blocking = false;  // UltraCluster

  // Whether a NeuronSwitch joins the chips.
  [[nodiscard]] bool is_switched() const { return switch_ports_sled > 0; }
};

struct Collective {
  base::Ticks start;     // from the last rank's trigger to the first step
  base::Ticks step;      // CC-core, DMA and semaphore of one step
  base::Bytes mesh_max;  // messages up to this size use the mesh
  base::Bytes rdh_max;   // then recursive halving up to this size, then rings
  std::int64_t streams_max = 0;
  std::int64_t channels_max = 0;
  base::Ticks core_barrier;  // between the two cores of a logical core
  base::Ticks remote_semaphore;
};

struct Host {
  Bandwidth pcie;
  base::Ticks pcie_latency;
  base::Ticks launch_first;  // first execution of a program
  base::Ticks launch;        // each further one
  base::Ticks fp8_reconfiguration;
};

}  // namespace trainyard::machine
