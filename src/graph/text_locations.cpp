// "loc(...)" in MLIR text, as the artifact reader has it: the outermost name is the framework's
// name of the operation, a name around a source line the function that the line stands in.
#include "graph/text_parser.h"

namespace trainyard::graph {

std::optional<Location> TextParser::optional_location() {
  if (!at.accept("loc")) return std::nullopt;
  Place place;
  at.expect("(");
  add_location(place);
  at.expect(")");
  while (place.scope.ends_with(':')) place.scope.pop_back();
  return Location{std::move(place.scope), std::move(place.frames)};
}

void TextParser::add_location(Place& place) {
  constexpr int depth_max = 1500, parts_max = 4000;
  const Deeper deeper(*this, depth_max);
  constexpr std::size_t frames_max = 256;
  if (++place.parts > parts_max) at.malformed("a location of too many parts");
  const bool counts = place.frames.size() < frames_max;
  if (at.accept("loc")) {  // what an alias stands for
    at.expect("(");
    add_location(place);
    at.expect(")");
  } else if (at.peek() == '#') {
    const std::string name = at.name('#');
    if (!aliases_.contains("#" + name)) at.malformed("a location #" + name + " without a meaning");
    at_alias("#" + name, [&] {
      add_location(place);
      return 0;
    });
  } else if (at.accept("unknown")) {
  } else if (at.accept("callsite")) {
    at.expect("(");
    add_location(place);
    at.expect("at");
    add_location(place);
    at.expect(")");
  } else if (at.accept("fused")) {
    if (at.peek() == '<') static_cast<void>(at.angles());
    at.expect("[");
    for (bool is_first = true; !at.accept("]"); is_first = false) {
      if (!is_first) at.expect(",");
      add_location(place);
    }
  } else {
    std::string text = at.string();
    if (at.accept(":")) {
      SourceLine frame{.file = std::move(text)};
      frame.line = static_cast<std::int32_t>(at.integer());
      at.expect(":");
      frame.column = static_cast<std::int32_t>(at.integer());
      if (at.accept("to")) {
        if (at.peek() != ':') static_cast<void>(at.integer());
        at.expect(":");
        static_cast<void>(at.integer());
      }
      if (counts) place.frames.push_back(std::move(frame));
      return;
    }
    const std::size_t before = place.frames.size();
    const bool is_scope = place.scope.empty() && before == 0;
    if (is_scope) place.scope = text;
    if (at.accept("(")) {
      add_location(place);
      at.expect(")");
    }
    if (!is_scope && place.frames.size() == before + 1)
      place.frames.back().function = std::move(text);
  }
}

}  // namespace trainyard::graph
