// The same transfers packet by packet: every resource serves the transfers that use it in turn, and
// a transfer has a limited number of packets under way (credits). Slow, and of another kind than
// fabric/sharing.h: it is there to check the shared rates.
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/problem.h"

namespace trainyard::fabric {

struct PacketOptions {
  double packet = 4096;        // bytes; the smallest size at which HBM and DMA are efficient
  std::uint32_t credits = 32;  // packets under way, by transfer
  // Packets, and the credits that come back for them, take the latency of the path.
  bool has_latency = false;
};

// When each transfer of a problem's first phase has arrived, if all begin at zero.
[[nodiscard]] std::vector<base::Ticks> packet_times(const Problem& problem,
                                                    const PacketOptions& options = {});

}  // namespace trainyard::fabric
