// What numbers of a load, of a scheduler's settings and of a fleet may be, each said once: the core
// refuses what is beyond, and commands ask for them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace trainyard::serving {

struct Bound {
  std::string_view name;
  double low, high;
};

inline constexpr std::array load_bounds = {
    Bound{"requests", 1, 1e8}, Bound{"rate", 0, 1e7},     Bound{"burstiness", 0.01, 1e4},
    Bound{"prompt", 1, 1e7},   Bound{"output", 1, 1e7},   Bound{"range", 0, 1},
    Bound{"shared", 0, 1e7},   Bound{"prefixes", 1, 1e8},
};
inline constexpr std::array setting_bounds = {
    Bound{"block_tokens", 1, 4096},
    Bound{"blocks", 1, std::numeric_limits<std::int32_t>::max() - 1},
    Bound{"requests_max", 1, 1 << 20},
    Bound{"step_tokens_max", 1, 1 << 24},
    Bound{"chunk_tokens_max", 1, 1 << 24},
    Bound{"prompts_max", 1, 1 << 20},
    Bound{"waiting_max", 1, 1LL << 40},
    Bound{"context_max", 2, 1 << 24},
    Bound{"draft_tokens", 0, 64},
    Bound{"groups", 1, 64},
    Bound{"window", 0, 1 << 24},
};
inline constexpr std::array fleet_bounds = {
    Bound{"replicas", 1, 4096},
    Bound{"readers", 0, 4096},
};

// Adds a violation where a value is not within the bounds of its name, as NaN is not.
inline void check_bound(std::span<const Bound> bounds, std::string_view label,
                        std::string_view name, double value,
                        std::vector<base::Violation>& violations) {
  const auto found = std::ranges::find(bounds, name, &Bound::name);
  base::check(found != bounds.end(), "a number that is checked has bounds");
  if (value >= found->low && value <= found->high) return;
  violations.push_back({std::string(label),
                        fmt::format("{} is {} to {}", name, found->low, found->high),
                        std::string(name), fmt::format("{}", value), "correct it"});
}

}  // namespace trainyard::serving
