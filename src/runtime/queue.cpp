#include "runtime/queue.h"

#include <utility>

namespace trainyard::runtime {

Queue::~Queue() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

PendingRun Queue::run(std::vector<Launch> launches, RunOptions options) {
  PendingRun pending{.results = std::make_shared<std::vector<Result>>()};
  pending.done =
      call([results = pending.results, launches = std::move(launches),
            options = std::move(options)] { *results = runtime::run(launches, options); });
  return pending;
}

Event Queue::call(std::function<void()> work) {
  Event done;
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back({std::move(work), done});
  }
  changed_.notify_one();
  return done;
}

void Queue::work() {
  for (;;) {
    Task task;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closed_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    std::exception_ptr error;
    try {
      task.work();
    } catch (...) {
      error = std::current_exception();  // whoever waits for the event gets it
    }
    task.work = {};  // what it holds may go before the event happens
    task.done.complete(error);
  }
}

}  // namespace trainyard::runtime
