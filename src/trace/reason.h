// Why a track spent its time as it did: the closed list of names that tile every engine and queue
// of a run. Adding one means adding its name and prose in reason.cpp; nothing else lists them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trainyard::trace {

enum class Reason : std::uint8_t {
  working,
  waiting_semaphore,
  waiting_operand,
  waiting_bank,
  waiting_queue,
  waiting_dma,
  waiting_link,
  waiting_peer,
  throttle,
  overhead,
  idle,
};
inline constexpr std::size_t reason_count = 11;

[[nodiscard]] constexpr std::size_t index(Reason reason) {
  return static_cast<std::size_t>(reason);
}

// The word used in files, reports and Python: "waiting_semaphore".
[[nodiscard]] std::string_view name(Reason reason);
// One sentence for a reader of a report: what the track was doing or waiting for.
[[nodiscard]] std::string_view prose(Reason reason);
// The track was held up by something else: neither working, nor its own overhead, nor out of work.
[[nodiscard]] constexpr bool is_waiting(Reason reason) {
  return reason >= Reason::waiting_semaphore && reason <= Reason::throttle;
}

// All reasons in order, for loops over them.
[[nodiscard]] constexpr std::array<Reason, reason_count> all_reasons() {
  std::array<Reason, reason_count> all{};
  for (std::size_t i = 0; i < reason_count; ++i) all[i] = static_cast<Reason>(i);
  return all;
}

}  // namespace trainyard::trace
