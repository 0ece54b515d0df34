// What stands around operations in MLIR text: types, attributes, locations, and the aliases that
// name them ("#loc3", "!t").
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/attribute.h"
#include "graph/module.h"
#include "graph/text_cursor.h"

namespace trainyard::graph {

class TextParser {
 public:
  TextParser(std::string_view text, std::string_view file);

  TextCursor at;

  [[nodiscard]] Type type();
  // "(a, b)" or one type.
  [[nodiscard]] std::vector<Type> types();
  [[nodiscard]] Attribute attribute();
  // "{a = 1, b}"; the entries are sorted by name.
  [[nodiscard]] Dictionary dictionary();
  [[nodiscard]] Dictionary optional_dictionary();
  [[nodiscard]] std::vector<std::int64_t> integers();  // "[1, 2]", "[true]"
  [[nodiscard]] AttributeList list(char opens, char closes);
  // "<@mesh, [{"a"}, {}]>", as the attribute "#sdy.sharding<...>" has it.
  [[nodiscard]] std::string sharding();
  // The fields of a structure in angles: "<a = [0], b = 1>".
  [[nodiscard]] Dictionary fields();
  [[nodiscard]] Literal dense();  // behind "dense"
  // "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]", as flat attributes.
  [[nodiscard]] Dictionary convolution_dimensions();
  // "loc(...)" where it comes next; nothing otherwise.
  [[nodiscard]] std::optional<Location> optional_location();

  // Counts how deep the reader is, for as long as this lives; too deep is malformed.
  class Deeper {
   public:
    explicit Deeper(TextParser& parser, int depth_max = 200);
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;

   private:
    TextParser& parser_;
  };

 private:
  struct Place {
    std::string scope{};
    std::vector<SourceLine> frames{};
    int parts = 0;
  };
  void find_aliases();
  // Calls read() where the alias is defined and comes back.
  template <typename Read>
  auto at_alias(const std::string& name, Read read);
  Type type_of_word(std::string_view word);
  Type tensor();
  Type quantized();
  Attribute number_attribute();
  Attribute marked_attribute();  // behind "#"
  Attribute array();
  void add_location(Place& place);

  std::map<std::string, std::size_t, std::less<>> aliases_;  // "#loc3" to the offset of its value
  int depth_ = 0;
};

template <typename Read>
auto TextParser::at_alias(const std::string& name, Read read) {
  const std::size_t back = at.offset();
  at.move_to(aliases_.find(name)->second);
  auto value = read();
  at.move_to(back);
  return value;
}

}  // namespace trainyard::graph
