// What does it cost when two engines want the same PSUM bank, or Vector and GpSimd the same bus?
#include "engines/banks.h"

#include <gtest/gtest.h>

namespace trainyard::engines {
namespace {

using base::Ticks;
using isa::Engine;

constexpr base::Clock clock{.ticks_per_cycle = 2};

machine::Psum psum() {
  machine::Psum spec;
  spec.same_bank_rate = {.elements = 1, .cycles = 2};
  spec.vector_scalar_exclusive = false;
  spec.conflict_penalty = {5};
  return spec;
}

TEST(PsumBanks, DifferentBanksDoNotMeet) {
  PsumBanks banks(psum(), clock);
  (void)banks.use(Engine::vector, 0b01, Ticks{0}, Ticks{100});
  const Sharing scalar = banks.use(Engine::scalar, 0b10, Ticks{50}, Ticks{100});
  EXPECT_EQ(scalar.start, Ticks{50});
  EXPECT_EQ(scalar.extra, Ticks{0});
}

TEST(PsumBanks, TwoReadersOfABankGoOneAfterTheOther) {
  PsumBanks banks(psum(), clock);
  (void)banks.use(Engine::vector, 0b11, Ticks{0}, Ticks{100});
  EXPECT_EQ(banks.use(Engine::scalar, 0b10, Ticks{50}, Ticks{100}).start, Ticks{100 + 10});
}

TEST(PsumBanks, OnePortForBothMakesThemTakeTurnsWhateverTheBank) {
  machine::Psum one_port = psum();
  one_port.vector_scalar_exclusive = true;
  PsumBanks banks(one_port, clock);
  (void)banks.use(Engine::vector, 0b01, Ticks{0}, Ticks{100});
  EXPECT_EQ(banks.use(Engine::scalar, 0b10, Ticks{50}, Ticks{100}).start, Ticks{110});
}

TEST(PsumBanks, AReaderIsSlowerWhileTheArrayWritesItsBank) {
  PsumBanks banks(psum(), clock);
  banks.write(0b1, Ticks{80});
  const Sharing vector = banks.use(Engine::vector, 0b1, Ticks{50}, Ticks{100});
  EXPECT_EQ(vector.start, Ticks{50});
  EXPECT_EQ(vector.extra, Ticks{30});  // the 30 ticks in common go at half the rate
}

TEST(PsumBanks, AnEngineDoesNotMeetItself) {
  PsumBanks banks(psum(), clock);
  (void)banks.use(Engine::vector, 0b1, Ticks{0}, Ticks{100});
  EXPECT_EQ(banks.use(Engine::vector, 0b1, Ticks{100}, Ticks{10}).start, Ticks{100});
}

machine::Sbuf sbuf(bool exclusive, bool shared) {
  machine::Sbuf spec;
  spec.vector_gpsimd_exclusive = exclusive;
  spec.vector_gpsimd_shared_bus = shared;
  return spec;
}

TEST(SbufBus, AnExclusiveBusIsWaitedFor) {
  SbufBus bus(sbuf(true, false));
  (void)bus.use(Engine::gpsimd, Ticks{0}, Ticks{100});
  EXPECT_EQ(bus.use(Engine::vector, Ticks{40}, Ticks{10}).start, Ticks{100});
}

TEST(SbufBus, ASharedBusIsUsedInTurn) {
  SbufBus bus(sbuf(false, true));
  (void)bus.use(Engine::gpsimd, Ticks{0}, Ticks{100});
  const Sharing vector = bus.use(Engine::vector, Ticks{40}, Ticks{200});
  EXPECT_EQ(vector.start, Ticks{40});
  EXPECT_EQ(vector.extra, Ticks{60});
}

TEST(SbufBus, BusesOfTheirOwnCostNothing) {
  SbufBus bus(sbuf(false, false));
  (void)bus.use(Engine::vector, Ticks{0}, Ticks{100});
  EXPECT_EQ(bus.use(Engine::gpsimd, Ticks{0}, Ticks{100}).extra, Ticks{0});
}

}  // namespace
}  // namespace trainyard::engines
