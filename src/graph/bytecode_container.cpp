#include "graph/bytecode_container.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <tuple>

namespace trainyard::graph {

namespace {

enum SectionId : std::uint8_t {
  strings_section,
  dialects_section,
  values_section,
  offsets_section,
  program_section,
  resources_section,
  resource_offsets_section,
  versions_section,
  properties_section,
  section_ids,
};
using Sections = std::array<std::optional<Extent>, section_ids>;

Extent needed(const Cursor& at, const Sections& sections, SectionId id, std::string_view name) {
  if (!sections[id].has_value()) at.malformed(fmt::format("no section of {}", name));
  return *sections[id];
}

void read_strings(Cursor at, Container& into) {
  const std::size_t count = at.count("strings");
  std::vector<std::size_t> sizes(count);
  std::size_t total = 0;
  for (std::size_t i = count; i-- > 0;) {
    sizes[i] = at.count("bytes of a string");
    if (sizes[i] == 0) at.malformed("a string without its final zero byte");
    total += sizes[i];
    if (total > at.end()) at.malformed("strings longer than the file");
  }
  for (const std::size_t size : sizes) {
    const auto bytes = at.take(size, "a string");
    into.strings.emplace_back(reinterpret_cast<const char*>(bytes.data()), size - 1);
  }
  at.expect_end("the strings");
}

std::vector<std::string_view> read_dialects(Cursor at, Container& into) {
  const std::size_t count = at.count("dialects");
  std::vector<std::string_view> dialects;
  for (std::size_t i = 0; i < count; ++i) {
    bool versioned = false;
    std::uint64_t name = 0;
    if (into.version >= bytecode_dialect_versions) {
      std::tie(name, versioned) = at.flagged();
    } else {
      name = at.varint();
    }
    if (name >= into.strings.size()) at.malformed("a dialect without a name");
    dialects.push_back(into.strings[name]);
    if (versioned) static_cast<void>(at.section());
  }
  if (into.version >= bytecode_elided_locations) static_cast<void>(at.varint());  // total of names
  while (!at.at_end()) {
    const std::string_view dialect = dialects.at(at.index(dialects.size(), "dialect"));
    const std::size_t names = at.count("names of operations");
    for (std::size_t i = 0; i < names; ++i) {
      const std::uint64_t name =
          into.version >= bytecode_properties ? at.flagged().first : at.varint();
      if (name >= into.strings.size()) at.malformed("an operation without a name");
      into.op_names.push_back({dialect, into.strings[name]});
    }
  }
  return dialects;
}

struct EntryReader {
  Cursor& at;
  const std::vector<std::string_view>& dialects;
  Extent values;

  void read(std::size_t count, std::vector<BytecodeEntry>& entries) {
    while (entries.size() < count) {
      const std::string_view dialect = dialects.at(at.index(dialects.size(), "dialect"));
      const std::size_t group = at.count("entries");
      if (group > count - entries.size()) at.malformed("more entries than announced");
      for (std::size_t i = 0; i < group; ++i) {
        const auto [size, custom] = at.flagged();
        if (size > values.end - values.begin) at.malformed("an entry behind its section");
        const Extent extent{values.begin, values.begin + static_cast<std::size_t>(size)};
        entries.push_back({dialect, custom, extent});
        values.begin = extent.end;
      }
    }
  }
};

void read_properties(Cursor at, Container& into) {
  const std::size_t count = at.count("sets of properties");
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t size = at.count("bytes of properties");
    const std::size_t begin = at.offset();
    static_cast<void>(at.take(size, "properties"));
    into.properties.push_back({begin, begin + size});
  }
  at.expect_end("the properties");
}

}  // namespace

Container read_container(std::span<const std::byte> bytes) {
  constexpr std::array<std::uint8_t, 4> magic{0x4D, 0x4C, 0xEF, 0x52};
  Container into{.bytes = bytes};
  Cursor at(bytes, 0, bytes.size());
  for (const std::uint8_t expected : magic) {
    if (at.byte() != expected) Cursor(bytes, 0, bytes.size()).malformed("no MLIR bytecode");
  }
  into.version = at.varint();
  if (into.version > bytecode_newest) {
    at.malformed(fmt::format("bytecode version {}; {} is the newest that is known", into.version,
                             bytecode_newest));
  }
  into.producer = std::string(at.terminated("the producer"));
  Sections sections;
  while (!at.at_end()) {
    const Cursor::Section section = at.section();
    if (section.id >= section_ids) at.malformed(fmt::format("section {}", section.id));
    if (sections[section.id].has_value()) at.malformed("a section that comes twice");
    sections[section.id] = Extent{section.begin, section.end};
  }
  read_strings(into.at(needed(at, sections, strings_section, "strings")), into);
  const auto dialects =
      read_dialects(into.at(needed(at, sections, dialects_section, "dialects")), into);
  Cursor offsets = into.at(needed(at, sections, offsets_section, "offsets"));
  const std::size_t attributes = offsets.count("attributes"), types = offsets.count("types");
  EntryReader entries{offsets, dialects, needed(at, sections, values_section, "values")};
  entries.read(attributes, into.attributes);
  entries.read(types, into.types);
  offsets.expect_end("the offsets");
  if (sections[properties_section]) read_properties(into.at(*sections[properties_section]), into);
  into.program = needed(at, sections, program_section, "operations");
  return into;
}

}  // namespace trainyard::graph
