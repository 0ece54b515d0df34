// Is what several compilations keep at once all there afterwards?
#include "session/scores.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/build_id.h"
#include "base/file.h"
#include "machine/machine.h"

namespace trainyard::session {
namespace {

TEST(Scores, WhatIsSavedAtOnceIsAllKept) {
  if (base::build_id().empty()) GTEST_SKIP() << "without a build id nothing is kept";
  const machine::Machine machine = machine::load("trn3");
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("trainyard_scores_{}", ::getpid());
  const std::filesystem::path file = folder / "scores";
  constexpr std::uint64_t writers = 8, each = 20;
  std::vector<std::thread> threads;
  for (std::uint64_t writer = 0; writer < writers; ++writer) {
    threads.emplace_back([&, writer] {
      for (std::uint64_t i = 0; i < each; ++i) {
        Scores scores(machine, file, compiler::Scorer::Effort::quick);
        scores.keep(writer * each + i, base::Ticks{static_cast<std::int64_t>(i)});
        scores.save();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Scores all(machine, file, compiler::Scorer::Effort::quick);
  for (std::uint64_t key = 0; key < writers * each; ++key)
    EXPECT_EQ(all.known(key), base::Ticks{static_cast<std::int64_t>(key % each)}) << key;
  std::filesystem::remove_all(folder);
}

TEST(Scores, LinesThatAreNotWholeAreLeftOutAndAKeyIsWrittenOnce) {
  if (base::build_id().empty()) GTEST_SKIP() << "without a build id nothing is kept";
  const machine::Machine machine = machine::load("trn3");
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("trainyard_lines_{}", ::getpid());
  const std::filesystem::path file = folder / "scores";
  const auto keep = [&](std::uint64_t key, std::int64_t ticks) {
    Scores scores(machine, file, compiler::Scorer::Effort::quick);
    scores.keep(key, base::Ticks{ticks});
    scores.save();
  };
  keep(1, 10);
  const std::string whole = base::read_file(file);
  for (const char* line : {" 5\n", "ff\n", "ff \n", "x 5\n", "\n", "ff"}) {
    base::write_file(file, whole + line);
    keep(2, 20);
  }
  keep(1, 10);
  const std::string text = base::read_file(file);
  EXPECT_EQ(text.substr(0, whole.size()), whole);
  EXPECT_EQ(std::ranges::count(text, '\n'), 3) << text;
  const Scores scores(machine, file, compiler::Scorer::Effort::quick);
  EXPECT_EQ(scores.known(1), base::Ticks{10});
  EXPECT_EQ(scores.known(2), base::Ticks{20});
  EXPECT_EQ(scores.known(3), std::nullopt);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace trainyard::session
