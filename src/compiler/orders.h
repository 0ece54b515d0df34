// One kernel, compiled in several orders without a copy for each: what does not depend on the order
// is done once, and what an order chooses can be set aside while another is tried.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/program_passes.h"
#include "compiler/shortage.h"

namespace trainyard::compiler {

// What one order chooses of a program: the sequence, where tensors lie, streams and semaphores.
struct ProgramOrder {
  struct Address {
    std::int64_t byte = -1;
    std::uint16_t partition = 0;
  };
  std::vector<isa::Instruction> instructions{};
  std::vector<isa::ScheduleEdge> schedule_edges{};
  std::vector<Address> addresses{};  // of all tensors, or none
  std::array<std::vector<isa::StreamItem>, isa::engine_count> streams{};
  std::vector<isa::Wait> waits{};
  std::vector<isa::Signal> signals{};
  std::uint16_t semaphore_count = 0;
  bool joins = false;  // it is of a kernel whose transfers are joined
};

class Orders {
 public:
  // Throws InputError like compile().
  Orders(isa::Program kernel, const machine::Core& core);

  struct Made {
    Attempt attempt{};
    PassLog log{};
  };
  // Leaves program() compiled, by the first attempt that finds room, or as it was where none does.
  // `options.rewrite` is the same each time.
  [[nodiscard]] std::variant<Made, Shortage> compile(const Options& options);
  [[nodiscard]] const isa::Program& program() const { return program_; }

  // Takes off program() what its order chose, so that compile() can try another.
  [[nodiscard]] ProgramOrder set_aside();
  // Undoes that; `options`: any that compile() had.
  void put_back(ProgramOrder layout, const Options& options);
  // What the last order made of it, which breaks no rule.
  [[nodiscard]] isa::Program take() &&;

 private:
  void prepare(ProgramContext& context);

  const machine::Core& core_;
  std::optional<isa::Program> kernel_;  // while other preparations of it may come
  isa::Program program_;
  // What program_ was before an order was chosen.
  std::optional<bool> joins_;  // prepared in this way
  PassLog prepared_log_;
  ProgramOrder prepared_;
};

}  // namespace trainyard::compiler
