// The table of all checks, family by family.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "checks/check.h"

namespace trainyard::checks {

[[nodiscard]] std::span<const Check> memory_checks();
[[nodiscard]] std::span<const Check> accumulation_checks();
[[nodiscard]] std::span<const Check> layout_checks();
[[nodiscard]] std::span<const Check> order_checks();
[[nodiscard]] std::span<const Check> dma_checks();
[[nodiscard]] std::span<const Check> numerics_checks();
[[nodiscard]] std::span<const Check> performance_checks();
[[nodiscard]] std::span<const Check> silicon_checks();

// All of them, in the order above; they live as long as the process.
[[nodiscard]] std::vector<const Check*> all();

// The check with this id. Ids are ours: an unknown one is our bug.
[[nodiscard]] const Check& find(std::string_view id);

}  // namespace trainyard::checks
