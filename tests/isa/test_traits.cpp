// Do the facts that passes and checks read of an instruction hold, and does a misspelt one not
// compile?
#include <cmath>

#include "isa/core/accumulation.h"
#include "isa/core/instruction_set.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/dma_read_add_write.h"
#include "isa/instructions/exponential.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_matmul.h"
#include "isa/instructions/tensor_scalar.h"
#include "lab.h"

namespace trainyard::isa {
namespace {

template <typename Record>
concept HasAHookNamedAccess = requires {
  Traits<Record>{.access = nullptr};
};
template <typename Record>
concept HasAHookNamedAcces = requires {
  Traits<Record>{.acces = nullptr};
};
static_assert(HasAHookNamedAccess<Memset>);
static_assert(!HasAHookNamedAcces<Memset>, "a misspelt hook does not compile");

TEST(Traits, FollowFromTheRecordWhereTheDefinitionSaysSo) {
  NcMatmul op;
  const InstructionInfo& info = info_of<NcMatmul>();
  EXPECT_FALSE(info.moves_values(&op));
  EXPECT_EQ(info.spread(&op), Spread::products);
  op.is_transpose = true;
  EXPECT_TRUE(info.moves_values(&op));
  EXPECT_EQ(info.spread(&op), Spread::moves);
}

TEST(Traits, ATransferThatOnlyCopiesNamesItsEnds) {
  Lab lab;
  const DmaCopy op{.dst = lab.sbuf(DType::float32, 1, {3}),
                   .src = lab.sbuf(DType::float32, 1, {3})};
  const Copied copied = info_of<DmaCopy>().copies(&op);
  EXPECT_EQ(copied.dst, op.dst);
  EXPECT_EQ(copied.src, op.src);
  EXPECT_EQ(info_of<DmaReadAddWrite>().copies, nullptr);
}

TEST(Traits, PassesTellWhatTheyFillOfTheArray) {
  Lab lab;
  NcMatmul op;
  op.stationary = lab.sbuf(DType::bfloat16, 32, {64});
  op.moving = lab.sbuf(DType::bfloat16, 32, {200});
  const Passes passes = info_of<NcMatmul>().passes(&op, lab.machine.core);
  EXPECT_EQ(passes.loaded, 64);
  EXPECT_EQ(passes.moved, 200);
}

TEST(Traits, ALoopsCounterIsSetOrItsConditionIsRead) {
  const InstructionInfo& info = info_of<LoopBegin>();
  const LoopBegin counted, conditional{.kind = LoopKind::while_nonzero};
  EXPECT_EQ(info.access(&counted, 0), Access::write);
  EXPECT_EQ(info.access(&conditional, 0), Access::read);
}

TEST(Traits, OperandsAreFoundByTheirRoles) {
  const InstructionInfo& info = info_of<Activation>();
  const OperandInfo* data = info.with(Role::data);
  ASSERT_NE(data, nullptr);
  EXPECT_EQ(data->name, "data");
  EXPECT_EQ(info.with(Role::stationary), nullptr);
}

TEST(Traits, AnOperandKnowsTheOperatorThatTakesIt) {
  TensorScalar op;
  op.op0 = numerics::AluOp::multiply;
  op.op1 = numerics::AluOp::subtract;
  std::vector<std::string_view> taken;
  for (const OperandInfo& operand : info_of<TensorScalar>().operands) {
    const numerics::AluOp* by = operand.taken_by(&op);
    if (by == nullptr) continue;
    taken.push_back(operand.name);
    EXPECT_EQ(*by, operand.name == "operand1" ? op.op1 : op.op0);
  }
  EXPECT_EQ(taken, (std::vector<std::string_view>{"data", "operand0", "operand1"}));
}

// The accumulator of a lane that held 7, behind an instruction that reduces three ones.
float left_on_vector(ReduceCmd command) {
  Lab lab;
  Exponential op;
  op.dst = lab.sbuf(DType::float32, 1, {3});
  op.src = lab.sbuf(DType::float32, 1, {3});
  op.reduce_cmd = command;
  lab.set_row(op.src, 0, {0, 0, 0});
  lab.core.vector_accumulator[0] = 7;
  lab.run(op);
  return lab.core.vector_accumulator[0];
}
float left_on_scalar(ReduceCmd command) {
  Lab lab;
  Activation op;
  op.dst = lab.sbuf(DType::float32, 1, {3});
  op.data = lab.sbuf(DType::float32, 1, {3});
  op.reduce_op = numerics::AluOp::add;
  op.reduce_cmd = command;
  lab.set_row(op.data, 0, {1, 1, 1});
  lab.core.scalar_accumulator[0] = 7;
  lab.run(op);
  return lab.core.scalar_accumulator[0];
}

void expect_left(float found, Accumulated said) {
  switch (said) {
    case Accumulated::kept: EXPECT_EQ(found, 7); break;
    case Accumulated::undefined: EXPECT_TRUE(std::isnan(found)); break;
    case Accumulated::identity: EXPECT_EQ(found, 0); break;
    case Accumulated::own: EXPECT_EQ(found, 3); break;
    case Accumulated::added: EXPECT_EQ(found, 10); break;
  }
}

TEST(Accumulation, RunsLeaveWhatTheTableSays) {
  using enum ReduceCmd;
  for (const ReduceCmd command : {idle, reduce, reset_reduce, load_reduce}) {
    SCOPED_TRACE(name(command));
    expect_left(left_on_vector(command), accumulated_by(command, HiddenState::vector_accumulator));
  }
  for (const ReduceCmd command : {idle, reset, reduce, reset_reduce}) {
    SCOPED_TRACE(name(command));
    expect_left(left_on_scalar(command), accumulated_by(command, HiddenState::scalar_accumulator));
  }
}

}  // namespace
}  // namespace trainyard::isa
