#include "runtime/event.h"

#include <utility>

namespace trainyard::runtime {

bool Event::complete(std::exception_ptr error) const {
  std::vector<Told> waiting;
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->complete) return false;
    state_->complete = true;
    state_->error = error;
    waiting = std::exchange(state_->waiting, {});
  }
  state_->happened.notify_all();
  for (const Told& told : waiting) told(error);
  return true;
}

bool Event::is_complete() const {
  const std::lock_guard lock(state_->mutex);
  return state_->complete;
}

void Event::wait() const {
  std::unique_lock lock(state_->mutex);
  state_->happened.wait(lock, [&] { return state_->complete; });
  if (state_->error) std::rethrow_exception(state_->error);
}

std::exception_ptr Event::error() const {
  const std::lock_guard lock(state_->mutex);
  return state_->error;
}

void Event::then(Told told) const {
  {
    const std::lock_guard lock(state_->mutex);
    if (!state_->complete) {
      state_->waiting.push_back(std::move(told));
      return;
    }
  }
  told(error());
}

}  // namespace trainyard::runtime
