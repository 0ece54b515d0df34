// From the text of a machine file to a checked Machine.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "machine/chain.h"
#include "machine/consistency.h"
#include "machine/figure_reader.h"
#include "machine/machine.h"
#include "machine/schema.h"

namespace trainyard::machine {

namespace {

using Violations = std::vector<base::Violation>;

// "dma.hardware" of "dma.hardware.start".
std::string section_of(std::string_view key) {
  return std::string(key.substr(0, std::min(key.rfind('.'), key.size())));
}

bool is_section(std::string_view name) {
  return std::ranges::any_of(schema(), [&](const Field& f) { return section_of(f.key) == name; });
}

// Reports keys that are not in the schema, of a section that is not there the first one. Returns
// the keys and sections that were meant: that they are missing is no mistake of its own.
std::set<std::string> report_unknown(const Document& document, Violations& violations) {
  std::set<std::string> meant, sections;
  for (const auto& [key, entry] : document.entries) {
    if (find_field(key) != nullptr) continue;
    const std::string nearest(nearest_key(key)), section = section_of(key);
    const bool in_section = section != key && !is_section(section);
    if (in_section && !sections.insert(section).second) continue;
    meant.insert(is_section(key) ? key : in_section ? section_of(nearest) : nearest);
    if (!entry.malformed.empty()) continue;
    violations.push_back(
        {"machine.unknown_key", "every key is in the schema", place(entry.file, entry.line, key),
         key,
         fmt::format("did you mean {}?{}", nearest,
                     in_section ? fmt::format(" there is no [{}]", section) : "")});
  }
  return meant;
}

bool holds(const std::set<std::string>& meant, std::string key) {
  while (!meant.contains(key)) {
    const std::string section = section_of(key);
    if (section == key) return false;
    key = section;
  }
  return true;
}

void fill(Machine& machine, const Field& field, const Entry& entry, Violations& violations) {
  auto reading = read_figure(field, entry, violations);
  if (!reading) return;
  field.store(machine, reading->value);
  machine.figures.push_back(std::move(reading->figure));
}

// What only compared machines and systems say.
void check_header(const Document& document, const std::string& file, Violations& violations) {
  const std::string where = place(file, 1, "machine");
  if (!document.chip.empty() || !document.levels.empty()) {
    violations.push_back({"machine.system", "a chip is named here, not a system of chips", where,
                          document.name, fmt::format("name its chip, {}", document.chip)});
  }
  if (document.core.empty() && document.prices.empty()) return;
  violations.push_back({"machine.unknown_key", "core and prices are of compared machines", where,
                        document.core + document.prices,
                        "remove them, or put the file into machines/compared"});
}

}  // namespace

Machine load_text(std::string_view text, std::string_view where, std::string_view folder) {
  const std::string file(where);
  Violations violations;
  const Document document = read_chain(text, file, folder, violations);
  if (is_unreadable(violations)) throw base::InputError(violations);
  check_header(document, file, violations);
  if (!document.levels.empty()) throw base::InputError(violations);
  Machine machine{.name = document.name, .title = document.title, .path = file};
  if (document.name.empty()) {
    violations.push_back(
        {"machine.name", "a machine has a name", place(file, 1, "machine.name"), "no name",
         "write name = \"...\" in [machine]; a file without one can only be extended"});
  }
  const std::set<std::string> meant = report_unknown(document, violations);
  for (const Field& field : schema()) {
    const auto entry = document.entries.find(field.key);
    if (entry != document.entries.end()) {
      fill(machine, field, entry->second, violations);
    } else if (!holds(meant, field.key)) {
      violations.push_back({"machine.missing_key", "every key of the schema has a figure",
                            place(file, section_line(document, field.key), field.key), "nothing",
                            example(field)});
    }
  }
  if (violations.empty()) violations = inconsistencies(machine, Strictness::file);
  if (!violations.empty()) throw base::InputError(std::move(violations));
  return machine;
}

}  // namespace trainyard::machine
