// Which engines may issue a transfer that no author gave to one, and what it costs each of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/units.h"
#include "isa/core/program.h"
#include "machine/core.h"

namespace trainyard::compiler {

struct Issuing {
  isa::Engine engine = isa::Engine::sync;
  base::Ticks held, held_behind;  // until it goes on; right behind another transfer
  base::Ticks latency;            // from then until the bytes move
};

class Issuers {
 public:
  explicit Issuers(const machine::Core& core);

  // Of a plain transfer: Sync, GpSimd and Scalar. None of others, and of those with an address, a
  // cast or a way to make descriptors that only some can do.
  [[nodiscard]] std::span<const Issuing> of(const isa::Program& program, std::uint32_t i) const;

 private:
  std::array<Issuing, 3> all_;
};

}  // namespace trainyard::compiler
