// Compiles a tensor program for the cores of a device, in the ways and with the share of SBUF for
// what stays on chip that make it fastest as a whole: by what is known, or by timing it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/compiler.h"
#include "compiler/lowering/emit/lowered.h"
#include "graph/halves.h"
#include "graph/module.h"
#include "session/scores.h"
#include "session/session.h"
#include "session/whole_program.h"

namespace trainyard::session {

struct CompiledModel {
  // Equal lists of programs are one grid.
  struct Step {
    compiler::ProgramStep* step = nullptr;  // in `lowered`
    std::size_t grid = 0;
  };

  compiler::Lowered lowered{};
  std::vector<Step> steps{};
  ProgramCache::Grids grids{};        // of the cores of each
  std::int64_t resident_percent = 0;  // of SBUF, for what stays on chip between operations
  // What the program as a whole takes with such shares, if that was timed; its own first.
  std::vector<std::pair<std::int64_t, base::Ticks>> shares{};
  compiler::PassLog passes{};  // lowering's, and those of the programs
};

// What its programs take, one after the other; nothing where that depends on data.
[[nodiscard]] std::optional<base::Ticks> time_of(const CompiledModel& model,
                                                 const machine::Machine& machine);

// Each of both cores runs the program on its half; `halves` behind all passes.
struct InHalves {
  const graph::Halves& halves;
  const graph::Function& whole;
};
// Thrown where a half is not computed by programs alone.
struct NotInHalves {};

class ModelCompiler {
 public:
  // All outlive it. `module`: behind all passes that are not the programs'; of each core where
  // both run it `in_halves`.
  ModelCompiler(const graph::Module& module, int cores, const compiler::Options& options,
                Session& session, std::optional<InHalves> in_halves = {});

  // `kept_percent`: of SBUF, as another process has found. Throws as compiler::lower and
  // compiler::compile do.
  [[nodiscard]] CompiledModel compile(std::optional<std::int64_t> kept_percent);

 private:
  using Found = WholeProgram::Found;
  struct Timed {
    CompiledModel model;
    std::optional<base::Ticks> time;  // nothing where it depends on data
  };

  // Finds what is fastest for the program as a whole, and keeps it.
  [[nodiscard]] CompiledModel search(WholeProgram& whole, std::int64_t percent_max);
  // Takes the ways that are timed region by region; what stays on chip between operations has to be
  // faster there than by way of HBM.
  [[nodiscard]] CompiledModel weigh_near_memory(WholeProgram& whole);
  void keep(WholeProgram& whole, const Found& fastest);
  [[nodiscard]] Timed timed(WholeProgram& whole, const Found& found);
  // The model, with what is known of other shares than its own.
  [[nodiscard]] static CompiledModel told(const WholeProgram& whole, const Found& found,
                                          CompiledModel model);
  // Whether the other one was taken. Both have a time or neither has.
  static bool take_faster(Timed& fastest, Timed other, base::Ticks gain_min);
  [[nodiscard]] CompiledModel compile(const Found& found);
  // What stays on chip between operations may leave too little for one of the programs.
  [[nodiscard]] std::variant<CompiledModel, compiler::Shortage> compile_with(std::int64_t percent,
                                                                             Scores* scores);

  [[nodiscard]] std::string beside() const;  // what says which program it is, besides the module
  [[nodiscard]] compiler::Lowered lower(const graph::Module& module, int cores,
                                        std::int64_t percent, Scores* scores) const;
  [[nodiscard]] compiler::Lowered lower_halves(std::int64_t percent, Scores* scores) const;

  const graph::Module& module_;
  int cores_;
  const compiler::Options& options_;
  Session& session_;
  std::optional<InHalves> in_halves_;
  std::unique_ptr<Scores> scores_;  // none where rules decide
};

}  // namespace trainyard::session
