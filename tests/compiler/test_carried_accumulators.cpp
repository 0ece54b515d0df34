// Which instructions keep their order because of accumulators, which are no operands.
#include <gtest/gtest.h>

#include "compiler/compiler.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/activation_reduce.h"
#include "kernel.h"

namespace trainyard::compiler {
namespace {

using isa::Activation;
using isa::ActivationReduce;
using isa::ReduceCmd;

// Two activations: the first waits for a load, the second does not.
struct Pair {
  Kernel k;
  Tile in = k.tensor(Space::hbm, {128, 512});
  Tile loaded = tile(), ready = tile(), late = tile(), early = tile();
  Tile sum = k.tensor(Space::sbuf, {128, 1});

  Tile tile() { return k.tensor(Space::sbuf, {128, 512}); }

  template <typename First, typename Second>
  isa::TensorId first_of_scalar(const First& first, const Second& second) {
    k.load(loaded, in);
    k.program.append(first);
    k.program.append(second);
    const isa::Program p = compile(std::move(k.program), trn3().core, {.order = Order::list});
    const auto& stream = p.streams[static_cast<std::size_t>(isa::Engine::scalar)];
    EXPECT_EQ(stream.size(), 2u);
    isa::TensorId written = 0;
    p.for_each_tile(stream[0].instruction,
                    [&](const isa::OperandInfo& operand, const Tile& tile, isa::Access) {
                      if (operand.name == "dst") written = tile.tensor;
                    });
    return written;
  }
};

template <typename Record>
Record from(const Tile& dst, const Tile& data, const Tile& sum = {}) {
  Record made;
  made.dst = dst;
  made.data = data;
  made.reduce_res = sum;
  return made;
}

TEST(CarriedAccumulators, ActivationsThatLeaveTheRegistersAloneKeepNobodyInOrder) {
  Pair p;
  EXPECT_EQ(
      p.first_of_scalar(from<Activation>(p.late, p.loaded), from<Activation>(p.early, p.ready)),
      p.early.tensor);
}

TEST(CarriedAccumulators, SumsThatEachStartAnewKeepNobodyInOrder) {
  Pair p;
  const Tile other = p.k.tensor(Space::sbuf, {128, 1});
  EXPECT_EQ(p.first_of_scalar(from<ActivationReduce>(p.late, p.loaded, p.sum),
                              from<ActivationReduce>(p.early, p.ready, other)),
            p.early.tensor);
}

TEST(CarriedAccumulators, ASumThatGoesOnComesAfterTheOneBefore) {
  Pair p;
  auto second = from<Activation>(p.early, p.ready, p.sum);
  second.reduce_op = numerics::AluOp::add;
  second.reduce_cmd = ReduceCmd::reduce;
  EXPECT_EQ(p.first_of_scalar(from<ActivationReduce>(p.late, p.loaded), second), p.late.tensor);
}

TEST(CarriedAccumulators, RegistersReadOutLaterKeepTheOrder) {
  Pair p;
  EXPECT_EQ(p.first_of_scalar(from<ActivationReduce>(p.late, p.loaded),
                              from<Activation>(p.early, p.ready, p.sum)),
            p.late.tensor);
}

}  // namespace
}  // namespace trainyard::compiler
