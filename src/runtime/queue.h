// Runs that a host has asked for and does not wait for: they happen one after the other, in the
// order in which they were asked for, on a thread of the queue's own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "runtime/event.h"
#include "runtime/run.h"

namespace trainyard::runtime {

// A run on its way: its results are there when `done` has happened without an error.
struct PendingRun {
  Event done{};
  std::shared_ptr<std::vector<Result>> results{};
};

class Queue {
 public:
  Queue() : thread_([this] { work(); }) {}
  // Everything asked for happens first.
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // The programs and buffers stay alive until it is done.
  [[nodiscard]] PendingRun run(std::vector<Launch> launches, RunOptions options);
  // Any other work in its turn, such as a copy between host and device.
  [[nodiscard]] Event call(std::function<void()> work);

 private:
  struct Task {
    std::function<void()> work;
    Event done;
  };
  void work();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool closed_ = false;
  std::thread thread_;
};

}  // namespace trainyard::runtime
