// Does the builder make the programs that front ends ask for, and refuse what breaks a rule at its
// place in the author's source?
#include "isa/builder/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "isa/forms/text.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/branch.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/register_move.h"
#include "isa/rules/validate.h"
#include "machine/machine.h"

namespace trainyard::isa {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const machine::Core& trn3() {
  static const machine::Machine machine = machine::load("trn3");
  return machine.core;
}

base::Violation refused(const std::function<void()>& build) {
  try {
    build();
  } catch (const base::InputError& error) {
    return error.violations().front();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

std::vector<std::byte> bytes_of(std::int32_t value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// exp(x * scale) of every block of x, in a hardware loop that a register counts. The same calls in
// Python: tests/nki/test_builder.py.
Program scaled_exponentials() {
  Builder b("scaled_exponentials", trn3());
  const View x = b.tensor(
      {.name = "x", .shape = {4, 128, 64}, .space = Space::hbm, .role = TensorRole::input});
  const View blocks = b.tensor({.shape = {1},
                                .dtype = DType::int32,
                                .space = Space::hbm,
                                .role = TensorRole::constant,
                                .shared = true,
                                .constant = bytes_of(4)});
  const View out = b.tensor(
      {.shape = {4, 128, 64}, .space = Space::hbm, .role = TensorRole::output, .shared = true});
  const Tile factors = tile_of(b.tensor({.shape = {128, 1}}));
  b.emit(Memset{.dst = factors, .value = 0.5});
  const RegisterRef count = b.take_register();
  b.emit(RegisterLoad{.dst = count->reg(), .src = tile_of(blocks)});
  b.loop({}, {.reg = count->reg()}, 1, [&](Register block) {
    const View tile = b.tensor({.shape = {128, 64}});
    b.emit(DmaCopy{.dst = tile_of(tile),
                   .src = tile_of(select_dynamic(b.program(), x, 0, {.reg = block}))});
    for (const std::int64_t first : {0, 32}) {
      Activation exponential;
      exponential.dst = exponential.data = tile_of(slice(tile, 1, first, first + 32, 1));
      exponential.op = numerics::ActivationFunction::exp;
      exponential.scale.tile = factors;
      b.emit(exponential, Engine::scalar);
    }
    b.emit(DmaCopy{.dst = tile_of(select_dynamic(b.program(), out, 0, {.reg = block})),
                   .src = tile_of(tile)});
  });
  return b.take();
}

TEST(Builder, RefusesAKernelThatNeverEndsToBeWritten) {
  Builder b("endless", trn3(), Validation::at_once, {.instructions = 3, .tensors = 2});
  const View tile = b.tensor({.shape = {128, 4}, .space = Space::sbuf});
  for (int i = 0; i < 3; ++i) b.emit(Memset{.dst = tile_of(tile)});
  EXPECT_EQ(refused([&] { b.emit(Memset{.dst = tile_of(tile)}); }).label, "kernel.size");
  Builder other("endless", trn3(), Validation::at_once, {.instructions = 3, .tensors = 2});
  for (int i = 0; i < 2; ++i) (void)other.tensor({.shape = {128, 4}, .space = Space::sbuf});
  EXPECT_EQ(refused([&] {
              (void)other.tensor({.shape = {128, 4}, .space = Space::sbuf});
            }).label,
            "kernel.size");
}

TEST(Builder, BuildsWhatPythonBuilds) {
  std::ifstream file(TRAINYARD_SOURCE_DIR "/tests/isa/built_both_ways.txt");
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  const Program program = scaled_exponentials();
  EXPECT_EQ(to_text(program), written);
  EXPECT_NO_THROW(validate(program, trn3()));
}

TEST(Builder, NamesThePlaceOfEveryInstructionWithItsCallersAndLoops) {
  Builder b("layers", trn3());
  const Tile tile = tile_of(b.tensor({.shape = {128, 8}}));
  const Builder::Call model(b, {.file = "model.py", .line = 3, .function = "forward"});
  for (std::int64_t layer = 0; layer < 2; ++layer) {
    const Builder::Call node(
        b, {.file = "layer.py", .line = 7, .function = "dot.1", .indices = {{"layer", layer}}});
    b.emit(Memset{.dst = tile});
  }
  b.emit(Memset{.dst = tile});
  const Program program = b.take();
  EXPECT_EQ(program.place(1),
            "layer.py:7 in dot.1, layer=1\n    called from model.py:3 in forward");
  EXPECT_EQ(program.place(2), "model.py:3 in forward");
  EXPECT_EQ(program.frames.size(), 3u) << "equal frames are stored once";
}

TEST(Builder, RefusesABrokenRuleWhereItStands) {
  Builder b("k", trn3());
  const Tile hbm = tile_of(b.tensor({.name = "weights", .shape = {128, 8}, .space = Space::hbm}));
  const Builder::Call at(b, {.file = "model.py", .line = 3, .function = "f"});
  const base::Violation found = refused([&] { b.emit(Memset{.dst = hbm}); });
  EXPECT_EQ(found.place, "model.py:3 in f (memset)");
  ASSERT_EQ(found.sides.size(), 2u);
  EXPECT_EQ(found.sides[1].what, "weights");
  EXPECT_TRUE(b.program().instructions.empty());
}

TEST(Builder, RefusesTensorsThatCannotBe) {
  Builder b("k", trn3());
  const auto label = [&](const TensorSpec& spec) {
    return refused([&] { b.declare(spec); }).label;
  };
  EXPECT_EQ(label({.shape = {128, 0}}), "tensor.shape");
  EXPECT_EQ(label({.shape = {}}), "tensor.partitions");
  EXPECT_EQ(label({.shape = {129, 8}}), "tensor.partitions");
  EXPECT_EQ(label({.shape = {64, 8}, .address = ManualAddress{65, 0}}), "memory.address");
  EXPECT_EQ(label({.shape = {64}, .space = Space::hbm, .address = ManualAddress{}}),
            "memory.address");
  EXPECT_EQ(label({.shape = {2}, .space = Space::hbm, .role = TensorRole::constant}),
            "tensor.constant");
}

TEST(Builder, AKernelReturnsTensorsInSharedHbm) {
  Builder b("k", trn3());
  const auto declared = [&](Space space, bool shared) {
    return b.declare({.shape = {128, 8}, .space = space, .shared = shared});
  };
  EXPECT_EQ(refused([&] { b.mark_output(declared(Space::hbm, false)); }).found,
            "'t0' in private_hbm");
  EXPECT_EQ(refused([&] { b.mark_output(declared(Space::psum, false)); }).label, "kernel.output");
  const TensorId shared = declared(Space::hbm, true);
  b.mark_output(shared);
  EXPECT_EQ(b.program().tensors[shared].role, TensorRole::output);
}

TEST(Builder, SomeEnginesAreNoChoiceOfTheAuthor) {
  Builder b("k", trn3());
  const Tile tile = tile_of(b.tensor({.shape = {128, 8}}));
  const Builder::Call at(b, {.file = "model.py", .line = 3, .function = "f"});
  const DmaCopy copy{.dst = tile, .src = tile, .dge_mode = DgeMode::hwdge};
  const base::Violation found =
      refused([&] { b.check_engine(info(opcode_of<DmaCopy>), &copy, Engine::tensor); });
  EXPECT_EQ(found.label, "dma_copy.engine");
  EXPECT_EQ(found.place, "model.py:3 in f (dma_copy)");
  EXPECT_NO_THROW(b.check_engine(info(opcode_of<DmaCopy>), &copy, Engine::sync));
}

TEST(Builder, WhatAProgramLeavesSoFarIsKeptByAnEndOfItsOwn) {
  Builder b("k", trn3());
  const View sums = b.tensor({.shape = {128, 8}, .space = Space::psum});
  b.emit(Memset{.dst = tile_of(sums)});
  const Peeked peeked = b.peek(sums);
  EXPECT_EQ(b.program().instructions.size(), 1u);
  EXPECT_EQ(b.program().tensors.size(), 1u);
  EXPECT_EQ(peeked.program.instructions.size(), 3u);  // DMA does not reach PSUM
  const Tensor& kept = peeked.program.tensors[peeked.kept.tensor];
  EXPECT_EQ(kept.role, TensorRole::output);
  EXPECT_THAT(kept.shape, ElementsAre(128, 8));
  EXPECT_NO_THROW(validate(peeked.program, trn3()));
}

TEST(Builder, AnIndexHasOneEntryThatIsKnownOnlyAtRunTime) {
  Builder b("k", trn3());
  const View matrix = b.tensor({.shape = {4, 8, 16}, .space = Space::hbm});
  const RuntimeEntry first{.at = {.reg = Register{1}}},
      second{.at = {.reg = Register{2}}, .dim = 1};
  const std::vector<Index> known{{}, {.kind = Index::Kind::element, .start = 3}, {}};
  const View row = index(b.program(), matrix, known, std::array{first});
  EXPECT_THAT(row.dims, ElementsAre(ViewDim{16, 1}));
  EXPECT_EQ(b.program().dynamics.back().stride, 8 * 16);
  EXPECT_EQ(refused([&] {
              (void)index(b.program(), matrix, known, std::array{first, second});
            }).label,
            "view.indirect_once");
}

TEST(Builder, ATensorOfALoopBodyIsUnknownBehindTheLoop) {
  Builder b("k", trn3());
  Tile inside;
  b.loop({}, {4}, 1, [&](Register) {
    inside = tile_of(b.tensor({.name = "inside", .shape = {128, 8}}));
    b.emit(Memset{.dst = inside});
  });
  const base::Violation found = refused([&] { b.emit(Memset{.dst = inside}); });
  EXPECT_EQ(found.label, "loop.scope");
  EXPECT_THAT(found.found, HasSubstr("'inside'"));
}

TEST(Builder, ARegisterIsReadAfterItIsSet) {
  Builder b("k", trn3());
  const RegisterRef from = b.take_register(), to = b.take_register();
  const RegisterMove move{.dst = to->reg(), .src = {.reg = from->reg()}};
  EXPECT_EQ(refused([&] { b.emit(move); }).label, "register.unset");
  b.emit(RegisterMove{.dst = from->reg(), .src = {7}});
  EXPECT_NO_THROW(b.emit(move));
}

TEST(Builder, ARegisterOfOutsideIsNotUsedAgainInsideALoop) {
  Builder b("k", trn3());
  RegisterRef outside = b.take_register();
  const Register held = outside->reg();
  b.loop({}, {4}, 1, [&](Register) {
    outside.reset();
    EXPECT_NE(b.take_register()->reg(), held) << "the next iteration may need it";
  });
  EXPECT_EQ(b.take_register()->reg(), held);
}

TEST(Builder, HasAsManyRegistersAsTheMachine) {
  Builder b("k", trn3());
  std::vector<RegisterRef> all;
  for (std::int64_t r = 0; r < trn3().registers; ++r) all.push_back(b.take_register());
  EXPECT_EQ(refused([&] { (void)b.take_register(); }).label, "registers.capacity");
}

TEST(Builder, RegistersInTurnLeaveOutThoseThatAreHeld) {
  Builder b("k", trn3(), Validation::later);
  const RegisterRef held = b.take_register(Register{2});
  EXPECT_EQ(b.registers_free(), static_cast<std::size_t>(trn3().registers) - 1);
  std::vector<int> turn;
  for (std::int64_t r = 0; r < trn3().registers; ++r) turn.push_back(b.next_register().index);
  EXPECT_THAT(std::vector(turn.begin(), turn.begin() + 3), ElementsAre(1, 3, 4));
  EXPECT_THAT(std::vector(turn.end() - 2, turn.end()), ElementsAre(1, 3)) << "a second round";
}

TEST(Builder, ACompilersRecordsAreValidatedAsAWhole) {
  Builder b("k", trn3(), Validation::later);
  const View hbm = b.tensor({.shape = {128, 8}, .space = Space::hbm});
  EXPECT_NO_THROW(b.emit(Memset{.dst = tile_of(hbm)}));
  EXPECT_THROW(validate(b.take(), trn3()), base::InputError);
}

TEST(Builder, WhatIsSkippedEndsWhereItsBodyEnds) {
  Builder b("k", trn3());
  const Tile tile = tile_of(b.tensor({.shape = {128, 8}}));
  const RegisterRef again = b.take_register();
  b.emit(RegisterMove{.dst = again->reg(), .src = {3}});
  b.loop_while(again->reg(), [&] {
    b.skip_if({.reg = again->reg()}, numerics::AluOp::equal, {2},
              [&] { b.emit(Memset{.dst = tile}); });
    b.emit(RegisterMove{.dst = again->reg(), .src = {0}});
  });
  const Program program = b.take();
  EXPECT_EQ(program.as<Branch>(2).target, 4);
  EXPECT_NO_THROW(validate(program, trn3()));
}

}  // namespace
}  // namespace trainyard::isa
