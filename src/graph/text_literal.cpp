// "dense<...> : type" in MLIR text: numbers in nested lists, one number for all elements, or bytes
// in hexadecimal.
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <utility>

#include "graph/literal_bytes.h"
#include "graph/text_parser.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

// The numbers of a literal whose type follows behind it: where each stands in the text.
struct Numbers {
  std::vector<std::size_t> offsets{};
  bool is_splat = false;
};

class DenseReader {
 public:
  explicit DenseReader(TextParser& parser) : parser_(parser), at_(parser.at) {}

  Literal read() {
    at_.expect("<");
    if (at_.accept("...")) at_.malformed("a constant whose content was left out of the text");
    std::string bytes;
    const bool is_bytes = at_.peek() == '"';
    if (is_bytes) {
      bytes = at_.string();
    } else if (at_.peek() != '>') {
      numbers_.is_splat = at_.peek() != '[';
      collect();
    }
    at_.expect(">");
    at_.expect(":");
    Type type = parser_.type();
    if (type.kind != Type::Kind::tensor || !type.is_static()) at_.malformed("a tensor of no size");
    const std::size_t end = at_.offset();
    Literal made = is_bytes ? from_bytes(std::move(type), bytes) : from_numbers(std::move(type));
    at_.move_to(end);
    return made;
  }

 private:
  // Takes lists and numbers, whose form cannot be known before the type is.
  void collect() {
    const TextParser::Deeper deeper(parser_);
    if (at_.accept("[")) {
      bool is_first = true;
      while (!at_.accept("]")) {
        if (!std::exchange(is_first, false)) at_.expect(",");
        collect();
      }
      return;
    }
    numbers_.offsets.push_back(at_.offset());
    skip_number();
  }

  void skip_number() {
    if (at_.accept("(")) {
      skip_number();
      at_.expect(",");
      skip_number();
      at_.expect(")");
    } else if (at_.peek() == '"') {
      at_.malformed("a tensor of strings");
    } else if (at_.word().empty()) {
      static_cast<void>(at_.number());
    }
  }

  Literal from_numbers(Type type) {
    const auto wanted = static_cast<std::size_t>(type.elements());
    const std::size_t found = numbers_.offsets.size();
    if (numbers_.is_splat ? found != 1 : found != wanted)
      at_.malformed(fmt::format("{} numbers for {}", found, to_string(type)));
    Literal made{.type = std::move(type)};
    const ElementType element = made.type.element;
    const auto size = static_cast<std::size_t>(size_in_bytes(element));
    if (wanted == 0) return made;
    made.content.resize(found * size);
    for (std::size_t i = 0; i < found; ++i) {
      at_.move_to(numbers_.offsets[i]);
      put_number(element, {made.content.data() + i * size, size});
    }
    made.splat = numbers_.is_splat && wanted != 1;
    join_equal(made);
    return made;
  }

  void put_number(ElementType element, std::span<std::byte> to) {
    if (is_complex(element)) {
      const ElementType part = element == ElementType::c64 ? ElementType::f32 : ElementType::f64;
      at_.expect("(");
      put_number(part, to.subspan(0, to.size() / 2));
      at_.expect(",");
      put_number(part, to.subspan(to.size() / 2));
      at_.expect(")");
      return;
    }
    std::uint64_t pattern = 0;
    if (at_.accept("true")) {
      pattern = 1;
    } else if (!at_.accept("false")) {
      pattern = pattern_of(element);
    }
    std::memcpy(to.data(), &pattern, to.size());
  }

  std::uint64_t pattern_of(ElementType element) {
    if (!is_float(element)) return static_cast<std::uint64_t>(at_.integer());
    const std::size_t begin = at_.offset();
    const std::string text(at_.number());
    if (text.find("0x") == std::string::npos) {
      const double number = std::strtod(text.c_str(), nullptr);
      // The format has no zero: MLIR takes its smallest number.
      if (element == ElementType::f8e8m0fnu && number == 0) return 0;
      return float_pattern(element, number);
    }
    at_.move_to(begin);
    return static_cast<std::uint64_t>(at_.integer());
  }

  Literal from_bytes(Type type, std::string_view text) {
    const auto digit = [&](char c) -> unsigned {
      if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
      const auto lower = static_cast<char>(c | 0x20);
      if (lower >= 'a' && lower <= 'f') return static_cast<unsigned>(lower - 'a') + 10;
      at_.malformed("a constant that is not hexadecimal");
    };
    if (!text.starts_with("0x") || text.size() % 2 != 0)
      at_.malformed("a constant of bytes that does not begin with 0x");
    std::vector<std::byte> bytes;
    for (std::size_t i = 2; i + 1 < text.size(); i += 2)
      bytes.push_back(static_cast<std::byte>(16 * digit(text[i]) + digit(text[i + 1])));
    const std::string name = to_string(type);
    auto made = literal_of_bytes(std::move(type), bytes);
    if (!made) at_.malformed(fmt::format("{} bytes for {}", bytes.size(), name));
    return *std::move(made);
  }

  TextParser& parser_;
  TextCursor& at_;
  Numbers numbers_;
};

}  // namespace

Literal TextParser::dense() { return DenseReader(*this).read(); }

}  // namespace trainyard::graph
