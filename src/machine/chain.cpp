#include "machine/chain.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/file.h"
#include "machine/figure.h"
#include "machine/machine.h"
#include "machine/unit.h"

namespace trainyard::machine {

namespace {

// A value alone has the unit of what it replaces; who wrote it assumes it.
void complete(const std::string& key, Entry& entry, const Document& base,
              std::vector<base::Violation>& violations) {
  entry.is_short = false;
  const auto replaced = base.entries.find(key);
  if (replaced == base.entries.end()) {
    entry.malformed = {"value", "unit", "kind", "source"};
    violations.push_back(
        {"machine.figure", "a value alone replaces a figure of the file that is extended",
         place(entry.file, entry.line, key), "no such figure there",
         "correct the key, or write { value = ..., unit = \"...\", kind = \"...\", source = "
         "\"...\" }"});
    return;
  }
  const Entry& before = replaced->second;
  if (entry.unit.empty()) entry.unit = before.unit;
  entry.kind = name(Kind::assumed);
  entry.source = fmt::format(
      "{}; {}:{} says {} {} ({})", std::filesystem::path(entry.file).filename().string(),
      std::filesystem::path(before.file).filename().string(), before.line,
      before.value ? describe(*before.value) : "nothing", before.unit, before.source);
}

// Lays the figures of `base` under those of `document`, which win.
void lay_under(Document& document, Document base, std::vector<base::Violation>& violations) {
  for (auto& [key, entry] : document.entries)
    if (entry.is_short) complete(key, entry, base, violations);
  if (document.title.empty() && !base.title.empty()) document.title = base.title + ", changed";
  if (document.prices.empty()) document.prices = base.prices;
  document.entries.merge(base.entries);
  document.sections.merge(base.sections);
  if (document.chip.empty()) document.chip = base.chip;
  if (document.levels.empty()) document.levels = base.levels;
}

constexpr auto extends_rule =
    "extends names a machine that is shipped, or a file of the same folder";

// In the folder of the file that extends it, else among those that load() and its like find.
std::optional<std::filesystem::path> extended_file(std::string_view folder, std::string_view name) {
  std::error_code ignored;
  if (const auto own = std::filesystem::path(folder) / name;
      std::filesystem::is_regular_file(own, ignored))
    return own;
  for (const std::string& shipped : search_path()) {
    for (const std::string_view below : {"", "systems", "compared"}) {
      const auto path = std::filesystem::path(shipped) / below / name;
      if (std::filesystem::is_regular_file(path, ignored)) return path;
    }
  }
  return std::nullopt;
}

}  // namespace

Document read_chain(std::string_view text, const std::string& file, std::string_view folder,
                    std::vector<base::Violation>& violations, int depth) {
  Document document = read_document(text, file, violations);
  if (document.extends.empty()) return document;
  constexpr int deepest = 4;
  const std::string where = place(file, 1, "machine.extends");
  if (depth == deepest) {
    violations.push_back({"machine.extends",
                          fmt::format("at most {} files extend one another", deepest), where,
                          document.extends, "remove the cycle"});
    return document;
  }
  if (document.extends.find('/') != std::string::npos) {
    violations.push_back(
        {"machine.extends", extends_rule, where, document.extends, "write the file's name only"});
    return document;
  }
  auto path = extended_file(folder, document.extends);
  if (!path) path = extended_file(folder, document.extends + ".toml");
  if (!path) {
    violations.push_back(
        {"machine.extends", extends_rule, where,
         fmt::format("no file {}", (std::filesystem::path(folder) / document.extends).string()),
         "correct the name"});
    return document;
  }
  if (document.name.empty()) document.name = std::filesystem::path(file).stem().string();
  lay_under(document,
            read_chain(base::read_file(*path), path->string(), path->parent_path().string(),
                       violations, depth + 1),
            violations);
  return document;
}

bool is_unreadable(const std::vector<base::Violation>& violations) {
  return !violations.empty() && violations.front().label == "machine.syntax";
}

std::int64_t section_line(const Document& document, std::string_view key) {
  for (std::size_t dot = key.rfind('.'); dot != std::string_view::npos; dot = key.rfind('.')) {
    key = key.substr(0, dot);
    const auto found = document.sections.find(std::string(key));
    if (found != document.sections.end()) return found->second;
  }
  return 1;
}

}  // namespace trainyard::machine
