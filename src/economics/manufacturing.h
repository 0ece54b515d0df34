// What a chip costs to make: dies out of a wafer, memory, package, test. From bom.* of the price
// list.
#pragma once

#include <string_view>

#include "economics/estimate.h"
#include "economics/prices.h"

namespace trainyard::economics {

struct Manufacturing {
  Estimate<Dollars> dies, memory, packaging, test;
  Estimate<Dollars> sold;  // with the seller's margin, a share of the price
  [[nodiscard]] Estimate<Dollars> total() const { return dies + memory + packaging + test; }
};
// Throws InputError "prices.unknown_key" for a chip without a bill of materials.
[[nodiscard]] Manufacturing manufacturing_cost(const Prices& prices, std::string_view chip);

// Whole dies of `area` (mm2) on a wafer of 300 mm, by the usual estimate: the wafer's area over the
// die's, less what the round edge cuts off.
[[nodiscard]] double dies_per_wafer(double area);

}  // namespace trainyard::economics
