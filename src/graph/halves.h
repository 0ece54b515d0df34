// A program that two cores run side by side, each on its half of the batch: they meet at most once,
// where the sums of both are added up, as gradients of weights are.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "graph/module.h"

namespace trainyard::graph {

struct Halves {
  // Of a core. In memory the halves of an argument lie one behind the other, those of a result too.
  Module each;
  std::vector<bool> arguments;  // whether a core has half of it; else it reads all of it

  // What both do behind that, on the whole.
  struct Rest {
    Module module;
    struct Source {
      bool is_argument =
          false;  // of main; else what `each` has given: [2, ...], a core's part each
      std::size_t index = 0;
    };
    std::vector<Source> arguments;
  };
  std::optional<Rest> rest{};
  // Of each result of main, the place among those of `rest`, or of `each`.
  struct Result {
    bool is_of_rest = false;
    std::size_t index = 0;
  };
  std::vector<Result> results{};
};

// Nothing where cores would have to meet otherwise, and of a program that several devices run or
// that exchanges values with the host.
[[nodiscard]] std::optional<Halves> halves_of(const Module& module);

}  // namespace trainyard::graph
