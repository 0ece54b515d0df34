#include "report/labels.h"

#include <cstddef>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "base/bytes.h"
#include "isa/core/visit.h"
#include "isa/forms/text.h"
#include "isa/forms/value_bytes.h"
#include "report/rolled_loops.h"

namespace trainyard::report {
namespace {

// The strings of a program as strings of the labels.
std::vector<std::uint32_t> add_strings(const isa::Program& program, trace::Labels& labels) {
  std::vector<std::uint32_t> ids;
  ids.reserve(program.strings.size());
  for (const std::string& text : program.strings) ids.push_back(labels.add_string(text));
  return ids;
}

// Program frames count from 1 and point to their caller; every caller stands before its callees.
std::vector<std::uint32_t> add_frames(const isa::Program& program,
                                      const std::vector<std::uint32_t>& strings,
                                      trace::Labels& labels) {
  std::vector<std::uint32_t> ids(program.frames.size(), trace::no_frame);
  for (std::size_t i = 1; i < program.frames.size(); ++i) {
    const isa::Frame& frame = program.frames[i];
    base::check(frame.caller < i, "a call stack frame of a program precedes its caller");
    ids[i] = labels.add_frame(
        {ids[frame.caller], strings[frame.file], frame.line, strings[frame.function]});
  }
  return ids;
}

// Instructions of an unrolled loop differ in little but the addresses of their tiles, which the
// text does not show, so a text is made once for all records whose operands are equal but for
// those.
class OperandTexts {
 public:
  OperandTexts(const isa::Program& program, trace::Labels& labels)
      : program_(program), labels_(labels) {
    for (const isa::Tensor& tensor : program.tensors)
      tensor_names_.push_back(labels.add_string(tensor.name));
  }

  std::uint32_t text_of(std::uint32_t instruction) {
    make_key(instruction);
    const auto [at, added] = known_.try_emplace(key_, 0);
    if (added) at->second = labels_.add_string(isa::describe_operands(program_, instruction));
    return at->second;
  }

 private:
  void make_key(std::uint32_t instruction) {
    const isa::InstructionInfo& info = program_.info_at(instruction);
    const auto* const record = static_cast<const std::byte*>(program_.record(instruction));
    record_.assign(record, record + info.record_bytes);
    key_.clear();
    base::put_varint(key_, program_.instructions[instruction].opcode);
    for (const isa::OperandInfo& operand : info.operands) {
      isa::for_each_tile_of(operand, static_cast<void*>(record_.data()), [&](isa::Tile& tile) {
        tile.offset = 0;
        tile.dynamic = 0;
        if (tile.tensor < tensor_names_.size()) tile.tensor = tensor_names_[tile.tensor];
      });
      isa::visit_operand(operand, static_cast<const void*>(record_.data()), [&](const auto& value) {
        if constexpr (std::is_same_v<decltype(value), const isa::RankGroups&>) {
          base::put_varint(key_, value.id);
        } else {
          isa::value_bytes::write(key_, value);
        }
      });
    }
  }

  const isa::Program& program_;
  trace::Labels& labels_;
  std::vector<std::uint32_t> tensor_names_;
  std::unordered_map<std::string, std::uint32_t> known_;  // look-up only; never walked
  std::vector<std::byte> record_;
  std::string key_;
};

}  // namespace

trace::Labels labels_of(const isa::Program& program) {
  trace::Labels labels;
  const std::vector<std::uint32_t> strings = add_strings(program, labels);
  const std::vector<std::uint32_t> frames = add_frames(program, strings, labels);
  std::vector<std::uint32_t> mnemonics(isa::opcode_count);
  for (isa::Opcode opcode = 0; opcode < isa::opcode_count; ++opcode) {
    mnemonics[opcode] = labels.add_string(isa::info(opcode).mnemonic);
  }
  OperandTexts operands(program, labels);
  const RolledLoops rolled(program, labels);
  std::vector<trace::Loop> loops;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction& instruction = program.instructions[i];
    const isa::Location& location = program.locations[instruction.location];
    loops.clear();
    for (std::uint32_t k = 0; k < location.index_count; ++k) {
      const isa::LoopIndex& index = program.loop_indices[location.first_index + k];
      loops.push_back({.name = strings[index.name], .first = index.value});
    }
    const std::vector<trace::Loop> around = rolled.around(i);
    loops.insert(loops.end(), around.begin(), around.end());
    labels.add({.mnemonic = mnemonics[instruction.opcode],
                .operands = operands.text_of(i),
                .frame = frames[location.frame],
                .nest = labels.add_nest(loops)});
  }
  return labels;
}

}  // namespace trainyard::report
