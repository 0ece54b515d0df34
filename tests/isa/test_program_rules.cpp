// Are programs with loops, branches and streams accepted when they are well built?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.h"
#include "isa/instructions/branch.h"
#include "isa/instructions/drain.h"
#include "isa/instructions/loop_begin.h"
#include "isa/instructions/loop_end.h"

namespace trainyard::isa {
namespace {

const LoopBegin loop{.counter = {0}, .start = {}, .stop = {.constant = 4, .reg = {}}};

// Two nested loops, a branch to the end of its body and one to the end of the program.
Program nested(Bench& b) {
  Program& p = b.program;
  p.append(loop);
  p.append(loop);
  p.append(Branch{{}, numerics::AluOp::equal, {}, 4});
  p.append(Drain{});
  p.append(LoopEnd{1});
  p.append(LoopEnd{0});
  p.append(Branch{{}, numerics::AluOp::equal, {}, 8});
  p.append(Drain{});
  return p;
}

TEST(ProgramRules, AcceptNestedLoopsAndForwardBranches) {
  Bench b;
  EXPECT_NO_THROW(validate(nested(b), b.core));
}

// A stream may leave a loop out, but not half of it.
TEST(ProgramRules, StreamsMayLeaveLoopsOut) {
  Bench b;
  Program p = nested(b);
  p.compiled = true;
  for (const std::uint32_t i : {0u, 3u, 5u}) p.streams[0].push_back({.instruction = i});
  EXPECT_THAT(program_violations(p, b.core), testing::IsEmpty());
}

TEST(ProgramRules, ReportTheAuthorsLine) {
  Bench b;
  Program& p = b.program;
  p.strings = {"", "kernel.py", "body"};
  p.frames.push_back({1, 2, 7, 0});
  p.locations.push_back({1, 0, 0});
  p.append(loop, Engine::any, 1);
  const auto found = program_violations(p, b.core);
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].label, "program.loops");
  EXPECT_EQ(found[0].place, "kernel.py:7 in body");
}

}  // namespace
}  // namespace trainyard::isa
