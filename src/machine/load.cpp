// From the text of a machine file to a checked Machine.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/file.h"
#include "machine/consistency.h"
#include "machine/document.h"
#include "machine/machine.h"
#include "machine/schema.h"
#include "machine/unit.h"

namespace trainyard::machine {

namespace {

using Violations = std::vector<base::Violation>;

// Lays the figures of `base` under those of `document`, which win.
void lay_under(Document& document, Document base) {
  document.entries.merge(base.entries);
  document.sections.merge(base.sections);
}

// The document with everything it extends. `depth` ends a circle.
Document read_chain(std::string_view text, const std::string& file, std::string_view folder,
                    Violations& violations, int depth = 0) {
  Document document = read_document(text, file, violations);
  if (document.extends.empty()) return document;
  constexpr int deepest = 4;
  const std::string where = place(file, 1, "machine.extends");
  if (depth == deepest) {
    violations.push_back({"machine.extends",
                          fmt::format("at most {} files extend one another", deepest), where,
                          document.extends, "remove the circle"});
    return document;
  }
  if (document.extends.find('/') != std::string::npos) {
    violations.push_back({"machine.extends", "extends names a file of the same folder", where,
                          document.extends, "write the file's name only"});
    return document;
  }
  const std::filesystem::path path = std::filesystem::path(folder) / document.extends;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    violations.push_back({"machine.extends", "extends names a file of the same folder", where,
                          path.string(), "correct the name"});
    return document;
  }
  lay_under(document,
            read_chain(base::read_file(path), path.string(), folder, violations, depth + 1));
  return document;
}

std::int64_t section_line(const Document& document, std::string_view key) {
  for (std::size_t dot = key.rfind('.'); dot != std::string_view::npos; dot = key.rfind('.')) {
    key = key.substr(0, dot);
    const auto found = document.sections.find(std::string(key));
    if (found != document.sections.end()) return found->second;
  }
  return 1;
}

std::string example(const Field& field) {
  return fmt::format("add {} = {{ value = ..., unit = \"{}\", kind = ..., source = ... }}  # {}",
                     field.key, canonical_unit(field.dimension), field.meaning);
}

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

// Unit, kind and source are there.
bool complete(const Entry& entry, const std::string& key, Violations& violations) {
  const std::size_t before = violations.size();
  const std::string where = place(entry.file, entry.line, key);
  const auto reported = [&](std::string_view attribute) {
    return std::ranges::find(entry.malformed, attribute) != entry.malformed.end();
  };
  if (entry.unit.empty() && !reported("unit")) {
    violations.push_back(
        {"machine.unit", "every figure has a unit", where, "no unit",
         fmt::format("write unit = \"{}\"", canonical_unit(find_field(key)->dimension))});
  }
  if (!kind_from_name(entry.kind) && !reported("kind")) {
    violations.push_back(
        {"machine.kind", "every figure has a kind: published, derived, estimated or assumed", where,
         entry.kind.empty() ? "no kind" : entry.kind, "write how sure the number is"});
  }
  if (entry.source.empty() && !reported("source")) {
    violations.push_back({"machine.source", "every figure has a source", where, "no source",
                          "name the document, or why it is assumed"});
  }
  return entry.value && entry.malformed.empty() && violations.size() == before;
}

void report_problem(const Problem& problem, const Entry& entry, const std::string& key,
                    std::string found, Violations& violations) {
  violations.push_back({std::string(problem.label), problem.rule,
                        place(entry.file, entry.line, key), std::move(found), problem.fix});
}

// low <= value <= high, all in the figure's unit.
void check_range(const Field& field, const Entry& entry, const Value& value,
                 Violations& violations) {
  if (!entry.low && !entry.high) return;
  const double middle = canonical_number(field.dimension, value);
  const bool ordered = field.dimension != Dimension::flag && field.dimension != Dimension::choice;
  double bounds[2] = {middle, middle};
  int index = 0;
  for (const auto* end : {&entry.low, &entry.high}) {
    if (*end) {
      const auto parsed = parse(field, **end, entry.unit);
      if (const auto* problem = std::get_if<Problem>(&parsed)) {
        report_problem(*problem, entry, field.key, describe(**end), violations);
        return;
      }
      bounds[index] = canonical_number(field.dimension, std::get<Value>(parsed));
    }
    ++index;
  }
  if (entry.low && entry.high && (!ordered || (bounds[0] <= middle && middle <= bounds[1]))) return;
  violations.push_back(
      {"machine.uncertainty", "low and high come together and enclose the value",
       place(entry.file, entry.line, field.key),
       fmt::format("low {}, value {}, high {}", entry.low ? describe(*entry.low) : "missing",
                   describe(*entry.value), entry.high ? describe(*entry.high) : "missing"),
       "correct the range"});
}

void fill(Machine& machine, const Field& field, const Entry& entry, Violations& violations) {
  if (!complete(entry, field.key, violations)) return;
  const auto parsed = parse(field, *entry.value, entry.unit);
  if (const auto* problem = std::get_if<Problem>(&parsed)) {
    report_problem(*problem, entry, field.key,
                   fmt::format("{} {}", describe(*entry.value), entry.unit), violations);
    return;
  }
  const Value value = std::get<Value>(parsed);
  check_range(field, entry, value, violations);
  field.store(machine, value);
  Figure figure{.key = field.key,
                .value = describe(*entry.value),
                .unit = entry.unit,
                .kind = *kind_from_name(entry.kind),
                .source = entry.source,
                .place = fmt::format("{}:{}", entry.file, entry.line),
                .date = entry.date};
  if (entry.low && entry.high) figure.range = Range{describe(*entry.low), describe(*entry.high)};
  machine.figures.push_back(std::move(figure));
}

}  // namespace

Machine load_text(std::string_view text, std::string_view where, std::string_view folder) {
  const std::string file(where);
  Violations violations;
  const Document document = read_chain(text, file, folder, violations);
  // After a syntax error every other key would be "missing"; that list helps nobody.
  if (!violations.empty() && violations.front().label == "machine.syntax")
    throw base::InputError(violations);
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
