// A client: the devices and memories of one machine, seen by one process. Of a job of several
// processes it sees all devices and addresses its own.
#pragma once

#include <memory>
#include <vector>

#include "pjrt/job.h"
#include "pjrt/memory.h"
#include "pjrt/topology.h"
#include "runtime/device.h"

namespace trainyard::pjrt {

struct Device {
  Client* client = nullptr;
  DeviceDescription* description = nullptr;
  bool is_addressable = true;
  std::int32_t local_id = 0;       // its number in its process
  runtime::DeviceRef simulated{};  // what runs its programs, one after the other
  std::unique_ptr<Memory> hbm{};
  std::unique_ptr<Memory> host{};
  std::vector<Memory*> memories{};  // the default one first
};

struct Client {
  // `job`: that this process is part of, or null.
  explicit Client(Options options, std::shared_ptr<const Job> job = nullptr);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  TopologyDescription topology;
  std::shared_ptr<const Job> job;
  std::vector<std::unique_ptr<Device>> owned;
  std::vector<Device*> devices;    // by id
  std::vector<Device*> addressed;  // those of this process
  std::vector<Memory*> memories;   // of these

  [[nodiscard]] const Options& options() const { return topology.options; }
  [[nodiscard]] int process_index() const { return job == nullptr ? 0 : job->process_index(); }
  // Throws Failure.
  [[nodiscard]] Device* device(std::int64_t id) const;
};

}  // namespace trainyard::pjrt
