// The array of the tensor engine in time: each pass of an instruction loads its stationary operand,
// in the background of the moves before it, and streams the moving one through. A stationary
// operand that is still loaded is not loaded again; disjoint tiles of the array work side by side,
// and on cores that have it a transpose runs beside another pass.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/throttle.h"
#include "isa/core/definition.h"
#include "machine/core.h"

namespace trainyard::engines {

class TensorPipe {
 public:
  explicit TensorPipe(const machine::Core& core);

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
  [[nodiscard]] Throttle& throttle() { return throttle_; }
  // Shows the array; of the throttle only its rate.
  void show(base::StateVisitor& visitor) {
    visitor.value(throttle_.rate());
    for (Cell& cell : cells_) {
      visitor.past(cell.load_free);
      visitor.past(cell.move_free);
    }
    visitor.past(port_free_);
    visitor.past(background_free_);
  }

 private:
  // The smallest part of the array that can work alone.
  struct Cell {
    base::Ticks load_free;  // the place for the next stationary operand is free
    base::Ticks move_free;  // the last move has left its first row
  };
  struct Span {
    std::size_t first_row, last_row, first_column, last_column;  // of cells, inclusive
  };

  [[nodiscard]] Span cells_of(const isa::ArrayTile& part) const;
  template <typename F>
  void for_each_cell(const Span& span, F&& f);
  [[nodiscard]] Cell state_of(const Span& span);
  // Whether a transpose that is loaded at `loaded` goes beside the pass that keeps the array until
  // `move_free`.
  [[nodiscard]] bool goes_beside(const isa::Passes& passes, base::Ticks loaded,
                                 base::Ticks move_free) const;

  const machine::Core& core_;
  Throttle throttle_;
  std::size_t columns_of_cells_;
  std::vector<Cell> cells_;      // row by row
  base::Ticks port_free_;        // the last load is through
  base::Ticks background_free_;  // the last transpose beside another pass has left the first row
};

}  // namespace trainyard::engines
