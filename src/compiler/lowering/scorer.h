// How long ways to compute a loop nest take: time-only runs of it, which the session supplies.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"
#include "isa/core/program.h"

namespace trainyard::compiler {

class Scorer {
 public:
  virtual ~Scorer() = default;

  // What each way takes (the largest number: it finds no room), or nothing of a nest that nobody
  // has scored and that is not to be scored now. `nest` names it: what is computed, of which
  // shapes, steps and formats, and the ways. `alone(way)`: the nest, computed that way, as a
  // program of its own.
  using Alone = std::function<isa::Program(std::size_t way)>;
  [[nodiscard]] virtual std::optional<std::vector<base::Ticks>> times(const std::string& nest,
                                                                      std::size_t ways,
                                                                      const Alone& alone) = 0;
};

}  // namespace trainyard::compiler
