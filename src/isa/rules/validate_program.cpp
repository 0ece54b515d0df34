#include <fmt/format.h>

#include <array>

#include "isa/core/control_flow.h"
#include "isa/core/references.h"
#include "isa/rules/validate.h"
#include "machine/core.h"

namespace trainyard::isa {

namespace {

enum ProgramRule : std::size_t {
  form,
  loops,
  branches,
  references,
  engines,
  stream_loops,
  semaphores
};

constexpr std::array<GeneralRule, 7> program_rule_list{{
    {"program.form", "what a program names exists and fits into a machine, and its names are UTF-8",
     "make the program with its builder, or read it from a file"},
    {"program.loops",
     "every loop_begin has one loop_end behind it that names it, and loops lie inside one another",
     "close the innermost open loop"},
    {"program.branches", "a branch goes forward to an instruction of the same loop body",
     "use a loop to go back"},
    {"program.references", "a stream names instructions, waits and signals of the program",
     "compile the program again"},
    {"program.engines", "a stream holds instructions of its engine, and control instructions",
     "compile the program again"},
    {"program.stream_loops", "a stream runs loops as the program does",
     "compile the program again"},
    {"program.semaphores", "waits and signals use the program's semaphores, which the core has",
     "compile the program again; use fewer DMA queues"},
}};

constexpr std::uint32_t no_instruction = 0xFFFFFFFFu;

class ProgramChecker {
 public:
  ProgramChecker(const Program& program, const machine::Core& core)
      : program_(program), core_(core) {}

  std::vector<base::Violation> run() {
    // What is not well formed cannot be looked into.
    if (std::string wrong = problem(program_); !wrong.empty()) {
      broken(form, no_instruction, std::move(wrong));
      return std::move(found_);
    }
    check_tensors();
    check_loops();
    if (program_.compiled) check_streams();
    return std::move(found_);
  }

 private:
  void broken(ProgramRule rule, std::uint32_t instruction, std::string what) {
    const std::string place =
        instruction < program_.instructions.size() ? program_.place(instruction) : std::string{};
    found_.push_back({std::string(program_rule_list[rule].label),
                      std::string(program_rule_list[rule].rule), place, std::move(what),
                      std::string(program_rule_list[rule].fix)});
  }

  void tell(ProgramRule rule, std::vector<LoopTree::Problem> problems) {
    for (LoopTree::Problem& one : problems) broken(rule, one.instruction, std::move(one.what));
  }

  // The builder makes no such tensors, but a file may hold one.
  void check_tensors() {
    for (const Tensor& tensor : program_.tensors) {
      const std::int64_t all =
          tensor.space == Space::psum ? core_.psum.partitions : core_.sbuf.partitions;
      if (tensor.space == Space::hbm || tensor.partition_start + tensor.partitions() <= all)
        continue;
      broken(form, no_instruction,
             fmt::format("'{}' has {} partitions from {} on, of {}", tensor.name,
                         tensor.partitions(), tensor.partition_start, all));
    }
  }

  void check_loops() {
    std::vector<LoopTree::Problem> problems;
    const LoopTree tree(program_, &problems);
    tell(loops, std::move(problems));
    if (found_.empty()) check_branches(tree);
  }

  // A branch stays in its loop body, of which the loop_end is the last instruction.
  void check_branches(const LoopTree& tree) {
    const auto body_of = [&](std::uint32_t i) {
      const std::uint32_t loop = tree.at(i);
      return loop != LoopTree::none && tree[loop].begin == i ? tree[loop].parent : loop;
    };
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) {
      if (flow_of(program_, i) != Flow::branch) continue;
      const std::int64_t target = target_of(program_, i);
      const bool forward =
          target > i && target <= static_cast<std::int64_t>(program_.instructions.size());
      if (!forward || body_of(static_cast<std::uint32_t>(target)) != body_of(i))
        broken(branches, i, fmt::format("instruction {} branches to {}", i, target));
    }
  }

  void check_streams() {
    for (std::size_t e = 0; e < program_.streams.size(); ++e)
      check_stream(program_.streams[e], static_cast<Engine>(e));
    check_semaphores();
  }

  void check_stream(const std::vector<StreamItem>& stream, Engine engine) {
    std::vector<std::uint32_t> list;
    for (const StreamItem& item : stream) {
      if (item.instruction >= program_.instructions.size() ||
          std::uint64_t{item.first_wait} + item.wait_count > program_.waits.size() ||
          std::uint64_t{item.first_signal} + item.signal_count > program_.signals.size()) {
        return broken(references, item.instruction, fmt::format("item {}", list.size()));
      }
      const Engine chosen = program_.instructions[item.instruction].engine;
      const bool control = program_.info_at(item.instruction).kind == Kind::control;
      if (chosen != engine && !(control && chosen == Engine::any)) {
        broken(engines, item.instruction,
               fmt::format("instruction {} of the {} engine in the stream of {}", item.instruction,
                           name(chosen), name(engine)));
      }
      list.push_back(item.instruction);
    }
    std::vector<LoopTree::Problem> problems;
    const LoopTree tree(program_, list, &problems);
    tell(stream_loops, std::move(problems));
  }

  void check_semaphores() {
    if (program_.semaphore_count > core_.semaphores.count) {
      broken(semaphores, no_instruction,
             fmt::format("{} of {}", program_.semaphore_count, core_.semaphores.count));
    }
    const auto check = [&](std::string_view what, const auto& uses) {
      for (const auto& use : uses) {
        if (use.semaphore < program_.semaphore_count) continue;
        broken(semaphores, no_instruction,
               fmt::format("a {} of semaphore {} of {}", what, use.semaphore,
                           program_.semaphore_count));
        return;
      }
    };
    check("wait", program_.waits);
    check("signal", program_.signals);
  }

  const Program& program_;
  const machine::Core& core_;
  std::vector<base::Violation> found_;
};

}  // namespace

std::span<const GeneralRule> program_rules() { return program_rule_list; }

std::vector<base::Violation> program_violations(const Program& program, const machine::Core& core) {
  return ProgramChecker(program, core).run();
}

void validate(const Program& program, const machine::Core& core) {
  std::vector<base::Violation> found = program_violations(program, core);
  if (!found.empty()) throw base::InputError(std::move(found));
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    for (base::Violation& violation : violations_at(program, i, core))
      found.push_back(std::move(violation));
  }
  if (!found.empty()) throw base::InputError(std::move(found));
}

}  // namespace trainyard::isa
