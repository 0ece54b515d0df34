// Does a run that folds the turns of hardware loops say what one that runs every turn says: every
// time, reason, count and instruction's share? And does it fold?
#include <gtest/gtest.h>

#include "../checkers/findings_in_words.h"
#include "base/random.h"
#include "checkers/checkers.h"
#include "folded_run.h"
#include "isa/core/control_flow.h"

namespace trainyard::system {
namespace {

const machine::Machine& trn2() {
  static const machine::Machine machine = machine::load("trn2");
  return machine;
}

// `turns` of: load a block, add, store it elsewhere.
Kernel streaming(int turns) {
  Kernel k;
  const Tile in = in_hbm(k, 64 * turns);
  const Tile out = in_hbm(k, 64 * turns, isa::TensorRole::output);
  const Tile a = on_chip(k, 64), b = on_chip(k, 64);
  const std::uint32_t loop = k.begin_loop(3, turns);
  k.load(a, block(k, in, 3, 64));
  k.add(b, a, a);
  k.load(block(k, out, 3, 64), b);
  k.end_loop(loop);
  return k;
}

// `turns` of a burst of products, `moved` columns each, and of copies, which keep the array so busy
// that its clock rises or so idle that it falls.
Kernel products(int turns, std::int64_t moved, int copies, int burst = 1) {
  Kernel k;
  const Tile weights = on_chip(k, 128), moving = on_chip(k, moved), other = on_chip(k, 512);
  const Tile sum = k.tensor(Space::psum, {128, moved}, DType::float32);
  k.fill(weights);
  k.fill(moving);
  k.fill(other);
  const std::uint32_t loop = k.begin_loop(3, turns);
  for (int i = 0; i < burst; ++i) multiply(k, sum, weights, moving);
  for (int i = 0; i < copies; ++i) k.copy(other, other, Engine::scalar);
  k.copy(moving, sum);
  k.end_loop(loop);
  return k;
}

TEST(LoopFolding, FoldsAStreamOfBlocks) {
  EXPECT_GT(expect_same(compiled(streaming(1000), trn3()), trn3()), 900);
  EXPECT_GT(expect_same(compiled(streaming(1000), trn2()), trn2()), 900);
}

TEST(LoopFolding, TheClockLimitIsLeftOutWhereNoWindowChangesIt) {
  // All windows are busy, or all are idle, wherever they lie.
  for (const auto& [moved, copies] : {std::pair{512, 0}, {512, 1}, {128, 8}}) {
    const isa::Program program = compiled(products(3000, moved, copies), trn3());
    EXPECT_GT(expect_same(program, trn3()), 2000) << moved << " " << copies;
  }
}

TEST(LoopFolding, TheClockLimitIsFollowedWhereWindowsDiffer) {
  for (int copies = 0; copies < 12; ++copies) {
    for (const std::int64_t moved : {64, 128, 256, 512})
      expect_same(compiled(products(400, moved, copies), trn3()), trn3());
  }
  // A burst and a rest, each about as long as a window.
  for (const int burst : {4, 8, 12, 16}) {
    for (const int copies : {4, 8, 12}) {
      SCOPED_TRACE(testing::Message() << burst << " products, " << copies << " copies");
      expect_same(compiled(products(400, 512, copies, burst), trn3()), trn3());
    }
  }
}

TEST(LoopFolding, BillionsOfTurnsTakeNoTime) {
  Kernel k;
  const Tile a = on_chip(k, 64);
  k.fill(a);
  const std::uint32_t loop = k.begin_loop(3, 1'000'000'000);
  for (int i = 0; i < 5; ++i) k.copy(a, a);
  k.end_loop(loop);
  const isa::Program program = compiled(std::move(k), trn3());
  const RunResult result = time(program, trn3());
  EXPECT_GT(result.turns_folded, 999'000'000);
  EXPECT_GT(result.activity.instructions, 6'000'000'000) << "more than 32 bits hold";
}

TEST(LoopFolding, NestedLoopsFoldWithinEachOther) {
  Kernel k;
  const Tile in = in_hbm(k, 64 * 60), a = on_chip(k, 64), b = on_chip(k, 64);
  const std::uint32_t outer = k.begin_loop(3, 60);
  k.load(a, block(k, in, 3, 64));
  const std::uint32_t inner = k.begin_loop(4, 40);
  k.load(b, block(k, in, 4, 64));
  k.add(b, a, b);
  k.end_loop(inner);
  k.copy(a, b, Engine::scalar);
  k.end_loop(outer);
  EXPECT_GT(expect_same(compiled(std::move(k), trn3()), trn3()), 100);
}

// No transfer, sum or copy waits for another one; the loops of all engines stay in step.
void ignore_signals(isa::Program& program) {
  for (std::vector<isa::StreamItem>& stream : program.streams) {
    for (isa::StreamItem& item : stream) {
      if (isa::flow_of(program, item.instruction) == isa::Flow::none)
        item.wait_count = item.signal_count = 0;
    }
  }
}

// Where values are checked, every turn runs: each may find something else.
TEST(LoopFolding, ARunThatIsCheckedFoldsNothing) {
  constexpr int turns = 200;
  Kernel k;
  const Tile a = on_chip(k, 64), b = on_chip(k, 64), longer = on_chip(k, 512);
  k.fill(a);
  k.fill(longer);
  const std::uint32_t loop = k.begin_loop(3, turns);
  k.copy(b, a, Engine::scalar);
  k.add(longer, longer, longer);
  k.add(a, b, b);
  k.end_loop(loop);
  isa::Program program = compiled(std::move(k), trn3());
  ignore_signals(program);  // a race
  const auto checked = [&](bool folds) {
    state::Core core(engines::sizes_of(trn3().core), engines::make_stack(trn3()));
    const std::vector<std::int64_t> nowhere(program.tensors.size(), 0);
    isa::Execution execution{
        .core = core, .program = program, .hbm_base = nowhere, .machine = trn3().core};
    checkers::Checkers checkers(program, execution, {.stop_at = {}});
    const RunResult result =
        run(program, trn3(), execution, {.observer = &checkers, .folds_loops = folds});
    return std::pair(result, checkers.findings().list());
  };
  const auto [folded, found] = checked(true);
  EXPECT_EQ(folded.turns_folded, 0);
  EXPECT_EQ(checkers::in_words(found), checkers::in_words(checked(false).second));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].category, base::FaultCategory::race);
  EXPECT_GT(found[0].count, 1U);
  const Told unchecked = timed(program, trn3(), true);
  EXPECT_GT(unchecked.result.turns_folded, turns / 2);
  EXPECT_EQ(unchecked.result.time, folded.time);
}

TEST(LoopFolding, ATurnThatLeavesTheTensorIsStillFoundAtItsTime) {
  Kernel k = streaming(100);
  // The loop goes on for longer than the tensors do.
  for (std::uint32_t i = 0; i < k.program.instructions.size(); ++i) {
    if (k.program.info_at(i).flow == isa::Flow::loop_begin)
      static_cast<isa::LoopBegin*>(k.program.record(i))->stop.constant = 200;
  }
  const isa::Program program = compiled(std::move(k), trn3());
  const auto message = [&](bool folds) -> std::string {
    try {
      (void)timed(program, trn3(), folds);
    } catch (const base::Fault& fault) {
      return fault.what();
    }
    return "no fault";
  };
  EXPECT_NE(message(false), "no fault");
  EXPECT_EQ(message(true), message(false));
}

TEST(LoopFolding, BoundsThatFollowTheCountAreRunOneByOne) {
  Kernel k;
  const Tile a = on_chip(k, 64);
  k.fill(a);
  const std::uint32_t outer = k.begin_loop(3, 50);
  const std::uint32_t inner =
      k.program.append(isa::LoopBegin{.counter = {4}, .stop = {.constant = 0, .reg = {3}}});
  k.copy(a, a);
  k.end_loop(inner);
  k.end_loop(outer);
  expect_same(compiled(std::move(k), trn3()), trn3());
}

// Loads, copies, sums and products over few tiles, in nested loops of many turns.
Kernel tangle(std::uint64_t seed) {
  base::Random random(seed);
  Kernel k;
  const Tile in = in_hbm(k, 64 * 64), out = in_hbm(k, 64 * 64, isa::TensorRole::output);
  std::vector<Tile> tiles;
  for (int i = 0; i < 4; ++i) {
    tiles.push_back(on_chip(k, 64));
    k.fill(tiles.back());
  }
  const Tile sum = k.tensor(Space::psum, {64, 64}, DType::float32);
  const auto any = [&] { return tiles[random.below(tiles.size())]; };
  std::vector<std::uint32_t> open;
  const auto counter = [&] { return static_cast<int>(open.size()) + 2; };
  for (int step = 0; step < 24; ++step) {
    if (open.size() < 3 && random.below(4) == 0)
      open.push_back(k.begin_loop(counter() + 1, 1 + static_cast<int>(random.below(40))));
    if (!open.empty() && random.below(6) == 0) {
      k.end_loop(open.back());
      open.pop_back();
    }
    const bool looped = !open.empty();
    switch (random.below(6)) {
      case 0: k.copy(any(), any(), Engine::scalar); break;
      case 1: k.load(looped ? block(k, out, counter(), 64) : block(k, out, 2, 64), any()); break;
      case 2: k.load(any(), looped ? block(k, in, counter(), 64) : block(k, in, 2, 64)); break;
      case 3: multiply(k, sum, any(), any()); break;
      case 4: k.copy(any(), any(), Engine::gpsimd); break;
      default: k.add(any(), any(), any()); break;
    }
  }
  for (; !open.empty(); open.pop_back()) k.end_loop(open.back());
  return k;
}

TEST(LoopFolding, RandomLoopsAreToldTheSameAndManyFold) {
  std::int64_t folded = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const machine::Machine& machine = seed % 3 == 0 ? trn2() : trn3();
    const auto order = seed % 2 == 0 ? compiler::Order::author : compiler::Order::list;
    folded += expect_same(compiled(tangle(seed), machine, order), machine);
  }
  EXPECT_GT(folded, 0);
}

}  // namespace
}  // namespace trainyard::system
