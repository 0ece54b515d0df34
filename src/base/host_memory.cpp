#include "base/host_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace trainyard::base {

namespace {

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t asked_from = std::int64_t{256} << 20;
constexpr double gib = 1 << 30;

std::optional<std::int64_t> number_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;  // "max" is no number
}

std::int64_t available_by_kernel(const std::filesystem::path& root) {
  std::ifstream file(root / "proc/meminfo");
  std::string key;
  std::int64_t kibibytes = 0;
  for (std::string unit; file >> key >> kibibytes; std::getline(file, unit)) {
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  return unknown;
}

// The group as a container sees its own: the root of the mounted hierarchy, version 2 or 1.
std::int64_t left_in_group(const std::filesystem::path& root) {
  const auto group = root / "sys/fs/cgroup";
  auto limit = number_in(group / "memory.max");
  auto used = number_in(group / "memory.current");
  if (!limit || !used) {
    limit = number_in(group / "memory/memory.limit_in_bytes");
    used = number_in(group / "memory/memory.usage_in_bytes");
  }
  return limit && used ? std::max<std::int64_t>(0, *limit - *used) : unknown;
}

}  // namespace

std::int64_t available_host_memory(const std::filesystem::path& root) {
  return std::min(available_by_kernel(root), left_in_group(root));
}

bool fits_host_memory(std::int64_t bytes) {
  return bytes < asked_from || bytes <= available_host_memory();
}

NoRoom host_memory_error(std::int64_t bytes, std::string_view what, std::string_view place) {
  return NoRoom(MemoryLevel::host,
                {"host.memory", "values fit in the memory of this computer", std::string(place),
                 fmt::format("{} {:.1f} GiB, and {:.1f} GiB are available", what,
                             static_cast<double>(bytes) / gib,
                             static_cast<double>(available_host_memory()) / gib),
                 "use smaller shapes, or time the program without values"});
}

}  // namespace trainyard::base
