// A module as text: the generic form of MLIR with StableHLO's names and flat attributes, which
// read_text() reads back.
#pragma once

#include <string>

#include "graph/module.h"

namespace trainyard::graph {

struct PrintOptions {
  // Constants of more elements are shown as "..." (such a text cannot be read back); 0: never.
  std::int64_t elements_max = 0;
  bool locations = false;
};

[[nodiscard]] std::string print(const Module& module, const PrintOptions& options = {});
[[nodiscard]] std::string print(const Module& module, const Function& function,
                                const PrintOptions& options = {});
[[nodiscard]] std::string print(const Attribute& attribute, const PrintOptions& options = {});

}  // namespace trainyard::graph
