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

using Frame = Origins::Frame;

// What the instructions of one frame and one mnemonic took together: a program has few of those,
// however often it is unrolled.
struct Sum {
  Frame frame;
  std::string_view mnemonic;
  Line line{};
  std::string library{};  // its line that the frame's own line calls
};

void add(std::size_t engine_number, const trace::Summary& summary, Slacks slacks, std::uint32_t i,
         Line& line) {
  const trace::ReasonTotals engine = summary.of_instruction(trace::Side::engine, i);
  line.executions += summary.executions(i);
  line.engine += engine;
  if (engine_number < line.busy_on.size()) line.busy_on[engine_number] += busy(engine);
  line.service += summary.of_instruction(trace::Side::service, i);
  if (i < slacks.size() && slacks[i])
    line.slack = std::min(*slacks[i], line.slack.value_or(*slacks[i]));
}

class Libraries {
 public:
  explicit Libraries(const std::vector<Frame>& frames) : frames_(frames) {}

  // The line of a library that the frame's own line calls.
  std::string line_of(const Frame& own) {
    const Frame& next = frames_[own.caller];
    if (own.caller == 0 || is_library(own.file) || !is_library(next.file)) return {};
    return fmt::format("{}:{}", base::within_packages(next.file), next.line);
  }

 private:
  bool is_library(std::string_view file) {
    const auto [at, is_new] = known_.try_emplace(file, false);
    if (is_new) at->second = base::is_library(std::string(file));
    return at->second;
  }

  const std::vector<Frame>& frames_;
  std::map<std::string_view, bool> known_;
};

// In the order of their first instructions; those that never ran are left out.
std::vector<Sum> sums_of(const Origins& origins, const trace::Summary& summary, Slacks slacks) {
  std::vector<Sum> sums;
  Libraries libraries(origins.frames);
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (std::uint32_t i = 0; i < summary.instruction_count(); ++i) {
    if (summary.executions(i) == 0) continue;
    const Origins::Origin origin = origins.of(i);
    const auto [place, is_new] =
        places.try_emplace(std::uint64_t{origin.frame} << 32 | origin.kind, sums.size());
    if (is_new) {
      const Frame& frame = origins.frames[origin.frame];
      sums.push_back(
          {.frame = frame, .mnemonic = origin.mnemonic, .library = libraries.line_of(frame)});
    }
    add(origin.engine, summary, slacks, i, sums[place->second].line);
  }
  return sums;
}

struct Group {
  Line line;
  std::map<std::string_view, std::int64_t> mnemonics;  // ticks on engines
  std::map<std::string, std::int64_t> libraries;       // likewise: by the line of a library
};

void add(const Sum& sum, Group& group) {
  const Line& line = sum.line;
  group.line.executions += line.executions;
  group.line.engine += line.engine;
  for (std::size_t e = 0; e < line.busy_on.size(); ++e) group.line.busy_on[e] += line.busy_on[e];
  group.line.service += line.service;
  const std::int64_t ticks = line.engine.total().value;
  group.mnemonics[sum.mnemonic] += ticks;
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
std::vector<Line> fold(std::span<const Sum> sums, KeyOf key_of, Name name) {
  std::map<Key, Group> groups;
  for (const Sum& sum : sums) {
    const Key key = key_of(sum);
    Group& group = groups[key];
    name(key, group.line);
    add(sum, group);
  }
  std::vector<Line> lines;
  for (auto& [key, group] : groups) lines.push_back(finish(std::move(group)));
  base::stable_sort(lines, std::ranges::greater{},
                    [](const Line& line) { return line.engine.total(); });
  return lines;
}

std::vector<Line> by_line(std::span<const Sum> sums) {
  // Lines in the order of their file's name and their number, so that ties come out the same
  // everywhere.
  using Key = std::pair<std::string_view, std::uint32_t>;
  std::map<Key, std::string_view> functions;
  const auto key_of = [&](const Sum& sum) {
    const Key key{sum.frame.file, sum.frame.line};
    functions.try_emplace(key, sum.frame.function);
    return key;
  };
  return fold<Key>(sums, key_of, [&](const Key& key, Line& line) {
    if (!key.first.empty()) line.place = fmt::format("{}:{}", key.first, key.second);
    line.function = functions.at(key);
  });
}

std::vector<Line> by_operation(const std::vector<Frame>& frames, std::span<const Sum> sums) {
  // Frameworks join the names of nested scopes; no function of a kernel has such a name.
  const auto is_scope = [](const Frame& frame) {
    return frame.function.find('/') != std::string::npos;
  };
  if (std::ranges::none_of(frames, is_scope)) return {};
  using Key = std::string_view;
  std::map<Key, std::string> places;
  const auto key_of = [&](const Sum& sum) -> Key {
    const Frame& frame = sum.frame;
    places.try_emplace(frame.function, frame.file.empty()
                                           ? std::string()
                                           : fmt::format("{}:{}", frame.file, frame.line));
    return frame.function;
  };
  return fold<Key>(sums, key_of, [&](const Key& key, Line& line) {
    line.place = places.at(key);
    line.function = key;
  });
}

std::vector<Line> by_mnemonic(std::span<const Sum> sums) {
  return fold<std::string_view>(
      sums, [](const Sum& sum) { return sum.mnemonic; },
      [](std::string_view mnemonic, Line& line) { line.place = mnemonic; });
}

Origins origins_of(const isa::Program& program) {
  Origins origins;
  for (const isa::Frame& frame : program.frames)
    origins.frames.push_back({.file = program.strings[frame.file],
                              .function = program.strings[frame.function],
                              .line = frame.line,
                              .caller = frame.caller});
  origins.of = [&](std::uint32_t i) -> Origins::Origin {
    const isa::Instruction& instruction = program.instructions[i];
    return {.frame = program.locations[instruction.location].frame,
            .kind = instruction.opcode,
            .mnemonic = program.info_at(i).mnemonic,
            .engine = static_cast<std::size_t>(instruction.engine)};
  };
  return origins;
}

}  // namespace

Lines lines_of(const Origins& origins, const trace::Summary& summary, Slacks slacks) {
  const std::vector<Sum> sums = sums_of(origins, summary, slacks);
  return {by_line(sums), by_operation(origins.frames, sums), by_mnemonic(sums)};
}

Lines lines_of(const isa::Program& program, const trace::Summary& summary, Slacks slacks) {
  return lines_of(origins_of(program), summary, slacks);
}

}  // namespace trainyard::report
