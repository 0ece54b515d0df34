// An InputError of its own type: the input needs more memory at once than there is. Compiled in
// another way, or with less at once, it may fit, so some callers catch it and try.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace trainyard::base {

enum class Memory : std::uint8_t { on_chip, hbm, host };

[[nodiscard]] constexpr std::string_view name(Memory memory) {
  return memory == Memory::on_chip ? "on_chip" : memory == Memory::hbm ? "hbm" : "host";
}

class NoRoom : public InputError {
 public:
  NoRoom(Memory memory, Violation violation) : InputError(std::move(violation)), memory_(memory) {}
  [[nodiscard]] Memory memory() const { return memory_; }

 private:
  Memory memory_;
};

}  // namespace trainyard::base
