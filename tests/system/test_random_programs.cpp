// Do random compiled kernels give the same bits untimed, in any legal interleaving and in time, the
// same cycles with and without values, and no finding of any check?
#include <gtest/gtest.h>

#include "../engines/fixture.h"
#include "../engines/interleaved.h"
#include "checkers/checkers.h"
#include "compiler/compiler.h"
#include "engines/interpreter.h"
#include "random_kernel.h"
#include "system/run.h"

namespace trainyard::system {
namespace {

using checkers::Checkers;
using engines::Bench;
using engines::Interpreter;
using engines::trn3;

std::vector<std::byte> input_bits() {
  std::vector<std::byte> bits(128 * 64 * 8 * 2);
  base::Random random(3);
  for (std::size_t i = 0; i < bits.size(); i += 2) {
    // Small numbers of both signs, so that sums stay finite.
    const auto word =
        static_cast<std::uint16_t>(random.below(256) | (random.below(2) << 15) | 0x3C00u);
    std::memcpy(&bits[i], &word, sizeof word);
  }
  return bits;
}

// A kernel, ready to be run once in one of several ways.
struct Loaded {
  Loaded(const RandomKernel& kernel, const isa::Program& program)
      : bench(program), output(kernel.output()) {
    engines::write_tensor(program, kernel.input(), bench.hbm_base, *bench.core.hbm, input_bits());
  }
  [[nodiscard]] std::vector<std::byte> result() const {
    const auto content =
        engines::tensor_content(bench.program, output, bench.hbm_base, *bench.core.hbm);
    return {content.begin(), content.end()};
  }
  Bench bench;
  isa::TensorId output;
};

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, agree_in_every_way_of_running) {
  const auto seed = static_cast<std::uint64_t>(GetParam());
  const RandomKernel kernel(seed);
  const auto order = seed % 2 == 0 ? compiler::Order::author : compiler::Order::list;
  const isa::Program authors = compiler::compile(kernel.program(), trn3().core);
  const isa::Program program =
      compiler::compile(kernel.program(), trn3().core, {.order = order, .rewrite = seed % 4 > 1});

  Loaded reference(kernel, authors);
  Interpreter(authors, reference.bench.execution).run();
  const std::vector<std::byte> expected = reference.result();

  for (std::uint64_t interleaving = 0; interleaving < 3; ++interleaving) {
    Loaded loaded(kernel, program);
    Checkers checkers(program, loaded.bench.execution);
    engines::run_interleaved(program, loaded.bench.execution, interleaving, &checkers);
    EXPECT_EQ(loaded.result(), expected) << "interleaving " << interleaving;
  }

  Loaded timed(kernel, program);
  Checkers checkers(program, timed.bench.execution);
  const RunResult with_values =
      run(program, trn3(), timed.bench.execution, {.observer = &checkers});
  EXPECT_EQ(timed.result(), expected);
  const RunResult time_only = time(program, trn3());
  EXPECT_EQ(with_values.time, time_only.time);
  for (std::size_t e = 0; e < time_only.engines.size(); ++e)
    EXPECT_EQ(with_values.engines[e].reasons, time_only.engines[e].reasons);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0, 40));

}  // namespace
}  // namespace trainyard::system
