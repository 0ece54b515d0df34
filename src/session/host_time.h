// What the host adds to the time on a device: launches of programs, and copies over PCIe. Counted
// one after the other, apart from the device's time: a framework hides some of it.
#pragma once

#include <cstdint>

#include "base/units.h"
#include "machine/machine.h"

namespace trainyard::session {

struct HostWork {
  std::int64_t programs = 0;  // that were launched at all: each has a first launch
  std::int64_t launches = 0;  // all of them
  std::int64_t copies = 0;
  std::int64_t bytes = 0;
};

struct HostTime {
  base::Ticks launches{}, copies{};
};

[[nodiscard]] HostTime host_time(const HostWork& work, const machine::Host& host);

}  // namespace trainyard::session
