#include "machine/accelerator.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "machine/chain.h"
#include "machine/figure_reader.h"
#include "machine/machine.h"
#include "machine/schema.h"

namespace trainyard::machine {

namespace {

namespace fs = std::filesystem;
using Violations = std::vector<base::Violation>;

constexpr std::string_view subfolder = "compared";

void check_names(const Document& document, const std::string& file, Violations& violations) {
  if (!document.name.empty() && !document.prices.empty()) return;
  violations.push_back({"machine.name",
                        "a compared machine has a name and a name in the price list",
                        place(file, 1, "machine"), document.name.empty() ? "no name" : "no prices",
                        "write name = \"...\" and prices = \"...\" in [machine]"});
}

void report_unknown_keys(const Document& document, Violations& violations) {
  for (const auto& [key, entry] : document.entries) {
    const bool known = std::ranges::any_of(accelerator_schema(),
                                           [&](const Field& field) { return field.key == key; });
    if (known || !entry.malformed.empty()) continue;
    violations.push_back({"machine.unknown_key", "every key is in the schema",
                          place(entry.file, entry.line, key), key,
                          fmt::format("did you mean {}?", nearest_key(key, accelerator_schema()))});
  }
}

// A level of links is its size and its rate, and levels follow one another.
void check_levels(const Accelerator& accelerator, const std::string& file, Violations& violations) {
  bool ended = false;
  for (const int level : {1, 2, 3}) {
    const auto has = [&](std::string_view part) {
      return accelerator.find(fmt::format("scale_up.level{}_{}", level, part)) != nullptr;
    };
    if (has("size") != has("bandwidth") || (ended && has("size"))) {
      violations.push_back({"machine.inconsistent",
                            "a level of links has a size and a bandwidth, after the one before",
                            place(file, 1, fmt::format("scale_up.level{}_size", level)),
                            has("size") ? "a size" : "a bandwidth", "give both, without a gap"});
    }
    ended = ended || !has("size");
  }
}

}  // namespace

const Quantity* Accelerator::find(std::string_view key) const {
  const auto found = figures.find(key);
  return found == figures.end() ? nullptr : &found->second;
}

Accelerator load_accelerator_text(std::string_view text, std::string_view where,
                                  std::string_view folder) {
  const std::string file(where);
  Violations violations;
  Document document = read_chain(text, file, folder, violations);
  if (is_unreadable(violations)) throw base::InputError(violations);
  Accelerator result{.name = document.name,
                     .title = document.title,
                     .path = file,
                     .core = document.core,
                     .system = document.system,
                     .prices = document.prices};
  check_names(document, file, violations);
  report_unknown_keys(document, violations);
  for (const Field& field : accelerator_schema()) {
    const auto entry = document.entries.find(field.key);
    if (entry != document.entries.end()) {
      if (auto reading = read_figure(field, entry->second, violations))
        result.figures.emplace(field.key, Quantity{reading->amount, std::move(reading->figure)});
    } else if (is_required(field.key)) {
      violations.push_back({"machine.missing_key", "a compared machine says what is required",
                            place(file, section_line(document, field.key), field.key), "nothing",
                            example(field)});
    }
  }
  if (violations.empty()) check_levels(result, file, violations);
  if (!violations.empty()) throw base::InputError(std::move(violations));
  return result;
}

std::vector<std::string> available_accelerators() { return names_in(subfolder); }

Accelerator load_accelerator(std::string_view name_or_path) {
  const fs::path path = find_file(name_or_path, subfolder);
  return load_accelerator_text(base::read_file(path), path.string(), path.parent_path().string());
}

}  // namespace trainyard::machine
