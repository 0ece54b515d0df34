// Builds a program: tensors, registers, hardware loops and instructions, kept with their places in
// the author's source. What every front end uses: the Python tracer converts its values and calls
// this, a kernel in C++ calls it as it is, and the compiler's emitter holds one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "isa/builder/loop_scopes.h"
#include "isa/builder/register_pool.h"
#include "isa/builder/source_table.h"
#include "isa/builder/tensor_spec.h"
#include "isa/core/program.h"
#include "isa/instructions/loop_begin.h"
#include "isa/views/view.h"
#include "machine/core.h"

namespace trainyard::isa {

// A place in the author's source, as a front end knows it: a line of a function, or a node of a
// graph by its name. `indices` are the loops around it that the front end has unrolled.
struct SourcePlace {
  std::string_view file{};
  std::uint32_t line = 0;
  std::string_view function{};
  std::vector<std::pair<std::string_view, std::int64_t>> indices{};
};

using RegisterRef = std::shared_ptr<const RegisterLease>;

// What a kernel may hold. One that grows beyond it is taken for one that never ends to be written:
// it would fill the host's memory, some 300 bytes an instruction.
struct SizeLimits {
  std::size_t instructions = std::size_t{1} << 23;
  std::size_t tensors = std::size_t{1} << 22;
};

enum class Validation : std::uint8_t {
  at_once,  // each tensor and instruction, which an author wrote
  later,    // the whole program, whose records a compiler made
};

// A program that has an end of its own, which keeps one value in HBM.
struct Peeked {
  Program program{};
  View kept{};  // a tensor of it; of a register, one int32
};

class Builder {
 public:
  Builder(std::string name, machine::Core core, Validation validation = Validation::at_once,
          SizeLimits limits = {});
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  // The program so far. The views of isa/views/view.h whose address is known at run time add to it.
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] Program& program() { return program_; }
  [[nodiscard]] const machine::Core& core() const { return core_; }
  // Who is to run the program, by which the rules of collectives judge what comes.
  void set_runner(const LogicalCore& runner) { runner_ = runner; }
  [[nodiscard]] const std::optional<LogicalCore>& runner() const { return runner_; }
  // The program; the builder is empty afterwards and builds no other.
  [[nodiscard]] Program take();
  [[nodiscard]] bool is_taken() const { return taken_; }

  // --- Where in the author's source the coming tensors and instructions are from.
  [[nodiscard]] SourceTable& sources() { return sources_; }
  void stand_at(std::uint32_t location) { location_ = location; }
  [[nodiscard]] std::uint32_t location() const { return location_; }
  // While it lives, the place is one that is called from the place before. Calls nest.
  class [[nodiscard]] Call {
   public:
    Call(Builder& builder, const SourcePlace& place);
    ~Call() { builder_.location_ = before_; }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

   private:
    Builder& builder_;
    std::uint32_t before_;
  };
  // Puts the present place into violations that have none; `tensor`: the one they are about.
  [[nodiscard]] std::vector<base::Violation> placed(std::vector<base::Violation> violations,
                                                    TensorId tensor = no_tensor) const;
  // The same for those of an instruction that is not emitted yet, with the tensors it names.
  [[nodiscard]] std::vector<base::Violation> placed(std::vector<base::Violation> violations,
                                                    const InstructionInfo& what,
                                                    const void* record) const;
  // What f returns; an InputError that it throws names the present place.
  template <typename F>
  auto here(F&& f, TensorId tensor = no_tensor) {
    try {
      return f();
    } catch (const base::InputError& error) {
      throw base::InputError(placed(error.violations(), tensor));
    }
  }

  // --- Tensors. Throw InputError as made_from().
  TensorId declare(TensorSpec spec);
  [[nodiscard]] View tensor(TensorSpec spec) { return view_of(program_, declare(std::move(spec))); }
  // Throws InputError "loop.scope" for a tensor of a loop's body that has ended.
  void check_scope(TensorId tensor) const;
  // A private tensor of HBM, of a kernel on one core, becomes one that the host can read.
  void share(TensorId tensor);
  // The kernel returns it; an input stays one. Throws InputError "loop.scope", "kernel.output".
  void mark_output(TensorId tensor);

  // --- Registers. One is in use as long as its lease lives. Throws InputError
  // "registers.capacity".
  [[nodiscard]] RegisterRef take_register();
  [[nodiscard]] RegisterRef take_register(Register reg);
  // The next in turn that has no lease, for what comes next: the compiler orders a new use behind
  // an old one.
  [[nodiscard]] Register next_register() { return registers_->in_turn(); }
  [[nodiscard]] std::size_t registers_free() const { return registers_->count_free(); }

  // --- Instructions. Validated at once, throws InputError that names the rule and the present
  // place, "loop.scope" and "register.unset" among them, and Fault for a fact that nobody has
  // published.
  template <typename Record>
  std::uint32_t emit(const Record& record, Engine engine = Engine::any) {
    return emit_raw(opcode_of<Record>, &record, engine);
  }
  std::uint32_t emit_raw(Opcode opcode, const void* record, Engine engine);
  // Throws InputError "<mnemonic>.engine" for an engine that runs the instruction, but not by an
  // author's choice.
  void check_engine(const InstructionInfo& what, const void* record, Engine engine) const;
  // The consumer starts when the producer has completed.
  void add_edge(std::uint32_t producer, std::uint32_t consumer);

  // --- What the program up to here leaves in a view or a register; the builder stays as it is.
  // Throws InputError "loop.scope" and as tile_of().
  [[nodiscard]] Peeked peek(const View& view) const;
  [[nodiscard]] Peeked peek(Register reg) const;

  // --- Control flow. Instructions between begin_loop and end_loop are the body; emitting the
  // records loop_begin and loop_end does the same.
  std::uint32_t begin_loop(const LoopBegin& loop) { return emit(loop); }
  void end_loop();
  [[nodiscard]] bool is_in_loop() const { return scopes_.is_open(); }
  // What the body of the loop that ended last declared is unknown from now on.
  void close_scope() { scopes_.close(program_.tensors.size()); }
  // body(counter) for counter = start, start + step, ... below stop.
  template <typename Body>
  void loop(RegisterOrInt start, RegisterOrInt stop, std::int32_t step, Body&& body) {
    const RegisterRef counter = take_register();
    begin_loop({.counter = counter->reg(), .start = start, .stop = stop, .step = step});
    body(counter->reg());
    end_loop();
    close_scope();
  }
  // body() while the condition, which the body writes, is not zero.
  template <typename Body>
  void loop_while(Register condition, Body&& body) {
    begin_loop({.counter = condition, .kind = LoopKind::while_nonzero});
    body();
    end_loop();
    close_scope();
  }
  // body(), skipped when left op right.
  template <typename Body>
  void skip_if(RegisterOrInt left, numerics::AluOp op, RegisterOrInt right, Body&& body) {
    const std::uint32_t branch = begin_skip(left, op, right);
    body();
    end_skip(branch);
  }

 private:
  // Throws InputError "kernel.size" when no more instructions or tensors go into the kernel.
  void check_size() const;
  [[nodiscard]] std::uint32_t begin_skip(RegisterOrInt left, numerics::AluOp op,
                                         RegisterOrInt right);
  void end_skip(std::uint32_t branch);
  [[nodiscard]] std::vector<base::Violation> violations_of(const InstructionInfo& what,
                                                           const void* record, Engine engine) const;
  void follow(std::uint32_t instruction);

  Program program_{};
  machine::Core core_;
  Validation validation_;
  SizeLimits limits_;
  SourceTable sources_{program_};
  std::shared_ptr<RegisterPool> registers_;
  LoopScopes scopes_{};
  std::optional<LogicalCore> runner_{};
  std::uint32_t location_ = 0;
  bool taken_ = false;
};

}  // namespace trainyard::isa
