// The array of the tensor engine in time: each pass of an instruction loads its stationary operand,
// in the background of the moves before it, and streams the moving one through. A stationary
// operand that is still loaded is not loaded again.
#pragma once

#include <cstdint>

#include "engines/throttle.h"
#include "isa/definition.h"
#include "machine/core.h"

namespace trainyard::engines {

class TensorPipe {
 public:
  explicit TensorPipe(const machine::Core& core) : core_(core), throttle_(core.throttle) {}

  struct Plan {
    base::Ticks begin;   // the array begins to work for the instruction (a load, or the first move)
    base::Ticks worked;  // its moves would end here at the full rate
    base::Ticks moved;   // its last move begins
    base::Ticks end;     // its last move ends
    base::Ticks commit;  // the last result is in PSUM
    base::Ticks next;    // the next instruction may begin its load
  };
  // An instruction that is ready at `now`. `reuses`: its stationary operand is the loaded one.
  [[nodiscard]] Plan run(base::Ticks now, const isa::Passes& passes, bool reuses);

  [[nodiscard]] const Throttle& throttle() const { return throttle_; }

 private:
  const machine::Core& core_;
  Throttle throttle_;
  base::Ticks load_free_;   // the place for the next stationary operand is free
  base::Ticks array_free_;  // the last move has left the first row
};

}  // namespace trainyard::engines
