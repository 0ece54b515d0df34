// Programs that have been compiled, by what they were compiled from: ranks that run equal programs
// share one body.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "session/compiled_code.h"
#include "session/ordering.h"

namespace trainyard::session {

class ProgramCache {
 public:
  using Body = std::shared_ptr<const Ordered>;
  using Grids = std::vector<std::vector<Body>>;

  // `kept`: what another process has compiled already, or null.
  explicit ProgramCache(std::shared_ptr<const CompiledCode> kept = {}) : kept_(std::move(kept)) {}

  // The compiled kernels of each of several grids, side by side where the host has processors, or
  // what the first one that has no room lacks. A kernel may have been compiled before: equal ones
  // are equal in every record, tensor and place in the source.
  [[nodiscard]] std::variant<Grids, compiler::Shortage> compile_grids(
      std::vector<std::vector<isa::Program>> grids, const machine::Machine& machine,
      const compiler::Options& options);

  [[nodiscard]] std::size_t size() const { return bodies_.size(); }
  // Adds all programs.
  void keep(CompiledCode& code) const;
  // Drops those that nobody else holds.
  void forget_unused();

 private:
  // Kernels that are compiled together, and the key of each.
  struct Task {
    std::vector<std::uint64_t> keys{};
    std::vector<isa::Program> kernels{};
  };
  [[nodiscard]] static std::vector<Task> tasks_of(std::vector<isa::Program> kernels,
                                                  const machine::Machine& machine,
                                                  const compiler::Options& options);
  [[nodiscard]] static std::variant<std::vector<std::vector<Ordered>>, compiler::Shortage> made(
      std::vector<Task>& tasks, const machine::Machine& machine, const compiler::Options& options);
  [[nodiscard]] bool is_known(const Task& task, const machine::Machine& machine);
  // The body of that key if it was compiled before, here or elsewhere.
  [[nodiscard]] Body& find(std::uint64_t key, const isa::Program& kernel,
                           const machine::Machine& machine);

  std::shared_ptr<const CompiledCode> kept_;
  std::map<std::uint64_t, Body> bodies_;
};

}  // namespace trainyard::session
