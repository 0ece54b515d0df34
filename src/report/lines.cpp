#include "report/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/source_file.h"
#include "report/next_step.h"

namespace trainyard::report {
namespace {

struct Group {
  Line line;
  std::map<std::string_view, std::int64_t> mnemonics;  // ticks on engines
  std::map<std::string, std::int64_t> libraries;       // likewise: by the line of a library
};

// The line of a library that the instruction's own line calls.
std::string library_of(const isa::Program& program, std::uint32_t i) {
  const isa::Location& location = program.locations[program.instructions[i].location];
  const isa::Frame& own = program.frames[location.frame];
  const isa::Frame& next = program.frames[own.caller];
  if (own.caller == 0 || base::is_library(program.strings[own.file]) ||
      !base::is_library(program.strings[next.file]))
    return {};
  return fmt::format("{}:{}", base::within_packages(program.strings[next.file]), next.line);
}

void add(const isa::Program& program, const trace::Summary& summary, Slacks slacks, std::uint32_t i,
         Group& group) {
  const trace::ReasonTotals engine = summary.of_instruction(trace::Side::engine, i);
  group.line.executions += summary.executions(i);
  group.line.engine += engine;
  if (const auto e = static_cast<std::size_t>(program.instructions[i].engine);
      e < group.line.busy_on.size())
    group.line.busy_on[e] += busy(engine);
  group.line.service += summary.of_instruction(trace::Side::service, i);
  group.mnemonics[program.info_at(i).mnemonic] += engine.total().value;
  if (std::string library = library_of(program, i); !library.empty())
    group.libraries[std::move(library)] += engine.total().value;
  if (i < slacks.size() && slacks[i]) {
    group.line.slack = std::min(*slacks[i], group.line.slack.value_or(*slacks[i]));
  }
}

Line finish(Group group) {
  std::vector<std::pair<std::string_view, std::int64_t>> parts(group.mnemonics.begin(),
                                                               group.mnemonics.end());
  std::ranges::stable_sort(parts, std::ranges::greater{},
                           [](const auto& part) { return part.second; });
  for (const auto& [mnemonic, ticks] : parts) {
    group.line.mnemonics += fmt::format("{}{}", group.line.mnemonics.empty() ? "" : ", ", mnemonic);
  }
  if (!group.libraries.empty()) {
    const auto most =
        std::ranges::max_element(group.libraries, {}, [](const auto& each) { return each.second; });
    group.line.library = most->first;
    if (group.libraries.size() > 1)
      group.line.library += fmt::format(" and {} more", group.libraries.size() - 1);
  }
  return std::move(group.line);
}

// Groups all instructions that ran by `key`, which also names the line.
template <typename Key, typename KeyOf, typename Name>
std::vector<Line> fold(const isa::Program& program, const trace::Summary& summary, Slacks slacks,
                       KeyOf key_of, Name name) {
  std::map<Key, Group> groups;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (summary.executions(i) == 0) continue;
    const Key key = key_of(i);
    Group& group = groups[key];
    name(key, group.line);
    add(program, summary, slacks, i, group);
  }
  std::vector<Line> lines;
  for (auto& [key, group] : groups) lines.push_back(finish(std::move(group)));
  std::ranges::stable_sort(lines, std::ranges::greater{},
                           [](const Line& line) { return line.engine.total(); });
  return lines;
}

}  // namespace

std::vector<Line> lines_of(const isa::Program& program, const trace::Summary& summary,
                           Slacks slacks) {
  // Lines in the order of their file's name and their number, so that ties come out the same
  // everywhere.
  using Key = std::pair<std::string_view, std::uint32_t>;
  std::map<Key, std::string_view> functions;
  const auto key_of = [&](std::uint32_t i) {
    const isa::Location& location = program.locations[program.instructions[i].location];
    const isa::Frame& frame = program.frames[location.frame];
    const Key key{program.strings[frame.file], frame.line};
    functions.try_emplace(key, program.strings[frame.function]);
    return key;
  };
  return fold<Key>(program, summary, slacks, key_of, [&](const Key& key, Line& line) {
    if (!key.first.empty()) line.place = fmt::format("{}:{}", key.first, key.second);
    line.function = functions.at(key);
  });
}

std::vector<Line> operations_of(const isa::Program& program, const trace::Summary& summary,
                                Slacks slacks) {
  // Frameworks join the names of nested scopes; no function of a kernel has such a name.
  const auto is_scope = [&](const isa::Frame& frame) {
    return program.strings[frame.function].find('/') != std::string::npos;
  };
  if (std::ranges::none_of(program.frames, is_scope)) return {};
  using Key = std::string_view;
  std::map<Key, std::string> places;
  const auto key_of = [&](std::uint32_t i) -> Key {
    const isa::Location& location = program.locations[program.instructions[i].location];
    const isa::Frame& frame = program.frames[location.frame];
    const Key key = program.strings[frame.function];
    places.try_emplace(key, program.strings[frame.file].empty()
                                ? std::string()
                                : fmt::format("{}:{}", program.strings[frame.file], frame.line));
    return key;
  };
  return fold<Key>(program, summary, slacks, key_of, [&](const Key& key, Line& line) {
    line.place = places.at(key);
    line.function = key;
  });
}

std::vector<Line> mnemonics_of(const isa::Program& program, const trace::Summary& summary,
                               Slacks slacks) {
  return fold<std::string_view>(
      program, summary, slacks, [&](std::uint32_t i) { return program.info_at(i).mnemonic; },
      [](std::string_view mnemonic, Line& line) { line.place = mnemonic; });
}

}  // namespace trainyard::report
