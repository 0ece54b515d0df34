// Does the untimed runner give the values a program means, in the author's order and in any order
// its semaphores allow?
#include "engines/interpreter.h"

#include "base/error.h"
#include "interleaved.h"
#include "programs.h"

namespace trainyard::engines {
namespace {

using isa::Engine;

TEST(Interpreter, runs_in_the_authors_order) {
  const Sum sum;
  Bench bench(sum.author.program);
  sum.fill(bench);
  Interpreter interpreter(sum.author.program, bench.execution);
  interpreter.run();
  sum.expect_result(bench);
  EXPECT_EQ(interpreter.executed(), 5u);
}

TEST(Interpreter, gives_the_same_bits_in_every_order_the_semaphores_allow) {
  const Sum sum;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Bench bench(sum.author.program);
    sum.fill(bench);
    run_interleaved(sum.author.program, bench.execution, seed);
    sum.expect_result(bench);
  }
}

TEST(Interpreter, names_who_waits_for_what_in_a_deadlock) {
  Sum sum;
  sum.author.program.waits.front().value = 48;  // three transfers, but there are two
  Bench bench(sum.author.program);
  try {
    run_interleaved(sum.author.program, bench.execution, 1);
    FAIL() << "a deadlock was not noticed";
  } catch (const base::Fault& fault) {
    EXPECT_EQ(fault.category(), base::FaultCategory::deadlock);
    const std::string text = fault.what();
    EXPECT_NE(text.find("the vector engine waits at tensor_tensor"), std::string::npos) << text;
    EXPECT_NE(text.find("semaphore 0 to reach 48; it is 32"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace trainyard::engines
