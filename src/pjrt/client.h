// A client: the devices and memories of one machine, seen by one process.
#pragma once

#include <memory>
#include <vector>

#include "pjrt/memory.h"
#include "pjrt/topology.h"

namespace trainyard::pjrt {

struct Device {
  Client* client = nullptr;
  DeviceDescription* description = nullptr;
  std::unique_ptr<Memory> hbm{};
  std::unique_ptr<Memory> host{};
  std::vector<Memory*> memories{};  // the default one first
};

struct Client {
  explicit Client(Options options);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  TopologyDescription topology;
  std::vector<std::unique_ptr<Device>> owned;
  std::vector<Device*> devices;  // by id
  std::vector<Memory*> memories;

  [[nodiscard]] const Options& options() const { return topology.options; }
  // Throws Failure.
  [[nodiscard]] Device* device(std::int64_t id) const;
};

}  // namespace trainyard::pjrt
