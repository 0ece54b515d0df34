#include "compiler/register_uses.h"

namespace trainyard::compiler {

std::span<const std::uint32_t> RegisterOrder::next(std::uint32_t i) {
  found_.clear();
  const auto engine = static_cast<std::size_t>(program_.instructions[i].engine);
  if (engine >= uses_.size()) return found_;
  for_each_register_read(program_, i, [&](isa::Register reg) {
    Uses& uses = uses_[engine].at(reg.index);
    if (uses.is_set) found_.push_back(uses.set);
    uses.reads.push_back(i);
  });
  for (const isa::OperandInfo& operand : program_.info_at(i).operands) {
    if (!sets_register(operand)) continue;
    Uses& uses = uses_[engine].at(operand.in<isa::Register>(program_.record(i)).index);
    if (uses.is_set) found_.push_back(uses.set);
    for (const std::uint32_t reader : uses.reads) {
      if (reader != i) found_.push_back(reader);
    }
    uses = {.is_set = true, .set = i, .reads = {}};
  }
  return found_;
}

}  // namespace trainyard::compiler
