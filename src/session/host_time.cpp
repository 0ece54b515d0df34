#include "session/host_time.h"

namespace trainyard::session {

HostTime host_time(const HostWork& work, const machine::Host& host) {
  const std::int64_t again = work.launches - work.programs;
  return {.launches = {work.programs * host.launch_first.value + again * host.launch.value},
          .copies = {work.copies * host.pcie_latency.value + host.pcie({work.bytes}).value}};
}

}  // namespace trainyard::session
