#include "machine/document.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace trainyard::machine {

namespace {

constexpr auto figure_shape = "{ value = ..., unit = \"...\", kind = \"...\", source = \"...\" }";

class Reader {
 public:
  Reader(Document& document, const std::string& file, std::vector<base::Violation>& violations)
      : document_(document), file_(file), violations_(violations) {}

  void read(const toml::table& root) {
    const auto is_header = [](std::string_view name, const toml::node& node) {
      return (name == "name" || name == "title" || name == "extends") && !node.is_table();
    };
    for (const auto& [key, node] : root) {
      if (key.str() == "machine")
        read_header(node);
      else if (is_header(key.str(), node))
        read_header_text(std::string(key.str()), node);
    }
    for (const auto& [key, node] : root) {
      if (key.str() != "machine" && !is_header(key.str(), node))
        read_node(std::string(key.str()), node);
    }
  }

 private:
  void report(std::string_view label, std::string rule, const toml::node& node,
              std::string_view key, std::string found, std::string fix) {
    violations_.push_back({std::string(label), std::move(rule), place(file_, line(node), key),
                           std::move(found), std::move(fix)});
  }

  static std::int64_t line(const toml::node& node) {
    return static_cast<std::int64_t>(node.source().begin.line);
  }

  static std::string type_of(const toml::node& node) {
    std::ostringstream out;
    out << node.type();
    return "a TOML " + std::move(out).str();
  }

  void read_header(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      report("machine.type", "[machine] is a table", node, "machine", type_of(node),
             "write a [machine] section");
      return;
    }
    for (const auto& [key, value] : *table) read_header_text(std::string(key.str()), value);
  }

  void read_header_text(const std::string& name, const toml::node& value) {
    std::string* target = name == "name"      ? &document_.name
                          : name == "title"   ? &document_.title
                          : name == "extends" ? &document_.extends
                          : name == "core"    ? &document_.core
                          : name == "prices"  ? &document_.prices
                          : name == "system"  ? &document_.system
                          : name == "chip"    ? &document_.chip
                          : name == "levels"  ? &document_.levels
                                              : nullptr;
    if (target == nullptr) {
      report("machine.unknown_key",
             "[machine] holds name, title, extends, core, prices, system, chip and levels", value,
             "machine." + name, name, "remove it");
    } else {
      read_text(value, "machine." + name, *target);
    }
  }

  void read_node(const std::string& key, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table != nullptr && table->contains("value")) {
      read_figure(key, *table);
    } else if (node.is_value() && !document_.extends.empty()) {
      read_short(key, node);
    } else if (table == nullptr || table->is_inline()) {
      report("machine.figure", fmt::format("every figure is written {}", figure_shape), node, key,
             table == nullptr ? type_of(node) : "no value",
             "give the number its value, unit, kind and source");
      document_.entries[key] = malformed_figure(node);
    } else {
      document_.sections.emplace(key, line(node));
      for (const auto& [name, child] : *table)
        read_node(key + "." + std::string(name.str()), child);
    }
  }

  void read_short(const std::string& key, const toml::node& node) {
    Entry entry{.file = file_, .line = line(node), .is_short = true};
    if (const auto text = node.value_exact<std::string>()) {
      Split parts = split(*text);
      entry.value = std::move(parts.written);
      entry.unit = std::move(parts.unit);
    } else {
      entry.value = read_value(node, key);
    }
    document_.entries[key] = std::move(entry);
  }

  Entry malformed_figure(const toml::node& node) const {
    return {.file = file_, .line = line(node), .malformed = {"value", "unit", "kind", "source"}};
  }

  void read_figure(const std::string& key, const toml::table& table) {
    Entry entry{.file = file_, .line = line(table)};
    for (const auto& [name, node] : table) {
      const std::string_view attribute = name.str();
      if (attribute == "value")
        entry.value = read_value(node, key);
      else if (attribute == "low")
        entry.low = read_value(node, key + ".low");
      else if (attribute == "high")
        entry.high = read_value(node, key + ".high");
      else if (attribute == "unit")
        read_attribute(node, key, "unit", entry.unit, entry);
      else if (attribute == "kind")
        read_attribute(node, key, "kind", entry.kind, entry);
      else if (attribute == "date")
        read_attribute(node, key, "date", entry.date, entry);
      else if (attribute == "source")
        read_attribute(node, key, "source", entry.source, entry);
      else {
        report("machine.unknown_key", "a figure has value, unit, kind, source, date, low and high",
               node, key + "." + std::string(attribute), std::string(attribute), "remove it");
      }
    }
    document_.entries[key] = std::move(entry);
  }

  std::optional<Written> read_value(const toml::node& node, const std::string& key) {
    if (const auto whole = node.value_exact<std::int64_t>()) return Written{*whole};
    if (const auto real = node.value_exact<double>()) return Written{*real};
    if (const auto flag = node.value_exact<bool>()) return Written{*flag};
    if (const auto word = node.value_exact<std::string>()) return Written{*word};
    report("machine.type", "a value is a number, true, false or a string", node, key, type_of(node),
           "write one of them");
    return std::nullopt;
  }

  void read_attribute(const toml::node& node, const std::string& key, const std::string& attribute,
                      std::string& target, Entry& entry) {
    if (!read_text(node, key + "." + attribute, target)) entry.malformed.push_back(attribute);
  }

  bool read_text(const toml::node& node, const std::string& key, std::string& target) {
    if (const auto word = node.value_exact<std::string>()) {
      target = *word;
      return true;
    }
    report("machine.type", key + " is a string", node, key, type_of(node), "put it in quotes");
    return false;
  }

  Document& document_;
  const std::string& file_;
  std::vector<base::Violation>& violations_;
};

}  // namespace

std::string place(std::string_view file, std::int64_t line, std::string_view key) {
  return fmt::format("{}:{}: {}", file, line, key);
}

namespace {

// The library follows the parts of a dotted key by recursion, however many there are.
constexpr std::ptrdiff_t dots_max = 1000;

// The first line of more; 0: none.
std::int64_t line_of_many_dots(std::string_view text) {
  std::int64_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (std::ranges::count(text.substr(begin, end - begin), '.') > dots_max) return number;
    begin = end + 1;
  }
  return 0;
}

}  // namespace

bool has_too_many_dots(std::string_view text) { return line_of_many_dots(text) != 0; }

Document read_document(std::string_view text, const std::string& file,
                       std::vector<base::Violation>& violations) {
  Document document;
  if (const std::int64_t line = line_of_many_dots(text); line != 0) {
    violations.push_back({"machine.syntax", "the file is TOML", fmt::format("{}:{}", file, line),
                          fmt::format("a line of more than {} dots", dots_max),
                          "correct the syntax of that line"});
    return document;
  }
  try {
    const toml::table root = toml::parse(text, file);
    Reader(document, file, violations).read(root);
  } catch (const toml::parse_error& error) {
    violations.push_back({"machine.syntax", "the file is TOML",
                          fmt::format("{}:{}", file, error.source().begin.line),
                          std::string(error.description()), "correct the syntax of that line"});
  }
  return document;
}

}  // namespace trainyard::machine
