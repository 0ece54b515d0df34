// A sheet's machine as the numbers that formulas need, in SI units.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "planner/sheet.h"

namespace trainyard::planner {

// What numbers are stored and multiplied as.
enum class Format : std::uint8_t { bf16, fp8, fp4 };
[[nodiscard]] std::string_view name(Format format);
// Bytes of an element, the scales of blocks included.
[[nodiscard]] double bytes_of(Format format);

// Chips joined by links of one kind, the last level being the network.
struct Level {
  double size = 1;       // groups of the level before
  double bandwidth = 0;  // of a chip, one direction, as reached
  double latency = 0;    // of a small collective
  double step = 0;       // besides, of each step of a ring or tree
  double in_switch = 0;  // of the bytes that sums in the switch could save, the share they do
};

struct Chip {
  std::array<double, 3> peak{};  // operations per second by Format, as printed
  std::array<bool, 3> native{};  // else the next wider format's rate
  std::array<double, 3> energy_flop{};
  double memory = 0, bandwidth = 0;  // for a model; as printed
  std::array<Level, 4> levels{};
  double all_to_all = 1;
  double reach_training = 1, reach_prefill = 1, reach_memory = 1, overlap = 0;
  double reach_attention = 1, reach_attention_training = 1, reach_cache = 1;
  double fixed_layer = 0, fixed_experts = 0, fixed_step = 0, fixed_prefill = 0;
  double energy_hbm_byte = 0, energy_link_byte = 0, idle = 0;
  double logical_cores = 1;
  double system_chips = 1, scale = 1;
  std::shared_ptr<Schedules> schedules = nullptr;  // of collectives between its chips and cores
  double link_ends = 1, reach_collective = 1;
  // A stack's seconds over the machine's, of dense prefills and steps.
  double software_prefill = 1, software_decode = 1;
  // What a stack does with experts: tokens of a block that a prefill pads their tokens to, and
  // seconds that it takes for each; bytes that a step moves of each row of a strip at least. 0:
  // nothing of it.
  double software_block = 0, software_block_seconds = 0, software_row = 0;
  bool is_ideal = false;

  // Chips within scale-up links.
  [[nodiscard]] double domain() const;
};

[[nodiscard]] Chip chip_of(const Sheet& sheet);
// The same chip if everything reached its peak and nothing had a fixed cost: what no estimate may
// beat.
[[nodiscard]] Chip ideal_of(const Sheet& sheet);

}  // namespace trainyard::planner
