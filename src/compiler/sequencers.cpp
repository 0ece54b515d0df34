#include "compiler/sequencers.h"

#include <array>
#include <bit>
#include <vector>

#include "compiler/insert.h"
#include "isa/core/register_use.h"

namespace trainyard::compiler {

namespace {

using isa::Engine;
using isa::Program;
using isa::Register;

using Engines = std::uint8_t;  // one bit an engine
constexpr Engines all_engines = (1u << isa::engine_count) - 1;

constexpr Engines bit(Engine engine) {
  return static_cast<Engines>(1u << static_cast<unsigned>(engine));
}

// Whether every engine runs it, because it decides what comes next.
bool is_flow(const isa::InstructionInfo& info) { return info.flow != isa::Flow::none; }

// Which engines read each register.
class SequencerUses {
 public:
  explicit SequencerUses(const Program& program) : program_(program) {
    do {
      changed_ = false;
      for (std::uint32_t i = 0; i < program.instructions.size(); ++i) add(i);
    } while (changed_);
  }

  // The engines that need control instruction i: those that use the register it writes; one for an
  // instruction that writes none.
  [[nodiscard]] Engines of(std::uint32_t i) const {
    const Register written = destination(i);
    if (!written) return bit(Engine::sync);
    const Engines engines = uses_.at(written.index);
    return engines == 0 ? bit(Engine::sync) : engines;
  }

 private:
  [[nodiscard]] Register destination(std::uint32_t i) const {
    Register found;
    isa::for_each_register(program_, i, [&](Register reg, bool is_set) {
      if (is_set) found = reg;
    });
    return found;
  }

  void add(std::uint32_t i) {
    const isa::InstructionInfo& info = program_.info_at(i);
    Engines engines = all_engines;
    if (info.kind != isa::Kind::control) {
      engines = bit(program_.instructions[i].engine);
    } else if (!is_flow(info)) {
      engines = of(i);
    }
    if (is_flow(info)) use(destination(i), engines);  // a loop's counter may be its condition
    isa::for_each_register(program_, i, [&](Register reg, bool is_set) {
      if (!is_set) use(reg, engines);
    });
  }

  void use(Register reg, Engines engines) {
    if (!reg) return;
    Engines& known = uses_.at(reg.index);
    changed_ = changed_ || (known | engines) != known;
    known = static_cast<Engines>(known | engines);
  }

  const Program& program_;
  std::array<Engines, 256> uses_{};
  bool changed_ = false;
};

}  // namespace

void split_register_instructions(Program& program) {
  bool any = false;
  for (std::uint32_t i = 0; i < program.instructions.size() && !any; ++i) {
    any = program.info_at(i).kind == isa::Kind::control;
  }
  if (!any) return;

  const SequencerUses uses(program);
  std::vector<isa::Instruction> split;
  std::vector<std::uint32_t> place;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    place.push_back(static_cast<std::uint32_t>(split.size()));
    isa::Instruction one = program.instructions[i];
    const isa::InstructionInfo& info = program.info_at(i);
    if (info.kind != isa::Kind::control || is_flow(info)) {
      split.push_back(one);
      continue;
    }
    for (Engines left = uses.of(i); left != 0; left = static_cast<Engines>(left & (left - 1u))) {
      one.engine = static_cast<Engine>(std::countr_zero(left));
      one.record = program.copy_record(i);
      split.push_back(one);
    }
  }
  place.push_back(static_cast<std::uint32_t>(split.size()));
  program.instructions = std::move(split);
  renumber(program, place, place);
}

}  // namespace trainyard::compiler
