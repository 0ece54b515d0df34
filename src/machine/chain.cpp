#include "machine/chain.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/file.h"
#include "machine/machine.h"

namespace trainyard::machine {

namespace {

// Lays the figures of `base` under those of `document`, which win.
void lay_under(Document& document, Document base) {
  document.entries.merge(base.entries);
  document.sections.merge(base.sections);
  if (document.chip.empty()) document.chip = base.chip;
  if (document.levels.empty()) document.levels = base.levels;
}

constexpr auto extends_rule = "extends names a file of the same folder, or one that is shipped";

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
  const auto path = extended_file(folder, document.extends);
  if (!path) {
    const bool lacks_ending = extended_file(folder, document.extends + ".toml").has_value();
    violations.push_back(
        {"machine.extends", extends_rule, where,
         fmt::format("no file {}", (std::filesystem::path(folder) / document.extends).string()),
         lacks_ending ? fmt::format("write extends = \"{}.toml\"", document.extends)
                      : "correct the name"});
    return document;
  }
  lay_under(document, read_chain(base::read_file(*path), path->string(),
                                 path->parent_path().string(), violations, depth + 1));
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
