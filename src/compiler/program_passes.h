// The passes that make a program of instructions, in its author's order, one that runs: in this
// order. ARCHITECTURE.md says how to add one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/shortage.h"
#include "isa/core/program.h"

namespace trainyard::compiler {

struct ProgramContext {
  const machine::Core& core;
  const Options& options;
  Attempt attempt{};
  std::vector<bool> open{};  // instructions whose engine the author left open
};

struct ProgramPass {
  // Once for a kernel, or again for each order of its instructions that is tried.
  enum class Stage : std::uint8_t { prepare, order };

  std::string_view name;     // "merge-loads"
  std::string_view summary;  // what it does, in a sentence
  Stage stage;
  // What the core has too little of, where another attempt may need less.
  std::optional<Shortage> (*run)(isa::Program& program, ProgramContext& context);
  // Whether it runs at all; always, where null.
  bool (*applies)(const ProgramContext& context) = nullptr;
};

[[nodiscard]] std::span<const ProgramPass> program_passes();

// All of a stage that apply, in order.
std::optional<Shortage> run_program_passes(isa::Program& program, ProgramContext& context,
                                           ProgramPass::Stage stage, PassLog& log);

}  // namespace trainyard::compiler
