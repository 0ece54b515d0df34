// Does each job run once, wherever, and is what ends a run the same whoever is faster?
#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>

namespace trainyard::base {
namespace {

TEST(ThreadPool, RunsEveryJobOnceInEveryRound) {
  ThreadPool pool(8);
  for (std::size_t count : {1u, 2u, 3u, 8u, 50u}) {
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> runs(count);
      pool.run(count, [&](std::size_t k, bool) { ++runs[k]; });
      for (const std::atomic<int>& one : runs) EXPECT_EQ(one, 1);
    }
  }
}

TEST(ThreadPool, TellsWhichJobsRunOnTheCallersThread) {
  ThreadPool pool(4);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> wrong = 0;
  pool.run(100, [&](std::size_t, bool of_caller) {
    wrong += of_caller != (std::this_thread::get_id() == caller);
  });
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPool, ThrowsWhatTheFirstJobThatFailsThrew) {
  ThreadPool pool(4);
  for (int round = 0; round < 200; ++round) {
    std::string caught;
    try {
      pool.run(6, [&](std::size_t k, bool) {
        if (k == 2) std::this_thread::sleep_for(std::chrono::microseconds(50));
        if (k >= 2) throw std::runtime_error(std::to_string(k));
      });
    } catch (const std::runtime_error& error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "2");
  }
}

TEST(ThreadPool, TellsLaterJobsThatTheyAreInVain) {
  ThreadPool pool(2);
  EXPECT_THROW(pool.run(2,
                        [&](std::size_t k, bool) {
                          if (k == 0) throw std::runtime_error("first");
                          while (!pool.is_in_vain(1)) std::this_thread::yield();
                        }),
               std::runtime_error);
}

TEST(ThreadPool, ThePulseMayEndARun) {
  if (std::thread::hardware_concurrency() < 2) GTEST_SKIP() << "one processor";
  ThreadPool pool(2, [] { throw std::runtime_error("interrupted"); });
  std::atomic<bool> other_began = false;
  try {
    pool.run(2, [&](std::size_t k, bool of_caller) {
      if (!of_caller) other_began = true;
      while (of_caller ? !other_began : !pool.is_in_vain(k)) std::this_thread::yield();
    });
    FAIL() << "not interrupted";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "interrupted");
  }
}

TEST(ThreadPool, AFailureLeavesItReadyForMore) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.run(3, [](std::size_t, bool) { throw std::runtime_error("no"); }),
               std::runtime_error);
  std::atomic<int> runs = 0;
  pool.run(3, [&](std::size_t, bool) { ++runs; });
  EXPECT_EQ(runs, 3);
}

}  // namespace
}  // namespace trainyard::base
