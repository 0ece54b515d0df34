// Threads of the host that do jobs side by side: to simulate cores, to compile programs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace trainyard::base {

class ThreadPool {
 public:
  // At most as many threads as the host has processors and as there are jobs, the caller's among
  // them. `pulse` is called on the caller's thread while it waits for the others; it may throw.
  explicit ThreadPool(std::size_t jobs_max, std::function<void()> pulse = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // One of several jobs: its number, and whether it runs on the caller's thread.
  using Job = std::function<void(std::size_t number, bool of_caller)>;
  // Does jobs 0 to count - 1 and returns when all have ended. Throws what the first of them in this
  // order threw, or what the pulse threw.
  void run(std::size_t count, const Job& job);
  // Whether job `number` may give up, because what it does will not be looked at: an earlier one
  // threw, or the pulse did.
  [[nodiscard]] bool is_in_vain(std::size_t number) const {
    return first_thrown_.load(std::memory_order_relaxed) < number ||
           interrupted_.load(std::memory_order_relaxed);
  }

 private:
  void work();
  void take_jobs(bool of_caller);
  void wait_for_others();
  [[nodiscard]] bool others_done() const { return at_work_.load(std::memory_order_acquire) == 0; }

  std::function<void()> pulse_;
  std::mutex mutex_;
  std::condition_variable begun_, done_;
  std::uint64_t round_ = 0;  // under mutex_, as is leaving_
  bool leaving_ = false;
  std::atomic<std::size_t> at_work_ = 0;  // threads that have not finished the round

  const Job* job_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0, first_thrown_ = 0;
  std::atomic<bool> interrupted_ = false;
  std::vector<std::exception_ptr> thrown_;

  std::vector<std::thread> threads_;  // last: they use the rest
};

}  // namespace trainyard::base
