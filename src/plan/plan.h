// What a tensor program of one device becomes when several run it together: a list of steps, equal
// for all of them. Bodies are run by each device alone; at collectives devices meet; loops and
// branches contain steps. execute.h runs it, timeline.h says when what happens, memory.h what a
// device holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "graph/module.h"

namespace trainyard::plan {

using graph::Function, graph::Op, graph::Region, graph::ValueId;

// Operations of one device that meet no other one, as a module of their own. What it alone reads
// last it may overwrite: such arguments are donated.
struct Body {
  graph::Module module;
  std::vector<ValueId> inputs{}, outputs{};  // of the whole program
};

using Partitions = std::vector<std::size_t>;  // places of devices in the plan

struct RunBody {
  std::size_t body = 0;
};
struct Meet {
  const Op* op = nullptr;            // a collective
  std::vector<Partitions> groups{};  // that meet at once; of a permutation, who sends to the next
  std::int64_t bytes = 0;            // the larger of what a device gives and gets
  // Of what is the same in each turn, as layers' weights are: it may begin a turn earlier.
  bool is_ahead = false;
};
struct Step;
using Steps = std::vector<Step>;
struct Loop {
  const Op* op = nullptr;
  Steps condition, body;
  std::optional<std::int64_t> turns{};  // where they are known
};
struct Choice {
  const Op* op = nullptr;
  std::vector<Steps> sides{};  // of each region of `op`
};
struct Step {
  std::variant<RunBody, Meet, Loop, Choice> what;
};

struct Plan {
  std::shared_ptr<const graph::Module> module;  // steps point into it
  std::size_t devices = 1;
  std::vector<Body> bodies{};
  Steps steps{};  // of main

  [[nodiscard]] const Function& main() const { return module->entry(); }
};

// `module`: of one device, calls in place (partition()). Throws InputError "graph.devices" for a
// collective that names a device that there is not, or that no schedule knows.
[[nodiscard]] Plan make_plan(graph::Module module, std::size_t devices);

// Throws InputError "graph.devices" at an operation.
[[noreturn]] void refuse(const graph::Module& module, const Op& op, std::string found);

}  // namespace trainyard::plan
