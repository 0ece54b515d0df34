// What a run of a tensor program works on.
#pragma once

#include <vector>

#include "runtime/device.h"
#include "session/array.h"

namespace trainyard::session {

struct Arguments {
  std::vector<ArrayRef> arrays{};     // of the types of main's arguments; none without values
  std::vector<bool> may_overwrite{};  // of which of them the memory is given away; empty: of none
  runtime::DeviceRef device{};        // of the program's machine, where it runs; null: its own
};

}  // namespace trainyard::session
