#include "base/host_memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace trainyard::base {
namespace {

class HostMemory : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) const {
    std::filesystem::create_directories((root / name).parent_path());
    std::ofstream(root / name) << content;
  }
  void TearDown() override { std::filesystem::remove_all(root); }
  const std::filesystem::path root = std::filesystem::path(testing::TempDir()) /
                                     testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(HostMemory, IsWhatTheKernelTells) {
  write("proc/meminfo", "MemTotal: 100 kB\nMemFree: 10 kB\nMemAvailable:   64 kB\n");
  EXPECT_EQ(available_host_memory(root), 65536);
}

TEST_F(HostMemory, IsWhatTheControlGroupLeaves) {
  write("proc/meminfo", "MemAvailable: 64 kB\n");
  write("sys/fs/cgroup/memory.max", "5000\n");
  write("sys/fs/cgroup/memory.current", "2000\n");
  EXPECT_EQ(available_host_memory(root), 3000);
  write("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(available_host_memory(root), 65536);
}

TEST_F(HostMemory, OfAnOlderControlGroup) {
  write("sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n");
  write("sys/fs/cgroup/memory/memory.usage_in_bytes", "9000\n");
  EXPECT_EQ(available_host_memory(root), 0);
}

TEST_F(HostMemory, IsUnlimitedWhereNothingTells) {
  EXPECT_EQ(available_host_memory(root), std::numeric_limits<std::int64_t>::max());
}

TEST(HostMemoryError, NamesWhoNeedsHowMuch) {
  EXPECT_TRUE(fits_host_memory(1 << 20));
  const std::int64_t exbibyte = std::int64_t{1} << 60;
  EXPECT_FALSE(fits_host_memory(exbibyte));
  const std::string text = host_memory_error(exbibyte, "it needs", "here").what();
  EXPECT_NE(text.find("host.memory"), std::string::npos);
  EXPECT_NE(text.find("it needs 1073741824.0 GiB"), std::string::npos);
}

}  // namespace
}  // namespace trainyard::base
