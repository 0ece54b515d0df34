// Attributes in MLIR text, in the flat form of a Module where they are structures of StableHLO.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "graph/text_parser.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

// A list of integers as such; others stay lists of attributes.
Attribute with_integers(Attribute attribute) {
  const auto* const list = std::get_if<AttributeList>(&attribute.value);
  if (list == nullptr) return attribute;
  std::vector<std::int64_t> numbers;
  for (const Attribute& part : *list) {
    const auto* const number = std::get_if<std::int64_t>(&part.value);
    if (number == nullptr) return attribute;
    numbers.push_back(*number);
  }
  return {std::move(numbers)};
}

// Text with one space behind each comma and none elsewhere, as the artifact reader joins parts.
std::string evenly_spaced(std::string_view text) {
  std::string even;
  for (const char c : text) {
    if (c == ' ' || c == '\n') continue;
    even += c;
    if (c == ',') even += ' ';
  }
  return even;
}

}  // namespace

TextParser::TextParser(std::string_view text, std::string_view file) : at(text, file) {
  find_aliases();
}

TextParser::Deeper::Deeper(TextParser& parser, int depth_max) : parser_(parser) {
  if (++parser_.depth_ > depth_max) {
    --parser_.depth_;
    parser_.at.malformed("parts nested too deeply");
  }
}

// Aliases are defined on lines of their own, before or behind what uses them.
void TextParser::find_aliases() {
  const std::string_view text = at.all();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t equals = line.find(" = ");
    const bool is_alias = (line.starts_with('#') || line.starts_with('!')) &&
                          equals != std::string_view::npos &&
                          line.substr(0, equals).find_first_of(" <(\"") == std::string_view::npos;
    if (is_alias) aliases_.emplace(std::string(line.substr(0, equals)), begin + equals + 3);
    begin = end + 1;
  }
}

Attribute TextParser::attribute() {
  const Deeper deeper(*this);
  const char c = at.peek();
  if (c == '"') {
    std::string text = at.string();
    if (at.accept(":")) static_cast<void>(type());
    return {std::move(text)};
  }
  if (c == '@') {
    Symbol symbol{at.name('@')};
    while (at.accept("::")) symbol.name += "::@" + at.name('@');
    return {std::move(symbol)};
  }
  if (c == '[') return {list('[', ']')};
  if (c == '{') return {dictionary()};
  if (c == '#') return marked_attribute();
  if (c == '-' || (c >= '0' && c <= '9')) return number_attribute();
  if (at.accept("true") || at.accept("unit")) return {true};
  if (at.accept("false")) return {false};
  if (at.accept("dense")) return {dense()};
  if (at.accept("array")) return array();
  if (at.accept("type")) {
    at.expect("<");
    Type inner = type();
    at.expect(">");
    return {std::move(inner)};
  }
  if (at.sees("dense_resource"))
    at.malformed("a constant whose content was left out of the text (dense_resource)");
  if (at.sees("loc")) {
    static_cast<void>(optional_location());
    return {};
  }
  if (at.accept("affine_map") || at.accept("opaque") || at.accept("sparse")) {
    static_cast<void>(at.angles());
    return {std::string("#builtin<...>")};
  }
  if (at.accept("none")) return {};
  return {type()};
}

Attribute TextParser::number_attribute() {
  const std::size_t begin = at.offset();
  const std::string text(at.number());
  const bool is_hex = text.find("0x") != std::string::npos;
  const bool is_fraction = !is_hex && text.find_first_of(".eE") != std::string::npos;
  Type of{.element = is_fraction ? ElementType::f64 : ElementType::s64};
  if (at.accept(":")) of = type();
  if (of.kind != Type::Kind::tensor || of.rank() != 0) at.malformed("a number of no type");
  const std::size_t end = at.offset();
  if (is_float(of.element)) {
    if (!is_hex) return {std::strtod(text.c_str(), nullptr)};
    at.move_to(begin);
    const auto pattern = static_cast<std::uint64_t>(at.integer());
    at.move_to(end);
    return {float_value(of.element, pattern)};
  }
  at.move_to(begin);
  const std::int64_t value = at.integer();
  at.move_to(end);
  if (of.element == ElementType::pred) return {value != 0};
  return {value};
}

// "array<i64: 1, 2>"; of booleans: zeros and ones.
Attribute TextParser::array() {
  at.expect("<");
  const Type of = type();
  std::vector<std::int64_t> values;
  if (at.accept(":")) {
    do {
      if (at.accept("true")) {
        values.push_back(1);
      } else if (at.accept("false")) {
        values.push_back(0);
      } else if (of.kind == Type::Kind::tensor && is_float(of.element)) {
        at.malformed("an array of floats");
      } else {
        values.push_back(at.integer());
      }
    } while (at.accept(","));
  }
  at.expect(">");
  return {std::move(values)};
}

std::vector<std::int64_t> TextParser::integers() {
  std::vector<std::int64_t> list;
  at.expect("[");
  while (!at.accept("]")) {
    if (!list.empty()) at.expect(",");
    if (at.accept("true")) {
      list.push_back(1);
    } else if (at.accept("false")) {
      list.push_back(0);
    } else {
      list.push_back(at.integer());
    }
  }
  return list;
}

AttributeList TextParser::list(char opens, char closes) {
  AttributeList parts;
  at.expect({&opens, 1});
  while (!at.accept({&closes, 1})) {
    if (!parts.empty()) at.expect(",");
    parts.push_back(attribute());
  }
  return parts;
}

Dictionary TextParser::dictionary() {
  const Deeper deeper(*this);
  Dictionary entries;
  at.expect("{");
  while (!at.accept("}")) {
    if (!entries.empty()) at.expect(",");
    std::string name = at.peek() == '"' ? at.string() : std::string(at.word());
    if (name.empty()) at.malformed("an attribute without a name");
    Attribute value{true};
    if (at.accept("=")) value = attribute();
    entries.push_back({std::move(name), std::move(value)});
  }
  return sorted_by_name(std::move(entries));
}

Dictionary TextParser::optional_dictionary() {
  return at.peek() == '{' ? dictionary() : Dictionary{};
}

std::string TextParser::sharding() { return "#sdy.sharding" + evenly_spaced(at.angles()); }

Dictionary TextParser::fields() {
  Dictionary entries;
  at.expect("<");
  while (!at.accept(">")) {
    if (!entries.empty()) at.expect(",");
    std::string name(at.word());
    if (name.empty()) at.malformed("a field without a name");
    at.expect("=");
    entries.push_back({std::move(name), with_integers(attribute())});
  }
  return sorted_by_name(std::move(entries));
}

Attribute TextParser::marked_attribute() {
  const std::size_t begin = at.offset();
  const std::string name = at.name('#');
  if (aliases_.contains("#" + name)) return at_alias("#" + name, [this] { return attribute(); });
  const auto as_text = [&] {
    if (at.peek() == '<') static_cast<void>(at.angles());
    return evenly_spaced(at.all().substr(begin, at.offset() - begin));
  };
  if (name.starts_with("sdy.") || name == "stablehlo.bounds") return {as_text()};
  if (name == "stablehlo.type_extensions") {  // as bounds were called before 1.0
    const Dictionary read = fields();
    std::string text;
    for (const NamedAttribute& field : read) {
      const auto* const bounds = std::get_if<std::vector<std::int64_t>>(&field.value.value);
      if (bounds == nullptr) continue;
      for (const std::int64_t bound : *bounds)
        text +=
            fmt::format("{}{}", text.empty() ? "" : ", ", bound < 0 ? "?" : fmt::to_string(bound));
    }
    return {fmt::format("#stablehlo.bounds<{}>", text)};
  }
  if (!name.starts_with("stablehlo") && !name.starts_with("chlo")) {
    static_cast<void>(as_text());
    return {fmt::format("#{}<...>", name.substr(0, name.find('.')))};
  }
  if (name == "stablehlo.conv") {
    at.expect("<");
    Dictionary numbers = convolution_dimensions();
    at.expect(">");
    return {std::move(numbers)};
  }
  constexpr std::array<std::string_view, 8> structures{"stablehlo.dot",
                                                       "stablehlo.gather",
                                                       "stablehlo.scatter",
                                                       "stablehlo.channel_handle",
                                                       "stablehlo.result_accuracy",
                                                       "stablehlo.dot_algorithm",
                                                       "stablehlo.output_operand_alias",
                                                       "chlo.ragged_dot"};
  if (std::ranges::find(structures, name) != structures.end()) return {fields()};
  at.expect("<");
  std::string value(at.word());  // "#stablehlo<precision DEFAULT>", "#stablehlo.precision<DEFAULT>"
  if (const std::string_view second = at.word(); !second.empty()) value = second;
  at.expect(">");
  return {std::move(value)};
}

Dictionary TextParser::convolution_dimensions() {
  struct Part {
    std::string_view batch, feature, spatial;
    char first, second;
  };
  constexpr std::array<Part, 3> parts{{
      {"input_batch_dimension", "input_feature_dimension", "input_spatial_dimensions", 'b', 'f'},
      {"kernel_input_feature_dimension", "kernel_output_feature_dimension",
       "kernel_spatial_dimensions", 'i', 'o'},
      {"output_batch_dimension", "output_feature_dimension", "output_spatial_dimensions", 'b', 'f'},
  }};
  if (at.accept("raw")) at.malformed("raw dimension numbers of a convolution");
  Dictionary all;
  for (const Part& part : parts) {
    if (&part != parts.data()) at.expect(&part == &parts[1] ? "x" : "->");
    std::int64_t position = 0, first = -1, second = -1;
    std::vector<std::pair<std::int64_t, std::int64_t>> spatial;
    at.expect("[");
    while (!at.accept("]")) {
      if (position > 0) at.expect(",");
      const char c = at.peek();
      if (c == part.first || c == part.second) {
        static_cast<void>(at.word());
        (c == part.first ? first : second) = position;
      } else if (!at.accept("?")) {
        spatial.emplace_back(at.integer(), position);
      }
      ++position;
    }
    if (first < 0 || second < 0) at.malformed("dimension numbers without their letters");
    std::ranges::sort(spatial);
    std::vector<std::int64_t> places;
    for (const auto& [number, place] : spatial) places.push_back(place);
    all.push_back({std::string(part.batch), {first}});
    all.push_back({std::string(part.feature), {second}});
    all.push_back({std::string(part.spatial), {std::move(places)}});
  }
  return sorted_by_name(std::move(all));
}

}  // namespace trainyard::graph
