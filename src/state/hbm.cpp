#include "state/hbm.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/units.h"

namespace trainyard::state {

Hbm::Hbm(std::int64_t bytes) : pages_(bytes), written_(bytes) {}

std::int64_t Hbm::allocate(std::int64_t bytes) {
  constexpr std::int64_t alignment = 4096;
  const std::int64_t address = next_;
  if (bytes > size() - address) {
    throw base::InputError(
        {"hbm.capacity", "the tensors fit into the HBM stack", "",
         fmt::format("{} bytes wanted, {} of {} free", bytes, size() - address, size()),
         "use smaller tensors or a machine with more HBM"});
  }
  next_ = base::round_up(address + bytes, alignment);
  return address;
}

}  // namespace trainyard::state
