// The hardware loops of a program, or of one engine's stream, as a tree, and where its branches go:
// the one place that pairs loop_begins with their loop_ends. It runs nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "isa/core/program.h"

namespace trainyard::isa {

[[nodiscard]] inline Flow flow_of(const Program& program, std::uint32_t instruction) {
  return program.info_at(instruction).flow;
}
// The loop_begin that a loop_end closes, and the instruction that a branch goes to.
[[nodiscard]] std::int64_t begin_of(const Program& program, std::uint32_t loop_end);
[[nodiscard]] std::int64_t target_of(const Program& program, std::uint32_t branch);

// How often the body of a loop runs each time that the loop is entered; nothing where a register
// says so.
[[nodiscard]] std::optional<std::int64_t> turns_of(const Program& program,
                                                   std::uint32_t loop_begin);

class LoopTree {
 public:
  // Positions in the list that the tree was made from; in the author's order an instruction's
  // position is its index. The body lies between the two.
  struct Loop {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t parent = none;  // a loop of the tree
  };
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  // What is wrong with the loops of a list: an instruction, and what it does.
  struct Problem {
    std::uint32_t instruction = 0;
    std::string what;
  };

  // Of all instructions in the author's order, or of a list of them. The loops are well formed
  // (program.loops), unless `problems` is given: then those that are not are told, and left out.
  explicit LoopTree(const Program& program, std::vector<Problem>* problems = nullptr);
  LoopTree(const Program& program, std::span<const std::uint32_t> list,
           std::vector<Problem>* problems = nullptr);

  [[nodiscard]] bool empty() const { return loops_.empty(); }
  // In the order of their begins: a loop stands behind the one around it.
  [[nodiscard]] std::span<const Loop> loops() const { return loops_; }
  [[nodiscard]] const Loop& operator[](std::uint32_t loop) const { return loops_[loop]; }

  // The innermost loop that a position is in, its loop_begin and loop_end included; or none.
  [[nodiscard]] std::uint32_t at(std::uint32_t position) const {
    return position < loop_of_.size() ? loop_of_[position] : none;
  }
  // The innermost loop whose body holds a position.
  [[nodiscard]] std::uint32_t around(std::uint32_t position) const;
  // The outermost loop that a position is in; none where it is in no loop.
  [[nodiscard]] std::uint32_t outermost(std::uint32_t position) const;
  // Whether a loop is around another one, or is that one; none is around all.
  [[nodiscard]] bool encloses(std::uint32_t loop, std::uint32_t inner) const;
  // The loop_begin of the outermost loop around a position, or at it, that began at or behind
  // `since`: what was there before outlives it.
  [[nodiscard]] std::optional<std::uint32_t> outermost_since(std::uint32_t position,
                                                             std::uint32_t since) const;

 private:
  template <typename List>
  void build(const Program& program, const List& list, std::vector<Problem>* problems);

  std::vector<Loop> loops_;
  std::vector<std::uint32_t> loop_of_;  // by position; empty without loops
};

// Whether any instruction does not go on to the next one.
[[nodiscard]] bool has_loops_or_branches(const Program& program);
// Whether any instruction is a branch, behind which the order of the text is not that of a run.
[[nodiscard]] bool has_branches(const Program& program);

// The loop_begins and branches that depend on what lies in memory when the program runs.
[[nodiscard]] std::vector<std::uint32_t> flows_by_memory(const Program& program);
// Whether there is one.
[[nodiscard]] bool flow_reads_memory(const Program& program);

}  // namespace trainyard::isa
