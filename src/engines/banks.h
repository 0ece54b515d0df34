// Who uses the banks of PSUM and the shared SBUF bus, and until when. A second user of a bank waits
// or runs slower; the rules are T2 "Data Movement Updates" and machine-reference 11.7 and 11.9.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "base/state_visitor.h"
#include "base/units.h"
#include "isa/core/operand.h"
#include "machine/core.h"

namespace trainyard::engines {

using BankMask = std::uint32_t;
inline constexpr std::size_t banks_max = 32;

// What sharing costs an instruction: when it may start, and what is added to its time.
struct Sharing {
  base::Ticks start;
  base::Ticks extra;
};

class PsumBanks {
 public:
  explicit PsumBanks(const machine::Psum& spec, base::Clock clock)
      : rate_(spec.same_bank_rate),
        exclusive_(spec.vector_scalar_exclusive),
        penalty_(clock(spec.conflict_penalty)) {}

  // Vector or Scalar use `banks` for `length` from `now` on.
  [[nodiscard]] Sharing use(isa::Engine engine, BankMask banks, base::Ticks now,
                            base::Ticks length) {
    Sharing result{now, {0}};
    Users& mine = readers_[static_cast<std::size_t>(engine)];
    const Users& other = readers_[static_cast<std::size_t>(
        engine == isa::Engine::vector ? isa::Engine::scalar : isa::Engine::vector)];
    // Two readers of a bank go one after the other; v2 has one port for both of them.
    const base::Ticks until = exclusive_ ? other.any : latest(other, banks);
    if (until > now) result.start = until + penalty_;
    const base::Ticks writer = latest(tensor_, banks);
    if (writer > result.start) {
      const base::Ticks both = std::min(writer - result.start, length);
      result.extra = {base::ceil_div(both.value * rate_.cycles, rate_.elements) - both.value};
    }
    mark(mine, banks, result.start + length + result.extra);
    return result;
  }
  // The tensor engine writes `banks` until `end`.
  void write(BankMask banks, base::Ticks end) { mark(tensor_, banks, end); }
  void show(base::StateVisitor& visitor) {
    tensor_.show(visitor);
    for (const isa::Engine reader : {isa::Engine::vector, isa::Engine::scalar})
      readers_[static_cast<std::size_t>(reader)].show(visitor);
  }

 private:
  struct Users {
    std::array<base::Ticks, banks_max> until{};
    base::Ticks any;

    void show(base::StateVisitor& visitor) {
      for (base::Ticks& end : until) visitor.past(end);
      visitor.past(any);
    }
  };
  [[nodiscard]] static base::Ticks latest(const Users& users, BankMask banks) {
    base::Ticks result{0};
    for (BankMask rest = banks; rest != 0; rest &= rest - 1)
      result = std::max(result, users.until[static_cast<std::size_t>(std::countr_zero(rest))]);
    return result;
  }
  static void mark(Users& users, BankMask banks, base::Ticks end) {
    for (BankMask rest = banks; rest != 0; rest &= rest - 1)
      users.until[static_cast<std::size_t>(std::countr_zero(rest))] = end;
    users.any = std::max(users.any, end);
  }

  machine::Rate rate_;
  bool exclusive_;
  base::Ticks penalty_;
  Users tensor_;
  std::array<Users, isa::engine_count> readers_{};
};

// The SBUF bus that Vector's perf modes borrow from GpSimd.
class SbufBus {
 public:
  explicit SbufBus(const machine::Sbuf& spec)
      : exclusive_(spec.vector_gpsimd_exclusive), shared_(spec.vector_gpsimd_shared_bus) {}

  // Vector (in a perf mode, or at all on v2) or GpSimd use the bus for `length` from `now` on.
  [[nodiscard]] Sharing use(isa::Engine engine, base::Ticks now, base::Ticks length) {
    Sharing result{now, {0}};
    const bool vector = engine == isa::Engine::vector;
    const base::Ticks other = vector ? gpsimd_until_ : vector_until_;
    if (other > now && exclusive_) result.start = other;
    // They alternate: while both want the bus, each gets half of it.
    if (other > now && !exclusive_ && shared_) result.extra = std::min(other - now, length);
    (vector ? vector_until_ : gpsimd_until_) = result.start + length + result.extra;
    return result;
  }
  [[nodiscard]] bool exclusive() const { return exclusive_; }
  void show(base::StateVisitor& visitor) {
    visitor.past(vector_until_);
    visitor.past(gpsimd_until_);
  }

 private:
  bool exclusive_, shared_;
  base::Ticks vector_until_, gpsimd_until_;
};

}  // namespace trainyard::engines
