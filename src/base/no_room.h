// An InputError of its own type: the input needs more memory at once than there is. Compiled in
// another way, or with less at once, it may fit, so some callers catch it and try.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace trainyard::base {

enum class MemoryLevel : std::uint8_t { on_chip, hbm, host };

[[nodiscard]] constexpr std::string_view name(MemoryLevel memory) {
  return memory == MemoryLevel::on_chip ? "on_chip" : memory == MemoryLevel::hbm ? "hbm" : "host";
}

class NoRoom : public InputError {
 public:
  NoRoom(MemoryLevel memory, Violation violation)
      : InputError(std::move(violation)), memory_(memory) {}
  [[nodiscard]] MemoryLevel memory() const { return memory_; }

 private:
  MemoryLevel memory_;
};

}  // namespace trainyard::base
