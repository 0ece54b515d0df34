// Ticks by instruction, side and reason in 16 bytes an instruction: a program may be unrolled to
// millions of instructions, most of which know two or three reasons and little time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/units.h"
#include "trace/reason.h"
#include "trace/track.h"

namespace trainyard::trace {

class ByteReader;

// Where an instruction's time is counted: on the engine that runs it, or on the queues, DMA
// engines, memories and links that serve it (which overlap, so these may exceed the run's length).
enum class Side : std::uint8_t { engine, service };
inline constexpr std::size_t side_count = 2;
[[nodiscard]] constexpr Side side_of(TrackKind kind) {
  return kind == TrackKind::engine ? Side::engine : Side::service;
}

class InstructionTicks {
 public:
  InstructionTicks() = default;
  explicit InstructionTicks(std::size_t instructions) : slots_(instructions) {}

  [[nodiscard]] std::size_t size() const { return slots_.size(); }

  // `instruction` must be below size().
  void add(std::uint32_t instruction, Side side, Reason reason, std::int64_t ticks) {
    const std::uint32_t tag = tag_of(side, reason);
    for (std::uint32_t& slot : slots_[instruction]) {
      const std::uint32_t held = slot >> ticks_bits;
      if (held != tag && held != 0) continue;
      const std::int64_t sum = (slot & ticks_mask) + ticks;
      if (sum > ticks_mask) break;
      slot = (tag << ticks_bits) | static_cast<std::uint32_t>(sum);
      return;
    }
    spill(instruction, tag, ticks);
  }

  [[nodiscard]] base::Ticks get(std::uint32_t instruction, Side side, Reason reason) const;
  // The same of all reasons, by their index.
  [[nodiscard]] std::array<std::int64_t, reason_count> get(std::uint32_t instruction,
                                                           Side side) const;

  void encode(std::string& out) const;
  // Throws InputError "trace.file".
  [[nodiscard]] static InstructionTicks decode(ByteReader& reader, std::size_t instructions);

  // The same ticks, however they are kept.
  friend bool operator==(const InstructionTicks& a, const InstructionTicks& b);

 private:
  // A slot is a tag (side and reason, from 1 on) above its ticks; 0 is a free one.
  static constexpr unsigned ticks_bits = 27;
  static constexpr std::uint32_t ticks_mask = (1u << ticks_bits) - 1;
  static_assert(side_count * reason_count < (1u << (32 - ticks_bits)));
  static constexpr std::uint32_t tag_of(Side side, Reason reason) {
    return static_cast<std::uint32_t>(1 + static_cast<std::size_t>(side) * reason_count +
                                      index(reason));
  }

  void spill(std::uint32_t instruction, std::uint32_t tag, std::int64_t ticks);

  std::vector<std::array<std::uint32_t, 4>> slots_;
  // What found no slot or no room in one, by tag and instruction. Look-up only; never walked.
  std::unordered_map<std::uint64_t, std::int64_t> spilled_;
};

}  // namespace trainyard::trace
