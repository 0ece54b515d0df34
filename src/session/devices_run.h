// What a run of a program on several devices tells, with values or without.
#pragma once

#include <cstdint>
#include <string>

#include "plan/account.h"
#include "plan/execute.h"
#include "plan/memory.h"
#include "session/executable.h"

namespace trainyard::session {

struct DevicesRun {
  std::string name{};
  std::size_t devices = 0;
  bool is_estimate = false;  // nothing ran: cost_analysis() asked
  Spent spent{};             // of all devices
  const plan::Timeline& timeline;
  plan::TimeAccount account{};
  // Of a device: arguments and results, what lies between bodies, and what collectives brought
  // before their turn at most.
  std::int64_t outside_bytes = 0, hbm_bytes = 0;
  const plan::HighWater& between;
};

}  // namespace trainyard::session
