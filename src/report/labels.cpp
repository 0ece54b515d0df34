#include "report/labels.h"

#include <fmt/format.h>

#include <vector>

#include "isa/text.h"

namespace trainyard::report {
namespace {

// Program frames count from 1 and point to their caller; every caller stands before its callees.
std::vector<std::uint32_t> add_frames(const isa::Program& program, trace::Labels& labels) {
  std::vector<std::uint32_t> ids(program.frames.size(), trace::no_frame);
  for (std::size_t i = 1; i < program.frames.size(); ++i) {
    const isa::Frame& frame = program.frames[i];
    base::check(frame.caller < i, "a call stack frame of a program precedes its caller");
    ids[i] = labels.add_frame({ids[frame.caller], labels.add_string(program.strings[frame.file]),
                               frame.line, labels.add_string(program.strings[frame.function])});
  }
  return ids;
}

std::uint32_t add_loops(const isa::Program& program, const isa::Location& location,
                        trace::Labels& labels) {
  std::vector<trace::Loop> loops;
  for (std::uint32_t k = 0; k < location.index_count; ++k) {
    const isa::LoopIndex& index = program.loop_indices[location.first_index + k];
    loops.push_back({.name = labels.add_string(program.strings[index.name]), .first = index.value});
  }
  return labels.add_nest(loops);
}

}  // namespace

std::string operands_of(const isa::Program& program, std::uint32_t instruction) {
  std::string text;
  for (const isa::OperandInfo& operand : program.info_at(instruction).operands) {
    const std::string value = isa::describe_operand(operand, program.record(instruction));
    if (value.empty()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", operand.name, value);
  }
  return text;
}

trace::Labels labels_of(const isa::Program& program) {
  trace::Labels labels;
  const std::vector<std::uint32_t> frames = add_frames(program, labels);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Location& location = program.locations[program.instructions[i].location];
    labels.add({.mnemonic = labels.add_string(program.info_at(i).mnemonic),
                .operands = labels.add_string(operands_of(program, i)),
                .frame = frames[location.frame],
                .nest = add_loops(program, location, labels)});
  }
  return labels;
}

}  // namespace trainyard::report
