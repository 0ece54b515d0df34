#include "graph/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "graph/values.h"

namespace trainyard::graph {

namespace {

std::string quoted(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      all += '\\';
      all += c;
    } else if (byte < 0x20 || byte >= 0x7F) {
      all += fmt::format("\\{:02X}", byte);
    } else {
      all += c;
    }
  }
  return all + '"';
}

bool is_word(std::string_view text) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$' ||
           c == '-';
  };
  const bool starts =
      !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_');
  return starts && std::ranges::all_of(text, is_part);
}
std::string key(std::string_view name) { return is_word(name) ? std::string(name) : quoted(name); }
std::string symbol(std::string_view name) { return "@" + key(name); }

std::string hex(std::span<const std::byte> bytes) {
  std::string text = "0x";
  for (const std::byte byte : bytes) text += fmt::format("{:02X}", std::to_integer<int>(byte));
  return text;
}

// One element, where its text gives its exact value; otherwise nothing.
std::string number(const Literal& literal) {
  const ElementType element = literal.type.element;
  if (element == ElementType::pred) return literal.content[0] != std::byte{0} ? "true" : "false";
  std::uint64_t pattern = 0;
  const auto size = static_cast<std::size_t>(size_in_bytes(element));
  if (size > sizeof pattern) return {};
  std::memcpy(&pattern, literal.content.data(), size);
  if (is_integer(element)) {
    if (is_unsigned(element)) return fmt::to_string(pattern);
    const int unused = 64 - 8 * static_cast<int>(size);
    return fmt::to_string(static_cast<std::int64_t>(pattern << unused) >> unused);
  }
  if (!is_float(element) || element == ElementType::f64) return {};
  const double value = float_value(element, pattern);
  if (!std::isfinite(value)) return {};
  return fmt::format("{:.9e}", value);
}

std::string text_of(const Literal& literal, const PrintOptions& options) {
  const std::string type = to_string(literal.type);
  const std::int64_t elements = literal.type.elements();
  if (elements == 0) return fmt::format("dense<> : {}", type);
  if (literal.splat || elements == 1) {
    const std::string text = number(literal);
    if (!text.empty()) return fmt::format("dense<{}> : {}", text, type);
  }
  if (options.elements_max > 0 && elements > options.elements_max && !literal.splat) {
    return fmt::format("dense<...> : {}", type);
  }
  return fmt::format("dense<\"{}\"> : {}", hex(literal.content), type);
}

std::string text_of(const Dictionary& dictionary, const PrintOptions& options) {
  std::string text;
  for (const NamedAttribute& entry : dictionary) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key(entry.name),
                        print(entry.value, options));
  }
  return fmt::format("{{{}}}", text);
}

struct TextOfAttribute {
  const PrintOptions& options;

  std::string operator()(std::monostate) const { return "none"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return fmt::format("{} : i64", value); }
  std::string operator()(double value) const {
    if (!std::isfinite(value))
      return fmt::format("0x{:016X} : f64", float_pattern(ElementType::f64, value));
    return fmt::format("{:.17e} : f64", value);
  }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const Symbol& value) const { return symbol(value.name); }
  std::string operator()(const Type& value) const {
    const bool scalar = value.kind == Type::Kind::tensor && value.rank() == 0;
    return scalar ? fmt::format("type<{}>", to_string(value)) : to_string(value);
  }
  std::string operator()(const Literal& value) const { return text_of(value, options); }
  std::string operator()(const std::vector<std::int64_t>& value) const {
    return value.empty() ? "array<i64>" : fmt::format("array<i64: {}>", fmt::join(value, ", "));
  }
  std::string operator()(const AttributeList& value) const {
    std::string text;
    for (const Attribute& part : value) {
      text += (text.empty() ? "" : ", ") + print(part, options);
    }
    return fmt::format("[{}]", text);
  }
  std::string operator()(const Dictionary& value) const { return text_of(value, options); }
};

std::string text_of(const SourceLine& frame) {
  const std::string line = fmt::format("{}:{}:{}", quoted(frame.file), frame.line, frame.column);
  return frame.function.empty() ? line : fmt::format("{}({})", quoted(frame.function), line);
}

std::string text_of(const Location& location) {
  if (location == Location{}) return "unknown";
  std::string frames;
  for (std::size_t i = location.frames.size(); i-- > 0;) {
    const std::string frame = text_of(location.frames[i]);
    frames = frames.empty() ? frame : fmt::format("callsite({} at {})", frame, frames);
  }
  if (location.scope.empty()) return frames;
  return frames.empty() ? quoted(location.scope)
                        : fmt::format("{}({})", quoted(location.scope), frames);
}

class Printer {
 public:
  Printer(const Module& module, const Function& function, const PrintOptions& options)
      : module_(module), function_(function), options_(options) {}

  std::string function_text() {
    std::string arguments, results;
    for (std::size_t i = 0; i < function_.body.arguments.size(); ++i) {
      const ValueId value = function_.body.arguments[i];
      arguments +=
          fmt::format("{}%{}: {}{}", i == 0 ? "" : ", ", value, to_string(function_.type(value)),
                      attributes_of(function_.argument_attributes, i));
    }
    for (std::size_t i = 0; i < function_.results().size(); ++i) {
      results += fmt::format("{}{}{}", i == 0 ? "" : ", ",
                             to_string(function_.type(function_.results()[i])),
                             attributes_of(function_.result_attributes, i));
    }
    text_ += fmt::format("  func.func {} {}({}) -> ({}) {{\n",
                         function_.is_public ? "public" : "private", symbol(function_.name),
                         arguments, results);
    add_ops(function_.body, 4);
    return text_ + "  }\n";
  }

 private:
  std::string attributes_of(const std::vector<Dictionary>& all, std::size_t i) const {
    if (i >= all.size() || all[i].empty()) return {};
    return " " + text_of(all[i], options_);
  }
  static std::string values(std::span<const ValueId> list) {
    std::string text;
    for (const ValueId value : list) text += fmt::format("{}%{}", text.empty() ? "" : ", ", value);
    return text;
  }
  std::string types(std::span<const ValueId> list) const {
    std::string text;
    for (const ValueId value : list) {
      text += (text.empty() ? "" : ", ") + to_string(function_.type(value));
    }
    return text;
  }

  void add_region(const Region& region, std::size_t indent) {
    text_ += "{\n";
    if (!region.arguments.empty()) {
      std::string arguments;
      for (const ValueId value : region.arguments) {
        arguments += fmt::format("{}%{}: {}", arguments.empty() ? "" : ", ", value,
                                 to_string(function_.type(value)));
      }
      text_ += fmt::format("{:{}}^bb0({}):\n", "", indent, arguments);
    }
    add_ops(region, indent + 2);
    text_ += fmt::format("{:{}}}}", "", indent);
  }

  void add_ops(const Region& region, std::size_t indent) {
    for (const Op& op : region.ops) {
      text_.append(indent, ' ');
      if (!op.results.empty()) text_ += values(op.results) + " = ";
      text_ += fmt::format("\"stablehlo.{}\"({})", name(op.kind), values(op.operands));
      if (!op.attributes.empty()) text_ += fmt::format(" <{}>", text_of(op.attributes, options_));
      for (std::size_t i = 0; i < op.regions.size(); ++i) {
        text_ += i == 0 ? " (" : ", ";
        add_region(op.regions[i], indent);
        if (i + 1 == op.regions.size()) text_ += ")";
      }
      text_ += fmt::format(" : ({}) -> ({})", types(op.operands), types(op.results));
      if (options_.locations) {
        text_ += fmt::format(" loc({})", text_of(module_.locations.at(op.location)));
      }
      text_ += '\n';
    }
  }

  const Module& module_;
  const Function& function_;
  const PrintOptions& options_;
  std::string text_;
};

}  // namespace

std::string print(const Attribute& attribute, const PrintOptions& options) {
  return std::visit(TextOfAttribute{options}, attribute.value);
}

std::string print(const Module& module, const Function& function, const PrintOptions& options) {
  return Printer(module, function, options).function_text();
}

std::string print(const Module& module, const PrintOptions& options) {
  std::string text = "module " + symbol(module.name);
  if (!module.attributes.empty()) text += " attributes " + text_of(module.attributes, options);
  text += " {\n";
  for (const Function& function : module.functions) text += print(module, function, options);
  return text + "}\n";
}

}  // namespace trainyard::graph
