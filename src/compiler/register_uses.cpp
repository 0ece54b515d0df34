#include "compiler/register_uses.h"

#include "isa/core/register_use.h"

namespace trainyard::compiler {

std::span<const std::uint32_t> RegisterOrder::next(std::uint32_t i) {
  found_.clear();
  const auto engine = static_cast<std::size_t>(program_.instructions[i].engine);
  if (engine >= uses_.size()) return found_;
  isa::for_each_register(program_, i, [&](isa::Register reg, bool is_set) {
    Uses& uses = uses_[engine].at(reg.index);
    if (uses.is_set) found_.push_back(uses.set);
    if (!is_set) uses.reads.push_back(i);
  });
  isa::for_each_register(program_, i, [&](isa::Register reg, bool is_set) {
    if (!is_set) return;
    Uses& uses = uses_[engine].at(reg.index);
    for (const std::uint32_t reader : uses.reads) {
      if (reader != i) found_.push_back(reader);
    }
    uses = {.is_set = true, .set = i, .reads = {}};
  });
  return found_;
}

}  // namespace trainyard::compiler
