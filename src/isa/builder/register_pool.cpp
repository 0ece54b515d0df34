#include "isa/builder/register_pool.h"

#include <algorithm>

#include "base/error.h"

namespace trainyard::isa {

std::optional<std::uint8_t> RegisterPool::take() {
  const auto found = std::find(free_.begin(), free_.end(), true);
  if (found == free_.end()) return std::nullopt;
  *found = false;
  set_[static_cast<std::size_t>(found - free_.begin())] = false;
  return static_cast<std::uint8_t>(found - free_.begin());
}

void RegisterPool::take(std::uint8_t index) {
  base::check(free_.at(index), "a register that is taken is free");
  free_[index] = set_[index] = false;
}

Register RegisterPool::in_turn() {
  do {
    turn_ = turn_ + 1 < free_.size() ? turn_ + 1 : 1;
  } while (!free_[turn_]);
  return {static_cast<std::uint8_t>(turn_)};
}

std::size_t RegisterPool::count_free() const {
  return static_cast<std::size_t>(std::ranges::count(free_, true));
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
