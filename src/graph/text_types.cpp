// Types in MLIR text.
#include <fmt/format.h>

#include <charconv>
#include <limits>

#include "graph/text_parser.h"

namespace trainyard::graph {

namespace {

constexpr std::int64_t elements_max = std::int64_t{1} << 48;

// The "2x?x" of "2x?xf32" and what is left: MLIR writes shapes and elements as one word.
std::string_view take_shape(const TextCursor& at, std::string_view text,
                            std::vector<std::int64_t>& shape) {
  while (!text.empty()) {
    std::int64_t extent = dynamic_extent;
    std::size_t used = 1;
    if (text[0] != '?') {
      const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
      used = static_cast<std::size_t>(rest - text.data());
      if (error != std::errc() || used == 0 || used >= text.size() || text[used] != 'x')
        return text;
    } else if (text.size() < 2 || text[1] != 'x') {
      return text;
    }
    if (extent > elements_max) at.malformed("a dimension of more than 2^48");
    shape.push_back(extent);
    text.remove_prefix(used + 1);
  }
  return text;
}

void check_size(const TextCursor& at, const Type& type) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : type.shape) {
    elements *= std::max<std::int64_t>(extent, 1);
    if (elements > elements_max) at.malformed("a tensor of more than 2^48 elements");
  }
}

}  // namespace

Type TextParser::type_of_word(std::string_view word) {
  if (word == "index") return {.element = ElementType::s64};
  if (word == "none" || word == "memref" || word == "vector") return other_type(std::string(word));
  if (word == "token") return {.kind = Type::Kind::token};
  if (const auto element = element_type_from_name(word)) return {.element = *element};
  if (word.starts_with("si")) {  // signless and signed integers are the same here
    if (const auto element = element_type_from_name(word.substr(1))) return {.element = *element};
  }
  at.malformed(fmt::format("the type `{}`", word));
}

Type TextParser::type() {
  const Deeper deeper(*this);
  if (at.peek() == '!') {
    const std::size_t begin = at.offset();
    const std::string name = at.name('!');
    if (aliases_.contains("!" + name)) return at_alias("!" + name, [this] { return type(); });
    if (name == "stablehlo.token") return {.kind = Type::Kind::token};
    if (name == "quant.uniform") {
      at.move_to(begin);
      return quantized();
    }
    std::string text = "!" + name;
    if (at.peek() == '<') text += at.angles();
    return other_type(std::move(text));
  }
  if (at.accept("tensor")) return tensor();
  if (at.accept("tuple")) {
    Type tuple{.kind = Type::Kind::tuple};
    at.expect("<");
    while (!at.accept(">")) {
      if (!tuple.parts.empty()) at.expect(",");
      tuple.parts.push_back(type());
    }
    return tuple;
  }
  if (at.accept("complex")) {
    at.expect("<");
    const Type part = type();
    at.expect(">");
    if (part.element == ElementType::f32) return {.element = ElementType::c64};
    if (part.element == ElementType::f64) return {.element = ElementType::c128};
    at.malformed("a complex number of another type than f32 and f64");
  }
  if (at.peek() == '(') {
    static_cast<void>(types());
    at.expect("->");
    static_cast<void>(types());
    return other_type("function");
  }
  const std::string_view word = at.word();
  if (word.empty()) at.malformed("no type where one is wanted");
  Type found = type_of_word(word);
  if (found.kind == Type::Kind::other && at.peek() == '<') found.text += at.angles();
  return found;
}

Type TextParser::tensor() {
  at.expect("<");
  if (at.accept("*x")) {
    const Type element = type();
    at.expect(">");
    const std::string_view name =
        element.kind == Type::Kind::tensor ? graph::name(element.element) : element.text;
    return other_type(fmt::format("tensor<*x{}>", name));
  }
  std::vector<std::int64_t> shape;
  static_cast<void>(at.peek());
  const std::string_view rest = at.all().substr(at.offset());
  const std::string_view behind = take_shape(at, rest.substr(0, rest.find_first_of(",>")), shape);
  at.move_to(static_cast<std::size_t>(behind.data() - at.all().data()));
  const Type element = type();
  if (element.kind == Type::Kind::other) {
    at.expect(">");
    return other_type(fmt::format("tensor<{} of {}>", fmt::join(shape, "x"), element.text));
  }
  if (element.kind != Type::Kind::tensor || element.rank() != 0)
    at.malformed("a tensor whose elements are no numbers");
  Type made = element;
  made.shape = std::move(shape);
  check_size(at, made);
  if (at.accept(",")) {
    const Attribute encoding = attribute();
    const auto* const text = std::get_if<std::string>(&encoding.value);
    made.encoding = text == nullptr ? "#..." : *text;
  }
  at.expect(">");
  return made;
}

// As the artifact reader has it: with the range of what is stored.
Type TextParser::quantized() {
  at.expect("!quant.uniform");
  at.expect("<");
  Type made = type();
  if (made.kind != Type::Kind::tensor || !is_integer(made.element))
    at.malformed("a quantised number that is stored as no integer");
  const int width = bits(made.element);
  const bool is_plus = is_unsigned(made.element);
  std::int64_t least = is_plus ? 0 : -(std::int64_t{1} << (width - 1));
  std::int64_t greatest = (std::int64_t{1} << (is_plus ? std::min(width, 62) : width - 1)) - 1;
  if (at.accept("<")) {
    least = at.integer();
    at.expect(":");
    greatest = at.integer();
    at.expect(">");
  }
  at.expect(":");
  const Type expressed = type();
  const auto scale_and_zero = [this] {
    const double scale = std::strtod(std::string(at.number()).c_str(), nullptr);
    const std::int64_t zero = at.accept(":") ? at.integer() : 0;
    return fmt::format("{}:{}", scale, zero);
  };
  std::string axis, scales;
  if (at.accept(":")) {
    axis = fmt::format(":{}", at.integer());
    at.expect(",");
    at.expect("{");
    while (!at.accept("}")) {
      if (!scales.empty()) at.expect(",");
      scales += (scales.empty() ? "" : ", ") + scale_and_zero();
    }
    scales = fmt::format("{{{}}}", scales);
  } else {
    at.expect(",");
    scales = scale_and_zero();
  }
  at.expect(">");
  made.quantized = fmt::format("!quant.uniform<{}<{}:{}>:{}{}, {}>", graph::name(made.element),
                               least, greatest, graph::name(expressed.element), axis, scales);
  return made;
}

std::vector<Type> TextParser::types() {
  if (!at.accept("(")) return {type()};
  std::vector<Type> list;
  while (!at.accept(")")) {
    if (!list.empty()) at.expect(",");
    list.push_back(type());
  }
  return list;
}

}  // namespace trainyard::graph
