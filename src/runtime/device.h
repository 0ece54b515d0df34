// A device as frameworks count them: one logical core of a machine, with the physical cores that
// make it up and its share of HBM.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "machine/machine.h"
#include "runtime/memory.h"

namespace trainyard::runtime {

class Device {
 public:
  Device(std::shared_ptr<const machine::Machine> machine, std::int32_t id)
      : machine_(std::move(machine)), id_(id) {}

  [[nodiscard]] std::int32_t id() const { return id_; }
  [[nodiscard]] const machine::Machine& machine() const { return *machine_; }
  // Physical cores that run one program together, as instances of a grid.
  [[nodiscard]] std::int64_t cores() const { return machine_->chip.cores_per_logical; }
  // Made when it is first asked for: who only wants to know a time has none.
  [[nodiscard]] const std::shared_ptr<Memory>& memory() const {
    std::call_once(made_, [&] { memory_ = Memory::of_device(*machine_); });
    return memory_;
  }
  // For what programs keep in HBM only while they run: so many bytes at least, of one program at a
  // time, who finds there what the one before has left. Throws NoRoom "hbm.capacity".
  [[nodiscard]] BufferRef scratch(std::int64_t bytes) const;
  // One program after the other: held by whoever runs one.
  [[nodiscard]] std::mutex& running() const { return running_; }

 private:
  std::shared_ptr<const machine::Machine> machine_;
  std::int32_t id_;
  mutable std::once_flag made_{};
  mutable std::shared_ptr<Memory> memory_{};
  mutable std::mutex running_{};
  mutable BufferRef scratch_{};
};

using DeviceRef = std::shared_ptr<const Device>;

// The devices of a machine, made when they are first asked for. Threads may ask at the same time.
class Devices {
 public:
  explicit Devices(machine::Machine machine)
      : machine_(std::make_shared<const machine::Machine>(std::move(machine))) {}

  [[nodiscard]] const machine::Machine& machine() const { return *machine_; }
  [[nodiscard]] DeviceRef device(std::int32_t id) {
    const std::lock_guard lock(mutex_);
    DeviceRef& device = devices_[id];
    if (device == nullptr) device = std::make_shared<const Device>(machine_, id);
    return device;
  }

 private:
  std::shared_ptr<const machine::Machine> machine_;
  std::mutex mutex_;
  std::map<std::int32_t, DeviceRef> devices_;
};

}  // namespace trainyard::runtime
