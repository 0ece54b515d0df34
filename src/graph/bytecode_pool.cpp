#include "graph/bytecode_pool.h"

#include <fmt/format.h>

namespace trainyard::graph {

namespace {

// Entries refer to entries; a file can make a circle of them.
constexpr int depth_max = 64;

enum LocationCode : std::uint64_t {
  call_site = 10,
  file_line = 11,
  fused = 12,
  fused_with_metadata = 13,
  named = 14,
  file_range = 22,
};

class Deeper {
 public:
  Deeper(int& depth, const Cursor& at) : depth_(depth) {
    if (depth_ >= depth_max) at.malformed("types or attributes nested too deeply");
    ++depth_;
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  int& depth_;
};

Type text_type(std::string_view text) {
  if (text == "!stablehlo.token") return {.kind = Type::Kind::token};
  return {.kind = Type::Kind::other, .text = std::string(text)};
}

}  // namespace

BytecodePool::BytecodePool(const Container& container)
    : container_(container),
      types_(container.types.size()),
      attributes_(container.attributes.size()) {}

std::string_view BytecodePool::string(Cursor& at) const {
  return container_.strings[at.index(container_.strings.size(), "string")];
}

const Type& BytecodePool::type(Cursor& at) { return type_at(at.index(types_.size(), "type"), at); }

const Type& BytecodePool::type_at(std::size_t index, const Cursor& at) {
  const Deeper deeper(depth_, at);
  if (!types_[index].has_value()) types_[index] = decode_type(index);
  return *types_[index];
}

const Attribute& BytecodePool::attribute(Cursor& at) {
  const std::size_t index = at.index(attributes_.size(), "attribute");
  const Deeper deeper(depth_, at);
  if (!attributes_[index].has_value()) attributes_[index] = decode_attribute(index);
  return *attributes_[index];
}

std::optional<Attribute> BytecodePool::optional_attribute(Cursor& at) {
  const auto [index, present] = at.flagged();
  if (!present) return std::nullopt;
  if (index >= attributes_.size()) at.malformed(fmt::format("attribute {}", index));
  const Deeper deeper(depth_, at);
  auto& found = attributes_[static_cast<std::size_t>(index)];
  if (!found.has_value()) found = decode_attribute(static_cast<std::size_t>(index));
  return *found;
}

std::vector<Type> BytecodePool::types(Cursor& at) {
  std::vector<Type> list;
  for (std::size_t left = at.count("types"); left > 0; --left) list.push_back(type(at));
  return list;
}

std::vector<Attribute> BytecodePool::attributes(Cursor& at) {
  std::vector<Attribute> list;
  for (std::size_t left = at.count("attributes"); left > 0; --left) list.push_back(attribute(at));
  return list;
}

std::string BytecodePool::text_of(Cursor& at) {
  const Attribute& found = attribute(at);
  const auto* const text = std::get_if<std::string>(&found.value);
  if (text == nullptr) at.malformed("an attribute that is no string");
  return *text;
}

Type BytecodePool::decode_type(std::size_t index) {
  const BytecodeEntry& entry = container_.types[index];
  Cursor at = container_.at(entry.extent);
  if (!entry.custom) return text_type(at.terminated("a type"));
  if (entry.dialect == "vhlo") return decode_vhlo_type(at, *this);
  if (entry.dialect == "builtin") return decode_builtin_type(at, *this);
  constexpr std::uint64_t stablehlo_token = 0;
  if (entry.dialect == "stablehlo" && at.varint() == stablehlo_token) {
    return {.kind = Type::Kind::token};
  }
  at.malformed(fmt::format("a type of the dialect {}", entry.dialect));
}

Attribute BytecodePool::decode_attribute(std::size_t index) {
  const BytecodeEntry& entry = container_.attributes[index];
  Cursor at = container_.at(entry.extent);
  if (!entry.custom) return {std::string(at.terminated("an attribute"))};
  if (entry.dialect == "vhlo") return decode_vhlo_attribute(at, *this);
  if (entry.dialect == "builtin") return decode_builtin_attribute(at, *this);
  if (entry.dialect == "sdy") return decode_sdy_attribute(at, *this);
  // Kept as a mark that something stood here: nothing that is read depends on it.
  return {fmt::format("#{}<...>", entry.dialect)};
}

Location BytecodePool::location(Cursor& at) {
  Place place;
  add_location(at.index(attributes_.size(), "location"), 0, place);
  while (place.scope.ends_with(':')) place.scope.pop_back();
  return {std::move(place.scope), std::move(place.frames)};
}

// The outermost name is the framework's name of the operation; a name around a source line is the
// function that the line stands in.
void BytecodePool::add_location(std::size_t index, int depth, Place& place) {
  const BytecodeEntry& entry = container_.attributes[index];
  Cursor at = container_.at(entry.extent);
  // A call stack is as deep as the author's program; what lies beyond these limits is left out.
  // Parts may be shared, so that their number can grow with two to the depth.
  constexpr int location_depth_max = 1000, parts_max = 4000;
  constexpr std::size_t frames_max = 256;
  if (depth > location_depth_max || ++place.parts > parts_max) return;
  if (!entry.custom || entry.dialect != "builtin" || place.frames.size() >= frames_max) return;
  switch (at.varint()) {
    case call_site:
      add_location(at.index(attributes_.size(), "location"), depth + 1, place);
      add_location(at.index(attributes_.size(), "location"), depth + 1, place);
      break;
    case file_line: {
      SourceLine frame{.file = text_of(at)};
      frame.line = static_cast<std::int32_t>(at.varint());
      frame.column = static_cast<std::int32_t>(at.varint());
      place.frames.push_back(std::move(frame));
      break;
    }
    case file_range: {
      SourceLine frame{.file = text_of(at)};
      const std::size_t numbers = at.count("numbers of a range");
      if (numbers > 0) frame.line = static_cast<std::int32_t>(at.varint());
      if (numbers > 1) frame.column = static_cast<std::int32_t>(at.varint());
      place.frames.push_back(std::move(frame));
      break;
    }
    case fused:
    case fused_with_metadata:  // the metadata stands behind the locations
      for (std::size_t left = at.count("locations"); left > 0; --left) {
        add_location(at.index(attributes_.size(), "location"), depth + 1, place);
      }
      break;
    case named: {
      std::string name = text_of(at);
      const std::size_t before = place.frames.size();
      const bool is_scope = place.scope.empty() && before == 0;
      if (is_scope) place.scope = name;
      add_location(at.index(attributes_.size(), "location"), depth + 1, place);
      if (!is_scope && place.frames.size() == before + 1) {
        place.frames.back().function = std::move(name);
      }
      break;
    }
    default: break;
  }
}

}  // namespace trainyard::graph
