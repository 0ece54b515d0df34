// What is an instruction called in a trace, and which turn of its loops is it in?
#include "report/labels.h"

#include <gtest/gtest.h>

#include "example.h"
#include "isa/forms/text.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::report {
namespace {

TEST(LabelsOf, TilesThatDifferInAddressOnlyShareAText) {
  isa::Program program = example_program();
  program.tensors.resize(3);
  program.tensors[0].name = program.tensors[1].name = "scores";
  program.tensors[2].name = "other";
  const auto append = [&](isa::TensorId tensor, std::int64_t offset, numerics::AluOp op) {
    isa::TensorTensor record = program.as<isa::TensorTensor>(add);
    record.dst.tensor = tensor;
    record.dst.offset = offset;
    record.op = op;
    return program.append(record, isa::Engine::vector);
  };
  const std::uint32_t a = append(0, 0, numerics::AluOp::add),
                      b = append(1, 64, numerics::AluOp::add),
                      c = append(2, 0, numerics::AluOp::add),
                      d = append(0, 0, numerics::AluOp::multiply);
  const trace::Labels labels = labels_of(program);
  EXPECT_EQ(labels[a].operands, labels[b].operands);
  EXPECT_NE(labels[a].operands, labels[c].operands);
  EXPECT_NE(labels[a].operands, labels[d].operands);
  EXPECT_EQ(labels.string(labels[b].operands), isa::describe_operands(program, b));
  EXPECT_TRUE(
      labels.string(labels[a].operands).starts_with("dst=scores sbuf float32 [128, 512], data1="));
}

TEST(LabelsOf, CarryMnemonicsOperandsPlacesAndLoops) {
  const trace::Labels labels = labels_of(example_program());
  ASSERT_EQ(labels.size(), 5u);
  EXPECT_EQ(labels.string(labels[add].mnemonic), "tensor_tensor");
  EXPECT_NE(labels.string(labels[add].operands).find("data1="), std::string::npos);
  EXPECT_EQ(labels.place(add), "kernel.py:12");
  EXPECT_EQ(labels.indices(add, 0), (std::vector<trace::LoopIndex>{{"i", 1}}));
  EXPECT_EQ(labels.place(store), "");
}

TEST(RolledLoops, GiveTheTurnsOfTheirBodies) {
  isa::Program program;
  const auto begin = [&](isa::Engine engine, std::int64_t start, std::int64_t stop,
                         std::int32_t step, std::uint8_t counter) {
    isa::LoopBegin loop;
    loop.counter = {counter};
    loop.start.constant = start;
    loop.stop.constant = stop;
    loop.step = step;
    return program.append(loop, engine);
  };
  const auto end = [&](isa::Engine engine, std::uint32_t of) {
    return program.append(isa::LoopEnd{static_cast<std::int32_t>(of)}, engine);
  };
  const std::uint32_t outer = begin(isa::Engine::vector, 0, 4, 1, 0);
  const std::uint32_t other = begin(isa::Engine::scalar, 0, 9, 1, 5);
  const std::uint32_t inner = begin(isa::Engine::vector, 128, 512, 128, 1);
  const std::uint32_t body = program.append(isa::TensorCopy{}, isa::Engine::vector);
  end(isa::Engine::vector, inner);
  const std::uint32_t after = program.append(isa::TensorCopy{}, isa::Engine::vector);
  end(isa::Engine::scalar, other);
  end(isa::Engine::vector, outer);
  const std::uint32_t outside = program.append(isa::TensorCopy{}, isa::Engine::vector);
  const trace::Labels labels = labels_of(program);
  using Indices = std::vector<trace::LoopIndex>;
  EXPECT_EQ(labels.indices(body, 7), (Indices{{"r0", 2}, {"r1", 256}}));  // turn 7 of 4 x 3
  EXPECT_EQ(labels.indices(after, 3), (Indices{{"r0", 3}}));
  EXPECT_TRUE(labels.indices(outside, 0).empty());
}

TEST(RolledLoops, CountTurnsWhereTripsAreNotKnown) {
  isa::Program program;
  isa::LoopBegin known, unknown;
  known.counter = {0};
  known.stop.constant = 4;
  unknown.counter = {1};
  unknown.stop.reg = {2};
  const auto end = [&](std::uint32_t of) {
    program.append(isa::LoopEnd{static_cast<std::int32_t>(of)}, isa::Engine::vector);
  };
  const std::uint32_t outer = program.append(unknown, isa::Engine::vector);
  const std::uint32_t first = program.append(isa::TensorCopy{}, isa::Engine::vector);
  const std::uint32_t middle = program.append(known, isa::Engine::vector);
  const std::uint32_t second = program.append(isa::TensorCopy{}, isa::Engine::vector);
  const std::uint32_t inner = program.append(unknown, isa::Engine::vector);
  const std::uint32_t third = program.append(isa::TensorCopy{}, isa::Engine::vector);
  end(inner);
  end(middle);
  end(outer);
  const trace::Labels labels = labels_of(program);
  using Indices = std::vector<trace::LoopIndex>;
  EXPECT_EQ(labels.indices(first, 6), (Indices{{"r1", 6}}));
  EXPECT_EQ(labels.indices(second, 6), (Indices{{"r1", 1}, {"r0", 2}}));
  EXPECT_EQ(labels.indices(third, 6), (Indices{{"turn", 6}}));
}

}  // namespace
}  // namespace trainyard::report
