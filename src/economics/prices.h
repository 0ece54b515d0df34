// The price list: machines/prices.toml as dated figures. Prices move and some are not public; each
// carries its source, date, kind and, where it is not a list price, a range.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "economics/estimate.h"
#include "machine/figure.h"

namespace trainyard::economics {

// One price in the unit of its key.
struct Price {
  machine::Interval amount;
  machine::Figure figure;  // source, date, kind, place
};

struct Prices {
  std::map<std::string, Price> entries;  // by key: "rental.trn2.capacity_block"

  // The price of a key. Throws InputError "prices.unknown_key", listing the known ones.
  [[nodiscard]] const Price& at(std::string_view key) const;
  // What one chip costs an hour: rental.<machine>.<basis>.
  [[nodiscard]] Estimate<DollarsPerHour> rental(std::string_view machine,
                                                std::string_view basis) const;
  // The provisioned utility power of one chip of a machine that has no machine file:
  // all_in.<machine>.
  [[nodiscard]] Estimate<Kilowatts> all_in(std::string_view machine) const;
  // The bases there are for a machine ("on_demand", "spot", ...), sorted.
  [[nodiscard]] std::vector<std::string> bases(std::string_view machine) const;
};

// prices.toml of the machines' search path, or the file at `path`. Throws InputError with all
// violations: "prices.unknown_key", "prices.missing_key", "prices.date", "machine.unit", ...
[[nodiscard]] Prices load_prices(std::string_view path = "");
[[nodiscard]] Prices load_prices_text(std::string_view text, std::string_view place);

}  // namespace trainyard::economics
