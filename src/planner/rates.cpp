#include "planner/rates.h"

#include <fmt/format.h>

#include <array>

#include "economics/cost.h"

namespace trainyard::planner {

namespace {

constexpr double hours_per_year = 8760;
constexpr double hours_per_month = 730;

std::optional<double> ownership(const Sheet& sheet, std::vector<std::string>& unknown) {
  const std::array<std::string, 8> keys{price_key(sheet, {}),  "power.all_in",    "finance.network",
                                        "finance.interest",    "finance.life",    "finance.upkeep",
                                        "finance.electricity", "finance.facility"};
  std::array<double, 8> values{};
  bool complete = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto value = sheet.find(keys[i]);
    if (!value) unknown.push_back(keys[i]);
    complete = complete && value.has_value();
    values[i] = value.value_or(0);
  }
  if (!complete) return std::nullopt;
  const auto [capex, watts, network, interest, life, upkeep, electricity, facility] = values;
  const double each_year =
      (1 + network) * economics::capital_recovery_factor(interest, life) + upkeep;
  const double capital = capex * each_year / hours_per_year;
  return capital + watts / 1000 * (electricity + facility / hours_per_month);
}

}  // namespace

std::string price_key(const Sheet& sheet, const Purchase& purchase) {
  if (purchase.basis == "own") return fmt::format("capex.{}", sheet.chip());
  if (purchase.region.empty()) return fmt::format("rental.{}.{}", sheet.chip(), purchase.basis);
  return fmt::format("region.{}.{}.{}", purchase.region, sheet.chip(), purchase.basis);
}

std::optional<double> hourly_rate(const Sheet& sheet, const Purchase& purchase,
                                  std::vector<std::string>& unknown) {
  std::optional<double> rate;
  if (purchase.basis == "own") {
    rate = ownership(sheet, unknown);
  } else {
    const std::string key = price_key(sheet, purchase);
    rate = sheet.find(key);
    if (!rate) unknown.push_back(key);
  }
  if (!rate) return std::nullopt;
  return *rate / sheet.find("finance.utilisation").value_or(1);
}

}  // namespace trainyard::planner
