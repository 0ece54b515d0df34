// A pass over a function's body, on the bodies of its loops and branches, too.
#pragma once

#include <utility>

#include "graph/module.h"

namespace trainyard::graph {

// `write(function)` changes function.body, in which each of these regions stands in turn, inner
// ones first. What a region reads of outside is then as unknown as an argument.
template <class Write>
void each_body(Function& function, const Write& write) {
  Region whole = std::move(function.body);
  const auto run = [&](const auto& self, Region& region) -> void {
    for (Op& op : region.ops) {
      if (!is(op.kind, Trait::control)) continue;
      for (Region& inner : op.regions) self(self, inner);
    }
    function.body = std::move(region);
    write(function);
    region = std::move(function.body);
  };
  run(run, whole);
  function.body = std::move(whole);
}

}  // namespace trainyard::graph
