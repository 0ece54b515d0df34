// A machine file as text: figures by dotted key with their line, before anything is known about
// their meaning. The only place that sees TOML.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "machine/unit.h"

namespace trainyard::machine {

// One figure as written. What is missing is empty; what is malformed is empty too, is listed in
// `malformed` and has been reported.
struct Entry {
  std::optional<Written> value = {};
  std::string unit = {}, kind = {}, source = {}, date = {};
  std::optional<Written> low = {}, high = {};
  std::string file = {};
  std::int64_t line = 0;
  std::vector<std::string> malformed = {};  // "value", "unit", "kind", "source"
  // A value alone, "6 TB/s", over a figure of the file that is extended.
  bool is_short = false;
};

struct Document {
  std::string name, title, extends;              // the [machine] table
  std::string core, prices, system;              // the same, of a compared machine
  std::string chip, levels;                      // the same, of a system
  std::map<std::string, Entry> entries;          // by dotted key
  std::map<std::string, std::int64_t> sections;  // first line of each table, for missing keys
};

// Reads TOML text. Syntax errors and malformed figures are appended to `violations`; `file` is what
// they call it.
[[nodiscard]] Document read_document(std::string_view text, const std::string& file,
                                     std::vector<base::Violation>& violations);

// Whether a line of TOML has more dots than its reader, which recurses over dotted keys, can
// follow.
[[nodiscard]] bool has_too_many_dots(std::string_view text);

// "machines/trn3.toml:12: tensor.clock"
[[nodiscard]] std::string place(std::string_view file, std::int64_t line, std::string_view key);

}  // namespace trainyard::machine
