#include "state/hbm.h"

#include <fmt/format.h>

#include "base/no_room.h"
#include "base/units.h"

namespace trainyard::state {

namespace {

// As many pages as the host grants address space for: all of them, or, where that is limited
// (ulimit -v), half of what it would give, so that the process can go on. Throws InputError
// "host.address_space" where that is little.
Pages granted(std::int64_t bytes) {
  constexpr std::int64_t least = std::int64_t{64} << 20;
  for (std::int64_t size = bytes;; size /= 2) {
    try {
      if (size == bytes) return Pages(size);
      (void)Pages(size);
      return Pages(size / 2);
    } catch (const base::InputError&) {
      if (size / 2 < least) throw;
    }
  }
}

}  // namespace

Hbm::Hbm(std::int64_t bytes) : pages_(granted(bytes)), written_(pages_.size()) {}

std::int64_t Hbm::allocate(std::int64_t bytes) {
  constexpr std::int64_t alignment = 4096;
  const std::int64_t address = next_;
  if (bytes > size() - address) {
    throw base::NoRoom(
        base::MemoryLevel::hbm,
        {"hbm.capacity", "the tensors fit into the HBM stack", "",
         fmt::format("{} bytes wanted, {} of {} free", bytes, size() - address, size()),
         "use smaller tensors or a machine with more HBM"});
  }
  next_ = base::round_up(address + bytes, alignment);
  return address;
}

}  // namespace trainyard::state
