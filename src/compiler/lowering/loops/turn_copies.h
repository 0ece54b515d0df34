// The turns of a loop, copied one behind the other: all of them, or those that a turn of the loop
// that stays takes. Where the number of a turn tells where a slice lies, it is read there, and rows
// that turns put into a stack are joined.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/builder.h"
#include "graph/module.h"

namespace trainyard::compiler {

class TurnCopies {
 public:
  // What a counted state is when the copies begin: `value`, which is at least `least` and at most
  // `most`; a number where these are equal.
  struct Counter {
    graph::ValueId value = 0;
    std::int64_t least = 0, most = 0;
    std::int64_t step = 0;  // in a turn of the loop
  };

  // Copies are written to `out`. `values`: of the states, when the first copy begins; `counters`:
  // by state, whole numbers (s32).
  TurnCopies(graph::Function& function, const Definitions& definitions, const graph::Op& loop,
             std::vector<graph::Op>& out, std::vector<graph::ValueId> values,
             std::map<std::size_t, Counter> counters);

  void write(std::int64_t turns);
  // Of the states, behind all copies.
  [[nodiscard]] std::vector<graph::ValueId> leave();

 private:
  using Dims = std::vector<std::int64_t>;
  // A whole number: `scale` times what a counted state is when the copies begin, and `offset`.
  struct Line {
    std::size_t state = 0;
    std::int64_t scale = 0, offset = 0;
  };
  // Where a part lies: along one dimension as a line says, in all others at a number.
  struct Place {
    Dims numbers;
    std::optional<std::size_t> dim{};
    Line line{};
  };
  // A state that turns put rows into, and do not read.
  struct Stack {
    const graph::Op* update = nullptr;
    std::size_t dim = 0;
    Line line{};                                    // but for the offset
    std::map<std::int64_t, graph::ValueId> rows{};  // by where they begin
  };
  // What all copies read of a value, and where it begins.
  struct Block {
    graph::ValueId value = 0;
    std::int64_t first = 0;
  };

  [[nodiscard]] const graph::Type& type(graph::ValueId value) const {
    return function_.type(value);
  }
  [[nodiscard]] const Dims& shape(graph::ValueId value) const { return type(value).shape; }
  [[nodiscard]] graph::ValueId now(graph::ValueId value) const;
  graph::ValueId anew(graph::ValueId value);

  void find_stacks();
  [[nodiscard]] std::optional<Line> line(graph::ValueId value) const;
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> range(const Line& line) const;
  [[nodiscard]] std::optional<Line> computed(const graph::Op& op,
                                             const std::vector<Line>& of) const;
  void note(const graph::Op& op);
  // A counted state, so many steps on.
  graph::ValueId counted(std::size_t state, std::int64_t steps);
  graph::ValueId at(const Line& line);
  void write_turn();
  graph::Op copied(const graph::Op& op);
  void copy(const graph::Op& op);
  // Where a part begins, if it is known to be inside.
  [[nodiscard]] std::optional<Place> place_of(const graph::Op& op, std::size_t first,
                                              const Dims& whole, const Dims& part) const;
  bool slice(const graph::Op& op);
  graph::ValueId sliced(graph::ValueId of, const Dims& begin, const graph::Type& part);
  // What all copies read of it, in one piece.
  [[nodiscard]] std::optional<Block> block_of(const graph::Op& op, const Place& place);
  [[nodiscard]] bool is_free(const Stack& stack, std::int64_t begin, std::int64_t length) const;
  bool put(const graph::Op& op);
  void flush(std::size_t state, Stack& stack);
  // All rows, where they fill the stack.
  bool fill(std::size_t state, const Stack& stack);

  graph::Function& function_;
  const Definitions& definitions_;
  const graph::Op& loop_;
  const graph::Region& body_;
  std::map<std::size_t, Counter> counters_;
  graph::Builder write_;
  std::vector<graph::Op>& out_;
  std::int64_t turns_ = 0, turn_ = 0;
  std::map<graph::ValueId, int> readers_;
  std::map<std::size_t, Stack> stacks_;             // by state
  std::vector<graph::ValueId> values_;              // of the states, now
  std::map<graph::ValueId, graph::ValueId> names_;  // what a value of the body is in this turn
  std::map<graph::ValueId, Line> lines_;
  std::map<std::pair<graph::ValueId, Dims>, Block> blocks_;
};

}  // namespace trainyard::compiler
