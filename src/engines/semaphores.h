// The counting semaphores of one core, with who waits for each. A wait blocks until the count
// reaches its value and then takes the value away again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::engines {

class Semaphores {
 public:
  explicit Semaphores(std::size_t count) : counts_(count, 0) {}

  [[nodiscard]] std::int64_t count(std::uint16_t semaphore) const { return counts_[semaphore]; }
  void add(const isa::Signal& signal) { counts_[signal.semaphore] += signal.amount; }
  [[nodiscard]] bool satisfied(const isa::Wait& wait) const {
    return counts_[wait.semaphore] >= static_cast<std::int64_t>(wait.value);
  }
  // The first wait that is not satisfied, or nothing.
  [[nodiscard]] const isa::Wait* missing(std::span<const isa::Wait> waits) const {
    for (const isa::Wait& wait : waits) {
      if (!satisfied(wait)) return &wait;
    }
    return nullptr;
  }
  // Takes the values of satisfied waits away.
  void take(std::span<const isa::Wait> waits) {
    for (const isa::Wait& wait : waits) counts_[wait.semaphore] -= wait.value;
  }

 private:
  std::vector<std::int64_t> counts_;
};

}  // namespace trainyard::engines
