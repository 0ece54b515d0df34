#include "compiler/memory_window.h"

#include <algorithm>
#include <deque>

#include "base/units.h"

namespace trainyard::compiler {

MemoryWindow::MemoryWindow(const isa::Program& program, isa::Space space, std::int64_t alignment,
                           std::int64_t capacity, std::int64_t window, std::int64_t ahead,
                           bool written_in_parts)
    : capacity_(capacity),
      window_max_(window),
      ahead_most_(ahead),
      ahead_max_(ahead),
      written_in_parts_(written_in_parts),
      begins_(program.instructions.size(), 0) {
  tensors_.reserve(program.tensors.size());
  order_.reserve(program.tensors.size());
  for (const isa::Tensor& tensor : program.tensors)
    tensors_.push_back({.size = base::round_up(tensor.bytes_per_partition(), alignment)});
  first_.reserve(program.instructions.size() + 1);
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    first_.push_back(static_cast<std::uint32_t>(touched_.size()));
    program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
      if (tile.space != space) return;
      touched_.push_back(tile.tensor);
      if (tensors_[tile.tensor].uses_left++ > 0) return;
      order_.emplace_back(i, tile.tensor);
      begins_[i] += size(tile.tensor);
    });
  }
  first_.push_back(static_cast<std::uint32_t>(touched_.size()));
  if (ahead_most_ > 0) find_needs(program.instructions.size());
}

void MemoryWindow::follow(std::uint32_t oldest) {
  for (; next_ < order_.size(); ++next_) {
    const auto [begin, t] = order_[next_];
    Use& use = tensors_[t];
    if (begin > oldest && window_ + size(t) > window_max_) break;
    use.in_window = true;
    if (use.uses_left == 0) continue;  // began and ended ahead of the window
    if (use.live) ahead_ -= size(t);
    window_ += size(t);
  }
  if (ahead_most_ > 0) ahead_max_ = std::min(ahead_most_, capacity_ - needs_[oldest]);
}

void MemoryWindow::find_needs(std::size_t instructions) {
  std::vector<std::uint32_t> uses;
  uses.reserve(tensors_.size());
  for (const Use& use : tensors_) uses.push_back(use.uses_left);
  std::vector<std::int64_t> live(instructions, 0);
  std::int64_t now = 0;
  for (std::uint32_t i = 0; i < instructions; ++i) {
    now += begins_[i];
    live[i] = now;
    for_each(i, [&](isa::TensorId t) {
      if (--uses[t] == 0) now -= size(t);
    });
  }
  needs_.resize(instructions);
  std::deque<std::size_t> falling;  // each has more live than all behind it
  for (std::size_t i = instructions; i-- > 0;) {
    while (!falling.empty() && live[falling.back()] <= live[i]) falling.pop_back();
    falling.push_back(i);
    if (falling.front() >= i + schedule_lookahead) falling.pop_front();
    needs_[i] = live[falling.front()];
  }
}

}  // namespace trainyard::compiler
