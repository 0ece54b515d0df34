// Is a file replaced whole, without following a link that somebody placed, and does a lock keep
// others out?
#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/file_lock.h"

namespace trainyard::base {
namespace {

class File : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "trainyard-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      found.push_back(entry.path().filename().string());
    std::ranges::sort(found);
    return found;
  }

  std::filesystem::path folder_;
};

TEST_F(File, IsReplacedAndNothingElseIsLeft) {
  write_file(folder_ / "a", "old and long");
  write_file(folder_ / "a", "new");
  EXPECT_EQ(read_file(folder_ / "a"), "new");
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(File, KeepsItsPermissions) {
  write_file(folder_ / "a", "old");
  ASSERT_EQ(::chmod((folder_ / "a").c_str(), 0640), 0);
  write_file(folder_ / "a", "new");
  struct stat found {};
  ASSERT_EQ(::stat((folder_ / "a").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 07777, 0640U);
}

TEST_F(File, ALinkStaysAndItsTargetIsReplaced) {
  std::filesystem::create_directory(folder_ / "inner");
  for (const bool exists : {false, true}) {
    const std::filesystem::path link = folder_ / (exists ? "link" : "dangling"),
                                target = folder_ / "inner" / link.filename();
    if (exists) write_file(target, "old");
    std::filesystem::create_symlink(std::filesystem::path("inner") / link.filename(), link);
    write_file(link, "new");
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(read_file(target), "new");
  }
}

TEST_F(File, ACircleOfLinksIsAnError) {
  std::filesystem::create_symlink("circle", folder_ / "circle");
  EXPECT_THROW(write_file(folder_ / "circle", "new"), InputError);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "circle"));
}

TEST_F(File, AFolderAndAMissingOneAreErrorsThatLeaveNothing) {
  std::filesystem::create_directory(folder_ / "inner");
  EXPECT_THROW(write_file(folder_ / "inner", "new"), InputError);
  EXPECT_THROW(write_file(folder_ / "missing" / "a", "new"), InputError);
  EXPECT_EQ(names(), std::vector<std::string>{"inner"});
}

TEST_F(File, TakesAnyNameThatTheSystemTakes) {
  for (const std::string& name : {std::string("\xFF\xFE"), std::string(255, 'n')}) {
    write_file(folder_ / name, "new");
    EXPECT_EQ(read_file(folder_ / name), "new");
  }
}

TEST_F(File, OneThreadAtATimeChangesItBehindALock) {
  write_file(folder_ / "sum", "0");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 10; ++i) {
        const FileLock alone(folder_ / "sum");
        write_file(folder_ / "sum", std::to_string(std::stoi(read_file(folder_ / "sum")) + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(read_file(folder_ / "sum"), "80");
}

TEST_F(File, ALockFollowsNoLink) {
  std::filesystem::create_symlink("elsewhere", folder_ / "a.lock");
  { const FileLock alone(folder_ / "a"); }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere"));
}

}  // namespace
}  // namespace trainyard::base
