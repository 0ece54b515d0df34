// Do ranks that run one kernel share one compiled body, collectives and all, and is a rank that the
// body is not made for refused at the author's line?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "../isa/bench.h"
#include "base/error.h"
#include "isa/instructions/all_reduce.h"
#include "isa/instructions/collective_permute.h"
#include "isa/instructions/reduce_scatter.h"
#include "session/session.h"

namespace trainyard::session {
namespace {

constexpr std::int32_t ranks = 4;
constexpr int columns = 64;

struct Kernel {
  isa::Program program{};
  isa::TensorId in = 0, out = 0;
};

// The maximum over pairs of ranks of the sums over all of them, each rank's from the one before.
Kernel kernel() {
  isa::Bench bench;
  const isa::Tile x = bench.hbm(isa::DType::float32, {2, columns}),
                  sum = bench.hbm(isa::DType::float32, {2, columns}),
                  half = bench.hbm(isa::DType::float32, {1, columns}),
                  out = bench.hbm(isa::DType::float32, {1, columns});
  isa::Program& program = bench.program;
  const isa::RankGroups all = program.groups_of({{0, 1, 2, 3}});
  program.append(isa::AllReduce{.src = x, .dst = sum, .groups = all});
  program.append(isa::ReduceScatter{.src = x,
                                    .dst = half,
                                    .groups = program.groups_of({{0, 2}, {3, 1}}),
                                    .op = numerics::AluOp::maximum});
  program.append(isa::CollectivePermute{.src = half, .dst = out, .groups = all});
  return {program, x.tensor, out.tensor};
}

std::vector<float> read(Session& session, const Instance& instance, isa::TensorId tensor) {
  std::vector<float> values(columns);
  session.read(instance, tensor, std::as_writable_bytes(std::span(values)));
  return values;
}

TEST(SharedBodies, AreOneForAllRanksOfAKernelWithCollectives) {
  Session session(machine::load("trn3"));
  const Kernel one = kernel();
  std::vector<std::shared_ptr<Instance>> instances;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    instances.push_back(session.load(kernel().program, {}, rank));
    EXPECT_EQ(instances.back()->body(), instances.front()->body());
    // Row r of rank k holds 10 * k + r.
    std::vector<float> x(2 * columns, static_cast<float>(10 * rank));
    for (std::size_t c = columns; c < x.size(); ++c) x[c] += 1;
    session.write(*instances.back(), one.in, std::as_bytes(std::span(x)));
  }
  Options options;
  options.timed = true;
  (void)session.run(instances, options);
  // Of the pairs (0, 2) and (3, 1), the first gets row 0 and the second row 1.
  const std::vector<float> parts{20, 31, 21, 30};
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(read(session, *instances[rank], one.out),
              std::vector<float>(columns, parts[(rank + ranks - 1) % ranks]))
        << "rank " << rank;
  }
}

TEST(SharedBodies, AreRefusedByARankThatIsInNoGroup) {
  Session session(machine::load("trn3"));
  (void)session.load(kernel().program, {}, 3);
  try {
    (void)session.load(kernel().program, {}, 5);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().front().label, "all_reduce.c6");
    EXPECT_THAT(error.violations().front().found, testing::HasSubstr("run by rank 5"));
    EXPECT_FALSE(error.violations().front().fix.empty());
  }
}

// Groups of other sizes give a rank other parts: the body is for some of the ranks.
TEST(SharedBodies, AreRefusedByARankWhoseGroupHasAnotherSize) {
  isa::Bench bench;
  bench.program.append(isa::ReduceScatter{.src = bench.hbm(isa::DType::float32, {2, columns}),
                                          .dst = bench.hbm(isa::DType::float32, {1, columns}),
                                          .groups = bench.program.groups_of({{0, 1}, {2}})});
  Session session(machine::load("trn3"));
  EXPECT_NO_THROW((void)session.load(bench.program, {}, 0));
  try {
    (void)session.load(bench.program, {}, 2);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().front().label, "reduce_scatter.c3");
  }
}

}  // namespace
}  // namespace trainyard::session
