#include "engines/tensor_pipe.h"

#include <algorithm>

#include "base/error.h"

namespace trainyard::engines {

using base::Ticks;

TensorPipe::TensorPipe(const machine::Core& core)
    : core_(core),
      throttle_(core.throttle),
      columns_of_cells_(static_cast<std::size_t>(core.array.columns / core.array.tile_columns_min)),
      cells_(columns_of_cells_ *
             static_cast<std::size_t>(core.array.rows / core.array.tile_rows_min)) {
  base::check(!cells_.empty(), "an array has cells");
}

TensorPipe::Span TensorPipe::cells_of(const isa::ArrayTile& part) const {
  if (part.rows == 0) return {0, cells_.size() / columns_of_cells_ - 1, 0, columns_of_cells_ - 1};
  const std::int64_t high = core_.array.tile_rows_min, wide = core_.array.tile_columns_min;
  return {static_cast<std::size_t>(part.start_row / high),
          static_cast<std::size_t>((part.start_row + part.rows - 1) / high),
          static_cast<std::size_t>(part.start_column / wide),
          static_cast<std::size_t>((part.start_column + part.columns - 1) / wide)};
}

template <typename F>
void TensorPipe::for_each_cell(const Span& span, F&& f) {
  for (std::size_t row = span.first_row; row <= span.last_row; ++row) {
    for (std::size_t column = span.first_column; column <= span.last_column; ++column)
      f(cells_[row * columns_of_cells_ + column]);
  }
}

TensorPipe::Cell TensorPipe::state_of(const Span& span) {
  Cell result;
  for_each_cell(span, [&](const Cell& cell) {
    result.load_free = std::max(result.load_free, cell.load_free);
    result.move_free = std::max(result.move_free, cell.move_free);
  });
  return result;
}

bool TensorPipe::goes_beside(const isa::Passes& passes, Ticks loaded, Ticks move_free) const {
  return passes.transposes && core_.array.transposes_go_beside_products() &&
         std::max(loaded, background_free_) < std::max(loaded, move_free);
}

TensorPipe::Plan TensorPipe::run(Ticks now, const isa::Passes& passes, bool reuses) {
  const machine::PeArray& array = core_.array;
  const base::Clock clock = core_.tensor.clock;
  const Span span = cells_of(passes.part);
  const base::Cycles length = std::max(passes.move, core_.tensor.min_interval) + passes.overhead;
  Cell used = state_of(span);
  Plan plan{};
  Ticks lost{0};
  for (std::int64_t pass = 0; pass < passes.count; ++pass) {
    Ticks loaded = now;
    // FP32 loads the low and the high half of one operand in turn, so only a single pass can be
    // reused.
    if (!reuses || passes.count > 1) {
      const Ticks from =
          std::max({now, port_free_, array.load_in_background ? used.load_free : used.move_free});
      // The array's clock limit holds for loads too; their activity is not counted.
      loaded = from + throttle_.slowed(clock(passes.load));
      port_free_ = loaded;
      if (pass == 0) plan.begin = std::max(from, used.move_free);
    } else if (pass == 0) {
      plan.begin = std::max(now, used.move_free);
    }
    if (goes_beside(passes, loaded, used.move_free)) {
      plan.moved = std::max(loaded, background_free_);
      // Neither is the activity of what runs beside another pass.
      plan.end = background_free_ = plan.moved + throttle_.slowed(clock(length));
      plan.begin = std::min(plan.begin, plan.moved);
    } else {
      plan.moved = std::max(loaded, used.move_free);
      const Throttle::Run run = throttle_.run(plan.moved, clock(length));
      lost += run.lost;
      plan.end = used.move_free = run.end;
    }
    // The next stationary operand may take this one's place as soon as this one is in use.
    used.load_free = plan.moved;
  }
  for_each_cell(span, [&](Cell& cell) { cell = used; });
  plan.worked = plan.end - lost;
  // A result is there as soon as its own columns are through, however long the array is kept.
  plan.commit = plan.moved + throttle_.slowed(clock(passes.move + passes.overhead)) +
                clock(array.fill) + throttle_.slowed(clock(array.drain));
  plan.next = passes.part.rows == 0 ? used.load_free : std::min(used.load_free, port_free_);
  return plan;
}

}  // namespace trainyard::engines
