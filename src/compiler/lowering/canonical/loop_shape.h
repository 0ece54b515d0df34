// What a while loop of a tensor program does with its state, as far as that shows in its text:
// which values it hands on as they are, which it counts, and where it ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graph/module.h"

namespace trainyard::compiler {

struct LoopShape {
  // A value that the body adds to a part of the state, or takes away from it.
  struct Step {
    graph::ValueId by = 0;
    bool is_taken_away = false;
  };
  struct State {
    bool is_same = false;  // the body hands it on
    std::optional<Step> step{};
  };
  // The loop goes on while that part of the state is so related to the bound.
  struct Bound {
    std::size_t state = 0;
    std::string direction;  // LT, LE, GT, GE or NE
    graph::ValueId value = 0;
  };
  std::vector<State> states;
  std::optional<Bound> bound{};
};
[[nodiscard]] LoopShape shape_of(const graph::Op& loop);

// How often a loop turns whose count begins at 0, changes by `step` and ends at `end`; nothing
// where it never ends.
[[nodiscard]] std::optional<std::int64_t> turns_of(std::int64_t end, std::int64_t step,
                                                   const std::string& direction);

}  // namespace trainyard::compiler
