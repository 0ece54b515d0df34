#include "base/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <limits>

namespace trainyard::base {

namespace {

constexpr std::chrono::milliseconds between_pulses{50};
// Cores that meet often wait for microseconds: shorter than it takes to sleep and wake up.
constexpr int looks_before_sleep = 4000;

}  // namespace

ThreadPool::ThreadPool(std::size_t jobs_max, std::function<void()> pulse)
    : pulse_(std::move(pulse)) {
  const std::size_t wanted =
      std::min<std::size_t>(jobs_max, std::max(1u, std::thread::hardware_concurrency()));
  for (std::size_t k = 1; k < wanted; ++k) threads_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run(std::size_t count, const Job& job) {
  job_ = &job;
  count_ = count;
  next_ = 0;
  first_thrown_ = std::numeric_limits<std::size_t>::max();
  interrupted_ = false;
  thrown_.assign(count, nullptr);
  const bool alone = threads_.empty() || count == 1;
  if (!alone) {
    const std::lock_guard lock(mutex_);
    at_work_ = threads_.size();
    ++round_;
  }
  if (!alone) begun_.notify_all();
  take_jobs(true);
  if (!alone) wait_for_others();
  for (const std::exception_ptr& one : thrown_) {
    if (one) std::rethrow_exception(one);
  }
}

void ThreadPool::take_jobs(bool of_caller) {
  for (std::size_t k = next_.fetch_add(1); k < count_; k = next_.fetch_add(1)) {
    if (is_in_vain(k)) continue;
    try {
      (*job_)(k, of_caller);
    } catch (...) {
      thrown_[k] = std::current_exception();
      std::size_t first = first_thrown_.load();
      while (k < first && !first_thrown_.compare_exchange_weak(first, k)) {
      }
    }
  }
}

void ThreadPool::work() {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      begun_.wait(lock, [&] { return leaving_ || round_ != seen; });
      if (leaving_) return;
      seen = round_;
    }
    take_jobs(false);
    if (at_work_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const std::lock_guard lock(mutex_);
      done_.notify_one();
    }
  }
}

void ThreadPool::wait_for_others() {
  for (int k = 0; k < looks_before_sleep && !others_done(); ++k) std::this_thread::yield();
  std::exception_ptr interruption;
  while (!others_done()) {
    {
      std::unique_lock lock(mutex_);
      done_.wait_for(lock, between_pulses, [&] { return others_done(); });
    }
    if (!pulse_ || interruption) continue;
    try {
      pulse_();
    } catch (...) {
      interruption = std::current_exception();
      interrupted_ = true;
    }
  }
  if (interruption) std::rethrow_exception(interruption);
}

}  // namespace trainyard::base
