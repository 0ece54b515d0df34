#include "machine/chain.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.h"

namespace trainyard::machine {

namespace {

// Lays the figures of `base` under those of `document`, which win.
void lay_under(Document& document, Document base) {
  document.entries.merge(base.entries);
  document.sections.merge(base.sections);
  if (document.chip.empty()) document.chip = base.chip;
  if (document.levels.empty()) document.levels = base.levels;
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
    violations.push_back({"machine.extends", "extends names a file of the same folder", where,
                          document.extends, "write the file's name only"});
    return document;
  }
  const std::filesystem::path path = std::filesystem::path(folder) / document.extends;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    const bool lacks_ending = std::filesystem::is_regular_file(path.string() + ".toml", ignored);
    violations.push_back({"machine.extends", "extends names a file of the same folder", where,
                          fmt::format("no file {}", path.string()),
                          lacks_ending
                              ? fmt::format("write extends = \"{}.toml\"", document.extends)
                              : "correct the name"});
    return document;
  }
  lay_under(document,
            read_chain(base::read_file(path), path.string(), folder, violations, depth + 1));
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
