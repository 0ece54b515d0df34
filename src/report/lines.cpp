#include "report/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/source_file.h"
#include "base/stable_sort.h"
#include "report/next_step.h"

namespace trainyard::report {
namespace {

// What the instructions of one frame and one opcode took together: a program has few of those,
// however often it is unrolled.
struct Sum {
  std::uint32_t first = 0;  // of its instructions
  Line line;
  std::string library{};  // its line that the frame's own line calls
};

const isa::Frame& frame_of(const isa::Program& program, std::uint32_t i) {
  return program.frames[program.locations[program.instructions[i].location].frame];
}

void add(const isa::Program& program, const trace::Summary& summary, Slacks slacks, std::uint32_t i,
         Line& line) {
  const trace::ReasonTotals engine = summary.of_instruction(trace::Side::engine, i);
  line.executions += summary.executions(i);
  line.engine += engine;
  if (const auto e = static_cast<std::size_t>(program.instructions[i].engine);
      e < line.busy_on.size())
    line.busy_on[e] += busy(engine);
  line.service += summary.of_instruction(trace::Side::service, i);
  if (i < slacks.size() && slacks[i])
    line.slack = std::min(*slacks[i], line.slack.value_or(*slacks[i]));
}

class Libraries {
 public:
  explicit Libraries(const isa::Program& program)
      : program_(program), known_(program.strings.size()) {}

  // The line of a library that the instruction's own line calls.
  std::string line_of(std::uint32_t i) {
    const isa::Frame& own = frame_of(program_, i);
    const isa::Frame& next = program_.frames[own.caller];
    if (own.caller == 0 || is_library(own.file) || !is_library(next.file)) return {};
    return fmt::format("{}:{}", base::within_packages(program_.strings[next.file]), next.line);
  }

 private:
  bool is_library(std::uint32_t file) {
    if (!known_[file]) known_[file] = base::is_library(program_.strings[file]);
    return *known_[file];
  }

  const isa::Program& program_;
  std::vector<std::optional<bool>> known_;  // by file
};

// In the order of their first instructions; those that never ran are left out.
std::vector<Sum> sums_of(const isa::Program& program, const trace::Summary& summary,
                         Slacks slacks) {
  std::vector<Sum> sums;
  Libraries libraries(program);
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (summary.executions(i) == 0) continue;
    const isa::Instruction& instruction = program.instructions[i];
    const std::uint64_t frame = program.locations[instruction.location].frame;
    const auto [place, is_new] =
        places.try_emplace((frame << 16) | instruction.opcode, sums.size());
    if (is_new) sums.push_back({.first = i, .line = {}, .library = libraries.line_of(i)});
    add(program, summary, slacks, i, sums[place->second].line);
  }
  return sums;
}

struct Group {
  Line line;
  std::map<std::string_view, std::int64_t> mnemonics;  // ticks on engines
  std::map<std::string, std::int64_t> libraries;       // likewise: by the line of a library
};

void add(const isa::Program& program, const Sum& sum, Group& group) {
  const Line& line = sum.line;
  group.line.executions += line.executions;
  group.line.engine += line.engine;
  for (std::size_t e = 0; e < line.busy_on.size(); ++e) group.line.busy_on[e] += line.busy_on[e];
  group.line.service += line.service;
  const std::int64_t ticks = line.engine.total().value;
  group.mnemonics[program.info_at(sum.first).mnemonic] += ticks;
  if (!sum.library.empty()) group.libraries[sum.library] += ticks;
  if (line.slack) group.line.slack = std::min(*line.slack, group.line.slack.value_or(*line.slack));
}

Line finish(Group group) {
  std::vector<std::pair<std::string_view, std::int64_t>> parts(group.mnemonics.begin(),
                                                               group.mnemonics.end());
  base::stable_sort(parts, std::ranges::greater{}, [](const auto& part) { return part.second; });
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

// Groups sums by `key`, which also names the line.
template <typename Key, typename KeyOf, typename Name>
std::vector<Line> fold(const isa::Program& program, std::span<const Sum> sums, KeyOf key_of,
                       Name name) {
  std::map<Key, Group> groups;
  for (const Sum& sum : sums) {
    const Key key = key_of(sum.first);
    Group& group = groups[key];
    name(key, group.line);
    add(program, sum, group);
  }
  std::vector<Line> lines;
  for (auto& [key, group] : groups) lines.push_back(finish(std::move(group)));
  base::stable_sort(lines, std::ranges::greater{},
                    [](const Line& line) { return line.engine.total(); });
  return lines;
}

std::vector<Line> by_line(const isa::Program& program, std::span<const Sum> sums) {
  // Lines in the order of their file's name and their number, so that ties come out the same
  // everywhere.
  using Key = std::pair<std::string_view, std::uint32_t>;
  std::map<Key, std::string_view> functions;
  const auto key_of = [&](std::uint32_t i) {
    const isa::Frame& frame = frame_of(program, i);
    const Key key{program.strings[frame.file], frame.line};
    functions.try_emplace(key, program.strings[frame.function]);
    return key;
  };
  return fold<Key>(program, sums, key_of, [&](const Key& key, Line& line) {
    if (!key.first.empty()) line.place = fmt::format("{}:{}", key.first, key.second);
    line.function = functions.at(key);
  });
}

std::vector<Line> by_operation(const isa::Program& program, std::span<const Sum> sums) {
  // Frameworks join the names of nested scopes; no function of a kernel has such a name.
  const auto is_scope = [&](const isa::Frame& frame) {
    return program.strings[frame.function].find('/') != std::string::npos;
  };
  if (std::ranges::none_of(program.frames, is_scope)) return {};
  using Key = std::string_view;
  std::map<Key, std::string> places;
  const auto key_of = [&](std::uint32_t i) -> Key {
    const isa::Frame& frame = frame_of(program, i);
    const Key key = program.strings[frame.function];
    places.try_emplace(key, program.strings[frame.file].empty()
                                ? std::string()
                                : fmt::format("{}:{}", program.strings[frame.file], frame.line));
    return key;
  };
  return fold<Key>(program, sums, key_of, [&](const Key& key, Line& line) {
    line.place = places.at(key);
    line.function = key;
  });
}

std::vector<Line> by_mnemonic(const isa::Program& program, std::span<const Sum> sums) {
  return fold<std::string_view>(
      program, sums, [&](std::uint32_t i) { return program.info_at(i).mnemonic; },
      [](std::string_view mnemonic, Line& line) { line.place = mnemonic; });
}

}  // namespace

Lines lines_of(const isa::Program& program, const trace::Summary& summary, Slacks slacks) {
  const std::vector<Sum> sums = sums_of(program, summary, slacks);
  return {by_line(program, sums), by_operation(program, sums), by_mnemonic(program, sums)};
}

}  // namespace trainyard::report
