#include <fmt/format.h>

#include <array>

#include "isa/core/instruction_set.h"
#include "isa/core/references.h"
#include "isa/instructions/branch.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/rules/validate.h"
#include "machine/core.h"

namespace trainyard::isa {

namespace {

enum Rule : std::size_t { form, loops, branches, references, engines, stream_loops, semaphores };

constexpr std::array<GeneralRule, 7> rule_list{{
    {"program.form", "what a program names exists and fits into a machine, and its names are UTF-8",
     "make the program by its builder, or read it from a file"},
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

constexpr std::uint32_t no_loop = 0xFFFFFFFFu;
constexpr std::uint32_t no_instruction = 0xFFFFFFFFu;

class Checker {
 public:
  Checker(const Program& program, const machine::Core& core) : program_(program), core_(core) {}

  std::vector<base::Violation> run() {
    // What is not well formed cannot be looked into.
    if (std::string wrong = problem(program_); !wrong.empty()) {
      broken(form, no_instruction, std::move(wrong));
      return std::move(found_);
    }
    check_loops();
    if (found_.empty()) check_branches();
    if (program_.compiled) check_streams();
    return std::move(found_);
  }

 private:
  void broken(Rule rule, std::uint32_t instruction, std::string what) {
    const std::string place =
        instruction < program_.instructions.size() ? program_.place(instruction) : std::string{};
    found_.push_back({std::string(rule_list[rule].label), std::string(rule_list[rule].rule), place,
                      std::move(what), std::string(rule_list[rule].fix)});
  }

  // Follows loop_begin and loop_end through `list`; loop_of receives the innermost loop around
  // each, a loop_end counting as inside its loop.
  template <typename List>
  void follow_loops(const List& list, Rule rule, std::vector<std::uint32_t>& loop_of) {
    std::vector<std::uint32_t> open;
    for (const std::uint32_t i : list) {
      loop_of.push_back(open.empty() ? no_loop : open.back());
      if (program_.is<LoopBegin>(i)) open.push_back(i);
      if (!program_.is<LoopEnd>(i)) continue;
      const std::int32_t begin = program_.as<LoopEnd>(i).begin;
      if (open.empty() || static_cast<std::int64_t>(open.back()) != begin)
        return broken(rule, i, fmt::format("instruction {} closes the loop of {}", i, begin));
      open.pop_back();
    }
    for (const std::uint32_t begin : open)
      broken(rule, begin, fmt::format("the loop of instruction {} stays open", begin));
  }

  void check_loops() {
    std::vector<std::uint32_t> all(program_.instructions.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    follow_loops(all, loops, loop_of_);
  }

  void check_branches() {
    for (std::uint32_t i = 0; i < program_.instructions.size(); ++i) {
      if (!program_.is<Branch>(i)) continue;
      const std::int64_t target = program_.as<Branch>(i).target;
      const bool forward =
          target > i && target <= static_cast<std::int64_t>(program_.instructions.size());
      if (!forward || loop_at(target) != loop_of_[i])
        broken(branches, i, fmt::format("instruction {} branches to {}", i, target));
    }
  }
  [[nodiscard]] std::uint32_t loop_at(std::int64_t target) const {
    const auto at = static_cast<std::size_t>(target);
    return at < loop_of_.size() ? loop_of_[at] : no_loop;
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
    std::vector<std::uint32_t> ignored;
    follow_loops(list, stream_loops, ignored);
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
  std::vector<std::uint32_t> loop_of_;
  std::vector<base::Violation> found_;
};

}  // namespace

std::span<const GeneralRule> program_rules() { return rule_list; }

std::vector<base::Violation> program_violations(const Program& program, const machine::Core& core) {
  return Checker(program, core).run();
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
