// Does the rewriting back end drop the loads it may drop and no other, join the transfers it may
// join, and balance engines without changing a bit?
#include <gtest/gtest.h>

#include <algorithm>

#include "compiler/compiler.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/tensor_scalar.h"
#include "kernel.h"

namespace trainyard::compiler {
namespace {

const machine::Machine& trn1() {
  static const machine::Machine machine = machine::load("trn1");
  return machine;
}

isa::Program rewritten(Kernel kernel, const machine::Machine& machine = trn3()) {
  return compile(std::move(kernel.program), machine.core, {.rewrite = true});
}

template <typename Record>
std::ptrdiff_t count(const isa::Program& program) {
  return std::count_if(
      program.instructions.begin(), program.instructions.end(),
      [](const isa::Instruction& one) { return one.opcode == isa::opcode_of<Record>; });
}

// `times` iterations that load a tile of the same bytes and one of their own, and add them.
Kernel loop(int times, std::int64_t columns, bool same = true) {
  Kernel k;
  const Tile weights = k.tensor(Space::hbm, {128, columns}, DType::float32, isa::TensorRole::input);
  for (int i = 0; i < times; ++i) {
    const Tile input = k.tensor(Space::hbm, {128, columns}, DType::float32, isa::TensorRole::input);
    const Tile w = k.tensor(Space::sbuf, {128, columns}), x = k.tensor(Space::sbuf, {128, columns}),
               sum = k.tensor(Space::sbuf, {128, columns});
    k.load(w, same ? weights : input);
    k.load(x, input);
    k.add(sum, w, x);
    k.load(input, sum);
  }
  return k;
}

TEST(MergeLoads, WhatEveryIterationLoadsIsLoadedOnce) {
  const isa::Program program = rewritten(loop(8, 512));
  EXPECT_EQ(count<isa::DmaCopy>(program), 1 + 8 + 8);
  EXPECT_EQ(count<isa::TensorTensor>(program), 8);
}

TEST(MergeLoads, TheAuthorsOrderKeepsThem) {
  EXPECT_EQ(count<isa::DmaCopy>(compile(loop(8, 512).program, trn3().core)), 3 * 8);
}

TEST(MergeLoads, MemoryThatIsWrittenIsLoadedAgain) {
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(loop(8, 512, false))), 3 * 8);
}

TEST(MergeLoads, ATileThatIsChangedAfterItsLoadIsLoadedAgain) {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 512}, DType::float32, isa::TensorRole::input);
  for (int i = 0; i < 4; ++i) {
    const Tile w = k.tensor(Space::sbuf, {128, 512});
    k.load(w, in);
    k.add(w, w, w);
  }
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(std::move(k))), 4);
}

TEST(MergeLoads, WhatDoesNotFitBesideTheRestIsLoadedAgain) {
  // Three tiles of an iteration take 0.6 of a partition; with the weights of two rounds it would
  // be 0.8 of it.
  const std::int64_t columns = trn3().core.sbuf.usable().value / 4 / 5;
  Kernel k;
  const Tile a = k.tensor(Space::hbm, {128, columns}, DType::float32, isa::TensorRole::input);
  const Tile b = k.tensor(Space::hbm, {128, columns}, DType::float32, isa::TensorRole::input);
  for (int i = 0; i < 6; ++i) {
    const Tile w = k.tensor(Space::sbuf, {128, columns}), x = k.tensor(Space::sbuf, {128, columns}),
               y = k.tensor(Space::sbuf, {128, columns});
    k.load(w, i % 2 == 0 ? a : b);
    k.copy(x, w);
    k.copy(y, x);
    k.add(y, x, x);
  }
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(std::move(k))), 6);
}

// Loads that only an inner loop repeats, with `apart` copies between two of its turns.
Kernel nested(int apart) {
  Kernel k;
  for (int outer = 0; outer < 4; ++outer) {
    const Tile in = k.tensor(Space::hbm, {128, 512}, DType::float32, isa::TensorRole::input);
    for (int inner = 0; inner < 4; ++inner) {
      const Tile w = k.tensor(Space::sbuf, {128, 512}), x = k.tensor(Space::sbuf, {128, 512}),
                 other = k.tensor(Space::sbuf, {128, 512});
      k.load(w, in);
      k.copy(x, w);
      for (int n = 0; n < apart; ++n) k.copy(other, x);
    }
  }
  return k;
}

TEST(MergeLoads, OfAnInnerLoopOnlyAShortOneIsMerged) {
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(nested(40))), 16);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(nested(4))), 4);
}

constexpr std::int64_t width = 128;  // columns of the tiles below: 512 B of a partition

// A block of columns of a matrix in HBM.
Tile block(const Tile& matrix, int i) {
  Tile part = matrix;
  part.rank = 2;
  part.dims[0] = {static_cast<std::int32_t>(matrix.elements() / 128), 128};
  part.dims[1] = {1, width};
  part.offset = 4 * width * i;
  return part;
}

// Loads of successive blocks, every `step`-th, each into a tile of its own that is copied at once.
Kernel walk(int loads, int step = 1, bool writes_between = false) {
  Kernel k;
  const Tile matrix =
      k.tensor(Space::hbm, {128, width * 64}, DType::float32, isa::TensorRole::input);
  for (int i = 0; i < loads; ++i) {
    const Tile w = k.tensor(Space::sbuf, {128, width}), x = k.tensor(Space::sbuf, {128, width});
    k.load(w, block(matrix, i * step));
    k.copy(x, w);
    if (writes_between) k.load(block(matrix, (i + 1) * step), x);
  }
  return k;
}

TEST(JoinTransfers, LoadsOfNeighboursAreOneUpTo4KiBOfAPartition) {
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(walk(8))), 1);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(walk(9))), 2);
}

TEST(JoinTransfers, TheyMayBeAnyOneStepApart) {
  const isa::Program program = rewritten(walk(8, 3));
  EXPECT_EQ(count<isa::DmaCopy>(program), 1);
}

TEST(JoinTransfers, WhatIsWrittenInBetweenIsLoadedByItself) {
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(walk(8, 1, true))), 16);
}

TEST(JoinTransfers, NotWhereDescriptorsAreMadeBeforeTheRun) {
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(walk(8), trn1())), 8);
}

TEST(JoinTransfers, TheAuthorsOrderKeepsThem) {
  EXPECT_EQ(count<isa::DmaCopy>(compile(walk(8).program, trn3().core)), 8);
}

// Slices of one tile, loaded one after the other; `reads_between`: slice 5 before its load.
Kernel slices(bool reads_between) {
  Kernel k;
  const Tile matrix =
      k.tensor(Space::hbm, {128, width * 8}, DType::float32, isa::TensorRole::input);
  const Tile all = k.tensor(Space::sbuf, {128, width * 8}),
             other = k.tensor(Space::sbuf, {128, width});
  for (int i = 0; i < 8; ++i) {
    Tile slice = all;
    slice.dims[0] = {1, width};
    slice.offset = 4 * width * i;
    k.load(slice, block(matrix, i));
    slice.offset = 4 * width * 5;
    if (reads_between && i == 3) k.copy(other, slice);
  }
  return k;
}

TEST(JoinTransfers, SlicesOfOneTileAreLoadedTogetherUnlessOneIsReadBefore) {
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(slices(false))), 1);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(slices(true))), 2);
}

// Stores of successive blocks; `changed`: each from the same tile, made anew.
Kernel stores(bool changed) {
  Kernel k;
  const Tile matrix =
      k.tensor(Space::hbm, {128, width * 8}, DType::float32, isa::TensorRole::output);
  const Tile one = k.tensor(Space::sbuf, {128, width});
  for (int i = 0; i < 8; ++i) {
    const Tile tile = changed ? one : k.tensor(Space::sbuf, {128, width});
    k.fill(tile);
    k.load(block(matrix, i), tile);
  }
  return k;
}

TEST(JoinTransfers, StoresAreOneWhereTheTilesAreStillThere) {
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(stores(false))), 1);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(stores(true))), 8);
}

TEST(JoinTransfers, WithoutRoomForTheLargerTilesTheyStayAsTheyAre) {
  const std::int64_t partition = trn3().core.sbuf.usable().value / 4;
  Kernel k = walk(8);
  const Tile most = k.at(Space::sbuf, 0, {128, partition - 3 * width});
  k.fill(most);
  Kernel whole;
  whole.program = k.program;
  // In use from beginning to end.
  std::rotate(whole.program.instructions.begin(), whole.program.instructions.end() - 1,
              whole.program.instructions.end());
  whole.copy(most, most);
  EXPECT_EQ(count<isa::DmaCopy>(rewritten(std::move(whole))), 8);
}

// `turns` of an inner loop that multiply the same two tiles; `apart`: copies between two turns.
Kernel products(int turns, int apart, bool rewritten_operand = false) {
  Kernel k;
  const Tile in = k.tensor(Space::hbm, {128, 512}, DType::float32, isa::TensorRole::input);
  const Tile a = k.tensor(Space::sbuf, {128, 512}), b = k.tensor(Space::sbuf, {128, 512});
  k.load(a, in);
  k.load(b, in);
  for (int i = 0; i < turns; ++i) {
    const Tile product = k.tensor(Space::sbuf, {128, 512}), out = k.tensor(Space::sbuf, {128, 512});
    k.add(product, a, b);
    for (int n = 0; n < apart; ++n) k.copy(out, product);
    if (rewritten_operand) k.copy(b, out);
  }
  return k;
}

TEST(MergeProducts, WhatAnInnerLoopRepeatsIsDoneOnce) {
  EXPECT_EQ(count<isa::TensorTensor>(rewritten(products(8, 4))), 1);
}

TEST(MergeProducts, WhatIsFarApartIsDoneAgain) {
  EXPECT_EQ(count<isa::TensorTensor>(rewritten(products(8, 40))), 8);
}

TEST(MergeProducts, OperandsThatChangeAreMultipliedAgain) {
  EXPECT_EQ(count<isa::TensorTensor>(rewritten(products(8, 4, true))), 8);
}

// Independent copies and scalings whose engine is open.
Kernel copies(DType dtype) {
  Kernel k;
  for (int i = 0; i < 8; ++i) {
    const Tile a = k.tensor(Space::sbuf, {128, 512}, dtype), b = k.tensor(Space::sbuf, {128, 512}),
               c = k.tensor(Space::sbuf, {128, 512});
    k.copy(b, a, isa::Engine::any);
    k.program.append(isa::TensorScalar{
        .dst = c, .data = b, .op0 = numerics::AluOp::multiply, .operand0 = {.constant = 0.5}});
  }
  return k;
}

TEST(Balance, CopiesAndScalingsShareVectorAndScalar) {
  const isa::Program program = rewritten(copies(DType::bfloat16), trn1());
  const auto vector = program.streams[static_cast<std::size_t>(isa::Engine::vector)].size();
  const auto scalar = program.streams[static_cast<std::size_t>(isa::Engine::scalar)].size();
  EXPECT_EQ(vector + scalar, 16u);
  EXPECT_GE(vector, 4u);
  EXPECT_GE(scalar, 4u);
  EXPECT_EQ(count<isa::Activation>(program), static_cast<std::ptrdiff_t>(scalar));
}

TEST(Balance, AnEngineThatTheAuthorChoseStays) {
  Kernel k;
  for (int i = 0; i < 8; ++i)
    k.copy(k.tensor(Space::sbuf, {128, 512}), k.tensor(Space::sbuf, {128, 512}));
  EXPECT_EQ(count<isa::Activation>(rewritten(std::move(k), trn1())), 0);
}

TEST(Balance, IntegersStayOnVector) {
  const isa::Program program = rewritten(copies(DType::int32), trn1());
  EXPECT_EQ(count<isa::TensorCopy>(program), 8);
}

}  // namespace
}  // namespace trainyard::compiler
