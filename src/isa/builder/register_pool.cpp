#include "isa/builder/register_pool.h"

#include <algorithm>

namespace trainyard::isa {

std::optional<std::uint8_t> RegisterPool::take() {
  const auto found = std::find(free_.begin(), free_.end(), true);
  if (found == free_.end()) return std::nullopt;
  *found = false;
  set_[static_cast<std::size_t>(found - free_.begin())] = false;
  return static_cast<std::uint8_t>(found - free_.begin());
}

void RegisterPool::give_back(std::uint8_t index, std::size_t depth) {
  if (depth < this->depth()) {
    waiting_[depth].push_back(index);
  } else {
    free_[index] = true;
  }
}

void RegisterPool::leave_loop() {
  waiting_.pop_back();
  for (const std::uint8_t index : waiting_.back()) free_[index] = true;
  waiting_.back().clear();
}

}  // namespace trainyard::isa
