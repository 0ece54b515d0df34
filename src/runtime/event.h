// Something that will have happened: a host waits for it, asks, or is told. Copies are the same
// event.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace trainyard::runtime {

class Event {
 public:
  using Told = std::function<void(const std::exception_ptr& error)>;

  // One that has not happened yet.
  Event() : state_(std::make_shared<State>()) {}

  // It happens; `error` when it failed. Calls whom then() was given. False where it has happened
  // before: nothing changes then.
  [[nodiscard]] bool complete(std::exception_ptr error = {}) const;

  [[nodiscard]] bool is_complete() const;
  // Throws what it failed with.
  void wait() const;
  // Of a complete event: what it failed with, or null.
  [[nodiscard]] std::exception_ptr error() const;
  // Calls `told` when it happens, on the thread that completes it; at once when it has.
  void then(Told told) const;

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable happened;
    bool complete = false;
    std::exception_ptr error{};
    std::vector<Told> waiting{};
  };
  std::shared_ptr<State> state_;
};

}  // namespace trainyard::runtime
