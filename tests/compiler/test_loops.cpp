// Do the passes treat the body of a hardware loop as they treat the same lines outside of one, and
// does what they make give the same bits?
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/compiler.h"
#include "isa/core/control_flow.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/branch.h"
#include "isa/instructions/register_load.h"
#include "tangle.h"

namespace trainyard::compiler {
namespace {

template <typename Record>
std::ptrdiff_t count(const isa::Program& program) {
  return std::ranges::count(program.instructions, isa::opcode_of<Record>,
                            &isa::Instruction::opcode);
}

isa::Program rewritten(Kernel kernel, const machine::Machine& machine = trn3()) {
  return compile(std::move(kernel.program), machine.core, {.rewrite = true});
}

Tile input(Kernel& k) {
  return k.tensor(Space::hbm, {128, 512}, DType::float32, isa::TensorRole::input);
}
Tile tile(Kernel& k, DType dtype = DType::float32) {
  return k.tensor(Space::sbuf, {128, 512}, dtype);
}

// Which instructions of a listed program stand in a loop, by their mnemonics.
std::vector<std::string_view> body(const isa::Program& program) {
  const isa::LoopTree tree(program);
  std::vector<std::string_view> found;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (tree.around(i) != isa::LoopTree::none) found.push_back(program.info_at(i).mnemonic);
  }
  return found;
}

TEST(LoopTree, PairsBeginsWithEndsAndKnowsWhoIsAround) {
  Kernel k;
  const Tile a = tile(k);
  k.fill(a);                                       // 0
  const std::uint32_t outer = k.begin_loop(0, 2);  // 1
  k.fill(a);                                       // 2
  const std::uint32_t inner = k.begin_loop(1, 3);  // 3
  k.fill(a);                                       // 4
  k.end_loop(inner);                               // 5
  k.end_loop(outer);                               // 6
  k.fill(a);                                       // 7
  const isa::LoopTree tree(k.program);
  ASSERT_EQ(tree.loops().size(), 2u);
  EXPECT_EQ(tree[0].begin, 1u);
  EXPECT_EQ(tree[0].end, 6u);
  EXPECT_EQ(tree[1].begin, 3u);
  EXPECT_EQ(tree[1].end, 5u);
  EXPECT_EQ(tree[1].parent, 0u);
  constexpr std::uint32_t none = isa::LoopTree::none;
  const std::vector<std::uint32_t> at{none, 0, 0, 1, 1, 1, 0, none, none};
  const std::vector<std::uint32_t> around{none, none, 0, 0, 1, 0, none, none, none};
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    EXPECT_EQ(tree.at(i), at[i]) << i;
    EXPECT_EQ(tree.around(i), around[i]) << i;
    EXPECT_EQ(tree.outermost(i), at[i] == none ? none : 0u) << i;
  }
  EXPECT_EQ(tree.outermost_since(4, 0), 1u);
  EXPECT_EQ(tree.outermost_since(4, 2), 3u);
  EXPECT_EQ(tree.outermost_since(4, 4), std::nullopt);
  EXPECT_EQ(tree.outermost_since(5, 2), std::nullopt) << "its end closes it";
  EXPECT_TRUE(tree.encloses(0, 1));
  EXPECT_TRUE(tree.encloses(none, 1));
  EXPECT_FALSE(tree.encloses(1, 0));
  EXPECT_FALSE(tree.encloses(0, none));
}

TEST(MergeLoads, ALoopLoadsOnceWhatItsBodyLoadsTwice) {
  Kernel k;
  const Tile weights = input(k), out = input(k);
  const std::uint32_t loop = k.begin_loop(0, 4);
  const Tile a = tile(k), b = tile(k), sum = tile(k);
  k.load(a, weights);
  k.load(b, weights);
  k.add(sum, a, b);
  k.load(out, sum);
  k.end_loop(loop);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(std::move(k))), 2);
}

TEST(MergeLoads, WhatWasLoadedBeforeALoopIsThereInIt) {
  Kernel k;
  const Tile weights = input(k), out = input(k);
  const Tile before = tile(k), inside = tile(k), sum = tile(k);
  k.load(before, weights);
  const std::uint32_t loop = k.begin_loop(0, 4);
  k.load(inside, weights);
  k.add(sum, before, inside);
  k.load(out, sum);
  k.end_loop(loop);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(std::move(k))), 2);
}

TEST(MergeLoads, WhatALoopLoadsIsLoadedAgainBehindIt) {
  Kernel k;
  const Tile weights = input(k), out = input(k);
  const Tile inside = tile(k), behind = tile(k);
  const std::uint32_t loop = k.begin_loop(0, 0);  // which may run not once
  k.load(inside, weights);
  k.load(out, inside);
  k.end_loop(loop);
  k.load(behind, weights);
  k.load(out, behind);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(std::move(k))), 4);
}

// A body with the same product twice; `changed`: an operand changes in between, or behind.
Kernel products(bool between, bool behind) {
  Kernel k;
  const Tile a = tile(k), b = tile(k), c = tile(k);
  k.fill(a);
  if (!between && !behind) k.fill(b);
  const std::uint32_t loop = k.begin_loop(0, 4);
  const Tile x = tile(k), y = tile(k), sum = tile(k);
  k.add(x, a, b);
  if (between) k.copy(b, c);
  k.add(y, a, b);
  k.copy(sum, x);
  k.copy(sum, y);
  if (behind) k.copy(b, c);
  k.end_loop(loop);
  return k;
}

TEST(MergeProducts, ALoopDoesOnceWhatItsBodyRepeats) {
  EXPECT_EQ(count<isa::TensorTensor>(rewritten(products(false, false))), 1);
}

TEST(MergeProducts, OperandsThatTheBodyWritesLaterAreMultipliedAgain) {
  EXPECT_EQ(count<isa::TensorTensor>(rewritten(products(true, false))), 2);
  EXPECT_EQ(count<isa::TensorTensor>(rewritten(products(false, true))), 2);
}

// Two loads of neighbouring columns, both in a loop or the first before it.
Kernel neighbours(bool both) {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 1024}, DType::float32, isa::TensorRole::input);
  const Tile out = input(k), sum = tile(k);
  Tile left = in, right = in;
  left.dims[1].count = right.dims[1].count = 512;
  right.offset = 512 * 4;
  const Tile a = tile(k), b = tile(k);
  if (!both) k.load(a, left);
  const std::uint32_t loop = k.begin_loop(0, 4);
  if (both) k.load(a, left);
  k.load(b, right);
  k.add(sum, a, b);
  k.load(out, sum);
  k.end_loop(loop);
  return k;
}

TEST(JoinTransfers, NeighboursInABodyAreOne) {
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(neighbours(true))), 2);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(neighbours(false))), 3);
}

TEST(Balance, ABodyIsSharedByVectorAndScalar) {
  static const machine::Machine trn1 = machine::load("trn1");
  const auto on_scalar = [](bool looped) {
    Kernel k;
    const std::uint32_t loop = looped ? k.begin_loop(0, 4) : 0;
    for (int i = 0; i < 8; ++i)
      k.copy(tile(k, DType::bfloat16), tile(k, DType::bfloat16), isa::Engine::any);
    if (looped) k.end_loop(loop);
    return count<isa::Activation>(rewritten(std::move(k), trn1));
  };
  EXPECT_GT(on_scalar(false), 0);
  EXPECT_EQ(on_scalar(true), on_scalar(false));
}

TEST(Schedule, ABodyIsOrderedAsTheSameLinesOutside) {
  const auto order = [](bool looped) {
    Kernel k;
    const Tile in = input(k);
    const std::uint32_t loop = looped ? k.begin_loop(0, 4) : 0;
    const Tile a = tile(k), b = tile(k), c = tile(k), d = tile(k);
    k.load(a, in);
    k.copy(b, a);
    k.add(d, c, c);  // needs no load, and goes before the copy that does
    if (looped) k.end_loop(loop);
    const isa::Program program = compile(std::move(k.program), trn3().core, {.order = Order::list});
    std::vector<std::string_view> mnemonics;
    for (const isa::Instruction& one : program.instructions) {
      if (isa::info(one.opcode).kind != isa::Kind::control)
        mnemonics.push_back(isa::info(one.opcode).mnemonic);
    }
    EXPECT_EQ(body(program).size(), looped ? 3u : 0u);
    return mnemonics;
  };
  EXPECT_EQ(order(false)[1], "tensor_tensor");
  EXPECT_EQ(order(true), order(false));
}

TEST(Schedule, NothingMovesOverTheTargetOfABranch) {
  Kernel k;
  const Tile in = input(k);
  const Tile a = tile(k), b = tile(k), c = tile(k), d = tile(k);
  k.program.append(isa::Branch{.left = {}, .right = {.constant = 1}, .target = 3},
                   isa::Engine::sync);
  k.load(a, in);
  k.copy(b, a);
  k.add(d, c, c);  // 3: runs whether or not the branch is taken
  const isa::Program program = compile(std::move(k.program), trn3().core, {.order = Order::list});
  EXPECT_EQ(program.info_at(3).mnemonic, "tensor_tensor");
}

TEST(Schedule, LoadsByOneRegisterKeepTheirOrderAndRunAhead) {
  Kernel k;
  const Tile index = k.tensor(Space::hbm, {2}, DType::int32, isa::TensorRole::input);
  const Tile table = k.tensor(Space::hbm, {256, 512}, DType::float32, isa::TensorRole::input);
  k.program.dynamics.push_back({.reg = {1}, .stride = 512});
  for (const std::int64_t i : {0, 1}) {
    Tile one = index, rows = table;
    one.offset = i * 4;
    one.dims[0].count = 1;
    rows.dims[0].count = 128;
    rows.dynamic = 1;
    k.program.append(isa::RegisterLoad{.dst = {1}, .src = one});
    const Tile in = tile(k), out = tile(k);
    k.load(in, rows);
    k.copy(out, in);
  }
  const isa::Program program = compile(std::move(k.program), trn3().core, {.order = Order::list});
  std::vector<std::string_view> order;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i)
    order.push_back(program.info_at(i).mnemonic);
  const std::vector<std::string_view> expected{"register_load", "dma_copy",    "register_load",
                                               "dma_copy",      "tensor_copy", "tensor_copy"};
  EXPECT_EQ(order, expected);
}

TEST(Streams, ABranchOfAllEnginesIsRefused) {
  Kernel k;
  const Tile in = input(k), a = tile(k);
  k.program.append(isa::Branch{.left = {}, .right = {.constant = 1}, .target = 2});
  k.load(a, in);
  try {
    (void)compile(std::move(k.program), trn3().core);
    FAIL() << "it was compiled";
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().front().label, "branch.engine");
  }
}

TEST(Loops, EveryOrderOfTheirBodiesGivesTheSameBits) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    for (const bool shared : {false, true}) {
      const auto made = [&](const Options& options) {
        return compile(tangle(seed, shared, true).program, trn3().core, options);
      };
      const std::vector<std::byte> expected = run(made({.allow_overlap = shared}), std::nullopt);
      for (const bool rewrite : {false, true}) {
        for (const bool turns_overlap : {false, true}) {
          const isa::Program listed =
              made({.order = Order::list, .rewrite = rewrite, .turns_overlap = turns_overlap});
          EXPECT_EQ(run(listed, std::nullopt), expected) << seed << rewrite << turns_overlap;
          EXPECT_EQ(run(listed, seed), expected) << seed << rewrite << turns_overlap;
        }
      }
    }
  }
}

TEST(Streams, ATurnWaitsForItsOwnEngineInTheTurnBefore) {
  Kernel k;
  const Tile a = tile(k), b = tile(k);
  k.fill(a);
  k.fill(b);
  const std::uint32_t loop = k.begin_loop(0, 3);
  k.copy(b, a);  // reads what the turn before has written
  k.copy(a, b);
  k.end_loop(loop);
  const isa::Program program = compile(std::move(k.program), trn3().core, {.turns_overlap = true});
  std::vector<std::uint32_t> back;
  for (const isa::StreamItem& item : program.streams[static_cast<std::size_t>(isa::Engine::vector)])
    if (program.is<isa::TensorCopy>(item.instruction)) back.push_back(item.depends_back);
  EXPECT_EQ(back, (std::vector<std::uint32_t>{2, 1})) << "the loop's end lies between";
}

}  // namespace
}  // namespace trainyard::compiler
