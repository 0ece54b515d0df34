// How much memory the host has left. Linux grants more than there is and kills a process that uses
// it, so what is large is checked beforehand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/no_room.h"

namespace trainyard::base {

// Bytes that can be taken now: MemAvailable of /proc/meminfo, or what the process' control group
// leaves if that is less. The largest number where the host tells neither.
[[nodiscard]] std::int64_t available_host_memory(const std::filesystem::path& root = "/");

// Whether the host has so much left. Below 256 MiB it does not ask.
[[nodiscard]] bool fits_host_memory(std::int64_t bytes);

// "host.memory": `what`, such as "the sum needs", is followed by the bytes; `place` is where.
[[nodiscard]] NoRoom host_memory_error(std::int64_t bytes, std::string_view what,
                                       std::string_view place);

}  // namespace trainyard::base
