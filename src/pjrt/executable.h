// The two handles of a compiled program: as compiled, and loaded onto devices of a client.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "pjrt/client.h"
#include "pjrt/compiled.h"

namespace trainyard::pjrt {

struct Executable {
  std::shared_ptr<const Compiled> compiled;
};

struct LoadedExecutable {
  LoadedExecutable(Client& client, std::shared_ptr<const Compiled> compiled);

  Client& client;
  std::shared_ptr<const Compiled> compiled;
  std::vector<Device*> all;       // by partition or replica
  std::vector<std::size_t> mine;  // of these, the places of those that this process addresses
  std::vector<Device*> devices;   // these
  std::vector<LogicalDeviceIds> logical_ids;
  std::atomic<bool> is_deleted = false;
};

}  // namespace trainyard::pjrt
