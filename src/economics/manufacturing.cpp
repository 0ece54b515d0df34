#include "economics/manufacturing.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <numbers>

namespace trainyard::economics {

namespace {

using End = double machine::Interval::*;

template <typename F>
Estimate<Dollars> dollars_of(std::initializer_list<const Price*> prices, F dollars) {
  Estimate<Dollars> result{{dollars(&machine::Interval::low)},
                           {dollars(&machine::Interval::value)},
                           {dollars(&machine::Interval::high)}};
  for (const Price* price : prices) result.kind = std::max(result.kind, price->figure.kind);
  return result;
}

}  // namespace

double dies_per_wafer(double area) {
  constexpr double diameter = 300;
  constexpr double pi = std::numbers::pi;
  return pi * diameter * diameter / 4 / area - pi * diameter / std::sqrt(2 * area);
}

Manufacturing manufacturing_cost(const Prices& prices, std::string_view chip) {
  const auto of_chip = [&](std::string_view part) {
    return &prices.at(fmt::format("bom.{}.{}", chip, part));
  };
  const Price* dies = of_chip("dies");
  const Price* area = of_chip("die_area");
  const Price* wafer = of_chip("wafer");
  const Price* hbm = of_chip("hbm");
  const Price* packaging = of_chip("packaging");
  const Price* test = of_chip("test");
  const Price* defects = &prices.at("bom.defects");
  const Price* hbm_price = &prices.at("bom.hbm_price");
  const auto only = [](const Price* price) {
    return dollars_of({price}, [&](End end) { return price->amount.*end; });
  };
  Manufacturing cost{
      .dies = dollars_of({dies, area, wafer, defects},
                         [&](End end) {
                           const double square_mm = area->amount.*end;
                           // A die works where none of its square centimetres has a defect.
                           const double yield = std::exp(-(defects->amount.*end) * square_mm / 100);
                           return dies->amount.*end * wafer->amount.*end /
                                  (dies_per_wafer(square_mm) * yield);
                         }),
      .memory = dollars_of({hbm, hbm_price},
                           [&](End end) { return hbm->amount.*end * (hbm_price->amount.*end); }),
      .packaging = only(packaging),
      .test = only(test),
      .sold = {}};
  const Price* margin = of_chip("margin");
  const Estimate<Dollars> made = cost.total();
  cost.sold = {{made.low.value / (1 - margin->amount.low)},
               {made.value.value / (1 - margin->amount.value)},
               {made.high.value / (1 - margin->amount.high)},
               std::max(made.kind, margin->figure.kind)};
  return cost;
}

}  // namespace trainyard::economics
