// Is a serialised CompileOptionsProto read by its field numbers, and what is wrong in it named?
#include <gtest/gtest.h>

#include "base/error.h"
#include "pjrt/compile_options.h"
#include "pjrt/error.h"

namespace trainyard::pjrt {
namespace {

using namespace std::string_literals;

// A field of bytes: its number, its length, its content.
std::string field(int number, const std::string& content) {
  return std::string{static_cast<char>(number << 3 | 2), static_cast<char>(content.size())} +
         content;
}

TEST(CompileOptions, TheSixBytesThatEveryClientSends) {
  const CompileOptions options = read_compile_options("\x1a\x04\x20\x01\x28\x01"s);
  EXPECT_EQ(options.replicas, 1);
  EXPECT_EQ(options.partitions, 1);
  EXPECT_TRUE(options.device_ids.empty());
}

TEST(CompileOptions, ADeviceAssignmentGoesThereAndBack) {
  const std::vector<std::int64_t> ids{4, 1, 3, 2, 0, 5};  // two replicas of three partitions
  const std::string build = "\x20\x02\x28\x03"s + field(9, device_assignment(2, 3, ids));
  EXPECT_EQ(read_compile_options(field(3, build)).device_ids, ids);
}

TEST(CompileOptions, IdsMayBePacked) {
  const std::string assignment = "\x08\x02\x10\x01"s + field(3, field(1, "\x03\x01"s));
  const std::string build = "\x20\x02\x28\x01"s + field(9, assignment);
  EXPECT_EQ(read_compile_options(field(3, build)).device_ids, (std::vector<std::int64_t>{3, 1}));
}

TEST(CompileOptions, AnOverrideIsKnownOrNamed) {
  const auto with = [](const std::string& name, const std::string& value) {
    return field(7, field(1, name) + field(2, field(1, value)));
  };
  EXPECT_EQ(read_compile_options(with("mode", "machine")).overrides.at("mode"), "machine");
  try {
    static_cast<void>(read_compile_options(with("xla_dump_to", "/tmp")));
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ErrorCode::invalid_argument);
    EXPECT_NE(std::string(failure.what()).find("xla_dump_to"), std::string::npos);
  }
}

TEST(CompileOptions, DamagedBytesAreInputErrors) {
  EXPECT_THROW(static_cast<void>(read_compile_options("\x1a\x40\x20"s)), base::InputError);
  EXPECT_THROW(static_cast<void>(read_compile_options("\xff\xff\xff"s)), base::InputError);
  EXPECT_THROW(static_cast<void>(read_compile_options("\x1a\x02\x20\x00"s)), Failure);
}

}  // namespace
}  // namespace trainyard::pjrt
