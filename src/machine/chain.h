// A machine file with the files it extends laid under it: one document for any schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "machine/document.h"

namespace trainyard::machine {

// The document of `text` over those that its "extends" names in `folder` or among the shipped
// files, whose figures it wins against. Circles and missing files are appended to `violations`
// ("machine.extends").
[[nodiscard]] Document read_chain(std::string_view text, const std::string& file,
                                  std::string_view folder, std::vector<base::Violation>& violations,
                                  int depth = 0);

// Whether a document is not even TOML: what else is wrong with it would help nobody.
[[nodiscard]] bool is_unreadable(const std::vector<base::Violation>& violations);

// The first line of the section that `key` belongs to, for errors about what is missing; 1 without.
[[nodiscard]] std::int64_t section_line(const Document& document, std::string_view key);

}  // namespace trainyard::machine
