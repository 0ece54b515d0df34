// Loads and stores of elements that lie apart in HBM: neighbours in a row of the window are no
// neighbours there. Transfers of single elements would take a hundred times as long, so whole rows
// are moved and an engine rearranges them.
#pragma once

#include <functional>

#include "compiler/lowering/values/window.h"

namespace trainyard::compiler {

// Whether the tensor engine turns elements of that format without a change of their bits.
[[nodiscard]] bool is_turned_exactly(const Emitter& emitter, isa::DType dtype);

// Tiles [rows, height], by number, that the tensor engine turns and puts beside each other:
// [height, count * rows]. As many at a time as a bank of PSUM holds.
[[nodiscard]] isa::Tile turned_beside(Emitter& emitter, isa::DType dtype, std::int64_t height,
                                      std::int64_t rows, std::int64_t count,
                                      const std::function<isa::Tile(std::int64_t)>& tile);

// Loads a window by way of its columns, which are rows in HBM, and the tensor engine turns them.
// False, and nothing emitted, where they are not, or where that would not be exact.
[[nodiscard]] bool load_turned(Emitter& emitter, const Matrix& from, const Window& window,
                               const isa::Tile& to);
[[nodiscard]] bool store_turned(Emitter& emitter, const isa::Tile& from, const Matrix& to,
                                const Window& window, isa::Engine issuer);
// Loads all elements between those of a row, and Vector or Scalar takes every n-th, from either
// end. False, and nothing emitted, where the elements lie far apart.
[[nodiscard]] bool load_every_nth(Emitter& emitter, const Matrix& from, const Window& window,
                                  const isa::Tile& to);

}  // namespace trainyard::compiler
