// Small state of a hardware loop that stays in SBUF between turns: a place in HBM is resident in a
// tile before the loop, the body reads the tile, and each turn ends with a copy into it.
#pragma once

#include <optional>

#include "compiler/lowering/values/segment.h"
#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

struct CarriedTile {
  Strided place;
  Window window;
  isa::Tile tile;
};

// Whether an operation in the loop may write a value of so many elements in place, or part of one:
// in HBM.
[[nodiscard]] bool writes_in_place(const graph::Op& loop, const graph::Function& function,
                                   std::int64_t elements);

// The content of the place, loaded; nothing where it is not small, or there is no room.
[[nodiscard]] std::optional<CarriedTile> carried(Segment& segment, const Strided& place);
// Whether it is still there.
[[nodiscard]] bool is_resident(const Segment& segment, const CarriedTile& state);
// The tile may hold something else than its place in HBM from here on.
void changed(Segment& segment, const CarriedTile& state);
// The next turn's state on chip: where it lies, or a copy for the time when that may change.
[[nodiscard]] isa::Tile next_of(Segment& segment, const Strided& value, const CarriedTile& state,
                                bool may_change);
// The state is that tile from here on.
void hand_over(Segment& segment, const isa::Tile& next, const CarriedTile& state);

}  // namespace trainyard::compiler
