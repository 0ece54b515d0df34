// Where only every k-th turn of a loop is alike: are turns folded by that k, and told the same?
#include <gtest/gtest.h>

#include <algorithm>

#include "folded_run.h"
#include "isa/instructions/dma_copy.h"

namespace trainyard::system {
namespace {

// The least k such that each number is that of k before.
std::size_t period_of(const std::vector<std::int64_t>& numbers) {
  std::size_t k = 1;
  while (
      !std::equal(numbers.begin() + static_cast<std::ptrdiff_t>(k), numbers.end(), numbers.begin()))
    ++k;
  return k;
}

// What each of the turns from `first` on adds, by runs of programs that have one turn more each.
struct Turns {
  std::vector<std::int64_t> ticks, folded;
};
template <typename Program>
Turns turns(const Program& of, const machine::Machine& machine, int first, int count) {
  Turns found;
  std::int64_t ticks = 0, folded = 0;
  for (int turn = first; turn <= first + count; ++turn) {
    const isa::Program program = of(turn);
    const std::int64_t now = timed(program, machine, false).result.time.value;
    const std::int64_t folded_now = timed(program, machine, true).result.turns_folded;
    if (turn > first) {
      found.ticks.push_back(now - ticks);
      found.folded.push_back(folded_now - folded);
    }
    ticks = now;
    folded = folded_now;
  }
  return found;
}

// The times of turns repeat after k, not before, and so many are folded at a time.
template <typename Program>
void expect_period(std::size_t k, const Program& of, const machine::Machine& machine) {
  const Turns each = turns(of, machine, 200, 40);
  EXPECT_EQ(period_of(each.ticks), k);
  EXPECT_EQ(period_of(each.folded), k);
  EXPECT_EQ(std::ranges::max(each.folded), static_cast<std::int64_t>(k));
  EXPECT_GT(expect_same(of(1000), machine), 800);
}

// A product beside a sum that takes about as long. The engine that ends a turn last needs no signal
// to go on, so that it ends the next one first: compiled loops take two times in turn.
TEST(LoopPeriods, EnginesThatTakeTurnsInBeingLastFoldByTwo) {
  for (const int columns : {192, 256, 320}) {
    SCOPED_TRACE(testing::Message() << columns << " columns");
    const auto program = [&](int turns) {
      Kernel k;
      const Tile weights = on_chip(k, 128), summand = on_chip(k, columns);
      const Tile sum = k.tensor(Space::psum, {128, 128}, DType::float32);
      k.fill(weights);
      k.fill(summand);
      const std::uint32_t loop = k.begin_loop(3, turns);
      multiply(k, sum, weights, weights);
      k.add(summand, summand, summand);
      k.end_loop(loop);
      return compiled(std::move(k), trn3());
    };
    expect_period(2, program, trn3());
  }
}

// A machine whose rings hold so many stores, which are issued before the first of them ends.
machine::Machine with_rings_of(int stores) {
  machine::Machine machine = trn3();
  machine.core.dma.ring_stores = stores;
  machine.core.dma.hardware.trigger_latency = base::nanoseconds(600) * stores;
  return machine;
}

// Turns of a store that nothing waits for. Compiled loops of all engines wait for each other and
// for transfers at the end of a turn; this one is left to one engine alone.
isa::Program stores(int turns, const machine::Machine& machine) {
  constexpr int columns = 256;
  Kernel k;
  const Tile out = in_hbm(k, columns * turns, isa::TensorRole::output), a = on_chip(k, columns);
  const std::uint32_t loop = k.begin_loop(3, turns);
  k.program.append(
      isa::DmaCopy{.dst = block(k, out, 3, columns), .src = a, .dge_mode = isa::DgeMode::hwdge},
      Engine::sync);
  k.end_loop(loop);
  isa::Program program = compiled(std::move(k), machine);
  for (std::size_t e = 0; e < program.streams.size(); ++e) {
    if (e != static_cast<std::size_t>(Engine::sync)) program.streams[e].clear();
    for (isa::StreamItem& item : program.streams[e]) item.wait_count = item.signal_count = 0;
  }
  return program;
}

// A store waits where its ring is full, until the first one in it has ended: every k-th.
TEST(LoopPeriods, ARingOfStoresFoldsByAsManyAsItHolds) {
  for (int k = 1; k <= 16; ++k) {
    SCOPED_TRACE(testing::Message() << k << " stores");
    const machine::Machine machine = with_rings_of(k);
    expect_period(
        static_cast<std::size_t>(k), [&](int turns) { return stores(turns, machine); }, machine);
  }
}

TEST(LoopPeriods, LongerOnesRunTurnByTurn) {
  const machine::Machine machine = with_rings_of(17);
  const auto program = [&](int count) { return stores(count, machine); };
  EXPECT_EQ(period_of(turns(program, machine, 200, 40).ticks), 17U);
  EXPECT_EQ(expect_same(program(1000), machine), 0);
}

}  // namespace
}  // namespace trainyard::system
