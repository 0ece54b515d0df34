// What a chip costs an hour and draws from the grid, out of a sheet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "planner/answer.h"
#include "planner/sheet.h"

namespace trainyard::planner {

// Where the hourly rate comes from: "own" (capital recovery, power, facility, network), or a basis
// of the price list ("on_demand", "spot", "contract", ...), of a region where one is named.
struct Purchase {
  std::string basis = "own";
  std::string region = {};
};

// USD of a chip and hour, divided by the share of hours that are used; the keys that are missing go
// to `unknown`, and the result is then nothing.
[[nodiscard]] std::optional<double> hourly_rate(const Sheet& sheet, const Purchase& purchase,
                                                std::vector<std::string>& unknown);
// The key of the price list that a purchase reads ("rental.trn3.contract"); "capex.trn3" of "own".
[[nodiscard]] std::string price_key(const Sheet& sheet, const Purchase& purchase);

}  // namespace trainyard::planner
