#include "runtime/allocator.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/units.h"

namespace trainyard::runtime {

Allocator::Allocator(std::int64_t bytes) : size_(bytes) {
  if (bytes > 0) gaps_.emplace(0, bytes);
}

std::optional<std::int64_t> Allocator::allocate(std::int64_t bytes) {
  base::check(bytes >= 0, "an allocation has a size");
  const auto gap = std::ranges::find_if(gaps_, [&](const auto& g) { return g.second >= bytes; });
  if (gap == gaps_.end()) return std::nullopt;
  const auto [address, room] = *gap;
  // The last bytes of the memory may be no whole unit.
  const std::int64_t taken =
      room - bytes < alignment ? room : base::round_up(std::max<std::int64_t>(bytes, 1), alignment);
  gaps_.erase(gap);
  if (taken < room) gaps_.emplace(address + taken, room - taken);
  used_.emplace(address, taken);
  in_use_ += taken;
  in_use_peak_ = std::max(in_use_peak_, in_use_);
  return address;
}

std::int64_t Allocator::free(std::int64_t address) {
  const auto found = used_.find(address);
  base::check(found != used_.end(), "what is freed was allocated");
  const std::int64_t bytes = found->second;
  used_.erase(found);
  in_use_ -= bytes;
  auto gap = gaps_.emplace(address, bytes).first;
  if (const auto next = std::next(gap);
      next != gaps_.end() && gap->first + gap->second == next->first) {
    gap->second += next->second;
    gaps_.erase(next);
  }
  if (gap != gaps_.begin()) {
    const auto before = std::prev(gap);
    if (before->first + before->second == gap->first) {
      before->second += gap->second;
      gaps_.erase(gap);
    }
  }
  return bytes;
}

std::int64_t Allocator::largest_free() const {
  std::int64_t largest = 0;
  for (const auto& [address, bytes] : gaps_) largest = std::max(largest, bytes);
  return largest;
}

}  // namespace trainyard::runtime
