// How much memory the host has left. Linux grants more than there is and kills a process that uses
// it, so what is large is checked beforehand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace trainyard::base {

// Bytes that can be taken now: MemAvailable of /proc/meminfo, or what the process' control group
// leaves if that is less. The largest number where the host tells neither.
[[nodiscard]] std::int64_t available_host_memory(const std::filesystem::path& root = "/");

// Throws InputError "host.memory" if `bytes` are more than the host has left; `what` is who needs
// them, `place` where. Below 256 MiB it does not ask.
void require_host_memory(std::int64_t bytes, std::string_view what, std::string_view place);

}  // namespace trainyard::base
