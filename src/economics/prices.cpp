#include "economics/prices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <variant>

#include "base/file.h"
#include "machine/document.h"
#include "machine/machine.h"

namespace trainyard::economics {

namespace {

using machine::describe;
using Violations = std::vector<base::Violation>;

// What a key may look like: "*" stands for one name.
struct Pattern {
  std::string_view key;
  std::string_view unit;
  double low, high;  // bounds of the value
  bool required = false;
};

constexpr auto patterns = std::to_array<Pattern>({
    {"rental.*.on_demand", "$/chip-h", 0.01, 1000},
    {"rental.*.spot", "$/chip-h", 0.01, 1000},
    {"rental.*.capacity_block", "$/chip-h", 0.01, 1000},
    {"rental.*.contract", "$/chip-h", 0.01, 1000},
    {"rental.*.reserved_1y", "$/chip-h", 0.01, 1000},
    {"rental.*.reserved_3y", "$/chip-h", 0.01, 1000},
    {"rental.*.hyperscaler_own", "$/chip-h", 0.01, 1000},
    {"rental.*.neocloud_own", "$/chip-h", 0.01, 1000},
    {"region.*.*.on_demand", "$/chip-h", 0.01, 1000},
    {"region.*.*.spot", "$/chip-h", 0.01, 1000},
    {"region.*.*.capacity_block", "$/chip-h", 0.01, 1000},
    {"capex.*", "$/chip", 1, 1e7},
    {"all_in.*", "kW", 0.01, 100},
    {"finance.life", "years", 1, 20, true},
    {"finance.interest", "fraction", 0, 1, true},
    {"finance.network", "fraction", 0, 2, true},
    {"finance.upkeep", "1/year", 0, 1, true},
    {"finance.electricity", "$/kWh", 0, 10, true},
    {"finance.facility", "$/kW-month", 0, 1e4, true},
    {"finance.pue", "ratio", 1, 5, true},
    {"finance.utilisation", "fraction", 0.01, 1},
    {"operation.failures", "1/Mchip-h", 0, 1e4, true},
    {"operation.restart", "min", 0, 1e4, true},
    {"operation.checkpoint", "MB/s-chip", 0.1, 1e5, true},
    {"operation.stragglers", "fraction", 0, 0.9, true},
    {"operation.replaced", "fraction", 0, 1, true},
    {"operation.repair", "h", 0, 1e4, true},
    {"bom.defects", "1/cm2", 0, 10},
    {"bom.hbm_price", "$/GB", 0, 1000},
    {"bom.*.dies", "count", 1, 64},
    {"bom.*.die_area", "mm2", 1, 2000},
    {"bom.*.wafer", "$/wafer", 1, 1e6},
    {"bom.*.hbm", "GB", 0, 1e5},
    {"bom.*.packaging", "$/chip", 0, 1e6},
    {"bom.*.test", "$/chip", 0, 1e6},
    {"bom.*.margin", "fraction", 0, 0.99},
    {"rack.cooling_air", "$/kW", 0, 1e5},
    {"rack.cooling_liquid", "$/kW", 0, 1e5},
    {"rack.power.*", "kW", 0, 1e4},
});

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    words.push_back(text.substr(0, dot));
    if (dot == text.size()) return words;
    text.remove_prefix(dot + 1);
  }
}

bool matches(std::string_view pattern, std::string_view key) {
  return std::ranges::equal(split(pattern), split(key), [](std::string_view p, std::string_view k) {
    return p == k || (p == "*" && !k.empty());
  });
}

const Pattern* find_pattern(std::string_view key) {
  const auto found =
      std::ranges::find_if(patterns, [&](const Pattern& p) { return matches(p.key, key); });
  return found == patterns.end() ? nullptr : &*found;
}

// "2026", "2026-01" or "2026-01-31".
bool is_date(std::string_view date) {
  if (date.size() != 4 && date.size() != 7 && date.size() != 10) return false;
  for (std::size_t i = 0; i < date.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? date[i] != '-' : std::isdigit(static_cast<unsigned char>(date[i])) == 0)
      return false;
  }
  return true;
}

std::optional<double> number(const std::optional<machine::Written>& written) {
  if (!written) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(&*written)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&*written)) return *real;
  return std::nullopt;
}

class PriceReader {
 public:
  PriceReader(std::string_view text, const std::string& file)
      : file_(file), document_(machine::read_document(text, file, violations_)) {}

  Prices read() {
    for (const auto& [key, entry] : document_.entries) read_entry(key, entry);
    for (const Pattern& pattern : patterns) {
      if (!pattern.required || document_.entries.contains(std::string(pattern.key))) continue;
      violations_.push_back({"prices.missing_key", "finance figures are complete",
                             machine::place(file_, 1, pattern.key), "nothing",
                             fmt::format("add {} in {}", pattern.key, pattern.unit)});
    }
    if (!violations_.empty()) throw base::InputError(std::move(violations_));
    return std::move(prices_);
  }

 private:
  void report(std::string_view label, std::string rule, std::string found, std::string fix) {
    violations_.push_back(
        {std::string(label), std::move(rule), place_, std::move(found), std::move(fix)});
  }

  void read_entry(const std::string& key, const machine::Entry& entry) {
    if (!entry.malformed.empty()) return;
    place_ = machine::place(entry.file, entry.line, key);
    const std::size_t before = violations_.size();
    const Pattern* pattern = find_pattern(key);
    if (pattern == nullptr) {
      std::vector<std::string_view> known;
      for (const Pattern& each : patterns) known.push_back(each.key);
      report("prices.unknown_key", "a key is one of the price list's", key,
             fmt::format("known: {}", fmt::join(known, ", ")));
      return;
    }
    check_words(*pattern, entry);
    const machine::Interval amount = read_amount(*pattern, entry);
    if (violations_.size() != before) return;
    const auto word = [](const std::optional<machine::Written>& w) { return describe(*w); };
    machine::Figure figure{.key = key,
                           .value = word(entry.value),
                           .unit = entry.unit,
                           .kind = *machine::kind_from_name(entry.kind),
                           .source = entry.source,
                           .place = fmt::format("{}:{}", entry.file, entry.line),
                           .date = entry.date};
    if (entry.low) figure.range = machine::Range{word(entry.low), word(entry.high)};
    prices_.entries.emplace(key, Price{amount, std::move(figure)});
  }

  void check_words(const Pattern& pattern, const machine::Entry& entry) {
    if (entry.unit != pattern.unit) {
      report("machine.unit", fmt::format("the unit is {}", pattern.unit),
             entry.unit.empty() ? "no unit" : entry.unit,
             fmt::format("write unit = \"{}\"", pattern.unit));
    }
    if (!machine::kind_from_name(entry.kind)) {
      report("machine.kind", "every figure has a kind: published, derived, estimated or assumed",
             entry.kind.empty() ? "no kind" : entry.kind, "write how sure the number is");
    }
    if (entry.source.empty()) {
      report("machine.source", "every figure has a source", "no source", "name it");
    }
    if (!is_date(entry.date)) {
      report("prices.date", "a price has the date of its source, such as \"2026-01\"",
             entry.date.empty() ? "no date" : entry.date, "write date = \"YYYY-MM\"");
    }
  }

  machine::Interval read_amount(const Pattern& pattern, const machine::Entry& entry) {
    const auto value = number(entry.value);
    if (!value) {
      report("machine.type", "the value is a number",
             entry.value ? describe(*entry.value) : "no value", "write a number");
      return {};
    }
    if (!(*value >= pattern.low && *value <= pattern.high)) {
      report("machine.range",
             fmt::format("the value is in {} .. {} {}", pattern.low, pattern.high, pattern.unit),
             describe(*entry.value), "check the value and its unit");
      return {};
    }
    if (!entry.low && !entry.high) return {*value, *value, *value};
    const auto low = number(entry.low);
    const auto high = number(entry.high);
    if (!low || !high || !(*low >= pattern.low && *low <= *value && *value <= *high)) {
      report("machine.uncertainty", "low and high come together and enclose the value",
             describe(*entry.value), "correct the range");
      return {};
    }
    return {*low, *value, *high};
  }

  const std::string& file_;
  Violations violations_;
  machine::Document document_;
  Prices prices_;
  std::string place_;
};

template <typename Unit>
Estimate<Unit> estimate(const Price& price) {
  return {{price.amount.low}, {price.amount.value}, {price.amount.high}, price.figure.kind};
}

}  // namespace

const Price& Prices::at(std::string_view key) const {
  const auto found = entries.find(std::string(key));
  if (found != entries.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [name, price] : entries) known.push_back(name);
  throw base::InputError({"prices.unknown_key", "the price list has the key", "prices.toml",
                          std::string(key), fmt::format("known: {}", fmt::join(known, ", "))});
}

Estimate<DollarsPerHour> Prices::rental(std::string_view machine, std::string_view basis) const {
  return estimate<DollarsPerHour>(at(fmt::format("rental.{}.{}", machine, basis)));
}

Estimate<Kilowatts> Prices::all_in(std::string_view machine) const {
  return estimate<Kilowatts>(at(fmt::format("all_in.{}", machine)));
}

std::vector<std::string> Prices::bases(std::string_view machine) const {
  const std::string prefix = fmt::format("rental.{}.", machine);
  std::vector<std::string> result;
  for (const auto& [key, price] : entries) {
    if (key.starts_with(prefix)) result.push_back(key.substr(prefix.size()));
  }
  return result;
}

Prices load_prices_text(std::string_view text, std::string_view place) {
  const std::string file(place);
  return PriceReader(text, file).read();
}

Prices load_prices(std::string_view path) {
  if (!path.empty()) return load_prices_text(base::read_file(path), path);
  const std::vector<std::string> folders = machine::search_path();
  for (const std::string& folder : folders) {
    const std::filesystem::path file = std::filesystem::path(folder) / "prices.toml";
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored)) {
      return load_prices_text(base::read_file(file), file.string());
    }
  }
  throw base::InputError({"prices.not_found", "prices.toml stands beside the machines",
                          fmt::format("{}", fmt::join(folders, ", ")), "no prices.toml",
                          "set TRAINYARD_MACHINES to the folder that holds it"});
}

}  // namespace trainyard::economics
