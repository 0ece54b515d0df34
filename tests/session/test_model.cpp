// Tensor programs through lowering, compiler and simulated core, against loops that a textbook
// would print.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

#include "../checkers/findings_in_words.h"
#include "base/error.h"
#include "graph_maker.h"
#include "report/json.h"
#include "session/model.h"

namespace trainyard::session {
namespace {

using graph::ElementType;
using graph::f32;
using graph::Literal;
using graph::literal;
using graph::Maker;
using graph::Module;
using graph::of;
using graph::OpKind;
using graph::ValueId;
using graph::values_of;

std::vector<float> noise(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> values(n);
  for (float& value : values) value = uniform(engine);
  return values;
}

Arguments buffers(const std::vector<Literal>& literals) {
  Arguments all;
  for (const Literal& each : literals) all.arrays.push_back(std::make_shared<const Array>(each));
  return all;
}

std::vector<Literal> run(Module module, const std::vector<Literal>& inputs, bool timed = false) {
  const Evaluate none = [](const Module& routine,
                           std::span<const Literal>) -> std::vector<Literal> {
    ADD_FAILURE() << "a routine ran: " << routine.name;
    return {};
  };
  Model model(machine::load("trn3"), std::move(module), none);
  EXPECT_TRUE(model.routines().empty());
  const ModelRun result = model.run(buffers(inputs), {.timed = timed});
  EXPECT_EQ(result.time.value > 0, timed);
  std::vector<Literal> outputs;
  for (const ArrayRef& output : result.outputs) outputs.push_back(*output->content());
  return outputs;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& wanted, float share) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], share * std::max(1.0F, std::abs(wanted[i]))) << i;
}

TEST(Model, ElementwiseOperationsFuseOverAnyShape) {
  for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{
           {}, {7}, {1000}, {3, 5}, {257, 129}, {2, 3, 4, 5}, {1, 5000}}) {
    Maker make;
    const ValueId x = make.argument(f32(shape)), y = make.argument(f32(shape));
    const ValueId two = make.constant(literal<float>(f32(shape), {2}));
    const ValueId sum = make.op(OpKind::add, {x, y}, f32(shape));
    const ValueId twice = make.op(OpKind::multiply, {sum, two}, f32(shape));
    const ValueId out = make.op(OpKind::tanh, {twice}, f32(shape));
    const auto n = static_cast<std::size_t>(f32(shape).elements());
    const std::vector<float> a = noise(n, 1), b = noise(n, 2);
    std::vector<float> wanted(n);
    for (std::size_t i = 0; i < n; ++i) wanted[i] = std::tanh(2 * (a[i] + b[i]));
    const auto found = run(make.finish({out}), {literal(f32(shape), a), literal(f32(shape), b)});
    expect_near(values_of<float>(found.at(0)), wanted, 2e-6F);
  }
}

TEST(Model, ABroadcastRowAndColumnMeetAMatrix) {
  Maker make;
  const ValueId x = make.argument(f32({200, 300}));
  const ValueId row = make.argument(f32({300})), column = make.argument(f32({200}));
  const auto spread = [&](ValueId value, std::int64_t dim) {
    return make.op(OpKind::broadcast_in_dim, {value}, f32({200, 300}),
                   {graph::list("broadcast_dimensions", {dim})});
  };
  const ValueId sum = make.op(OpKind::add, {x, spread(row, 1)}, f32({200, 300}));
  const ValueId out = make.op(OpKind::multiply, {sum, spread(column, 0)}, f32({200, 300}));
  const std::vector<float> a = noise(60000, 1), r = noise(300, 2), c = noise(200, 3);
  std::vector<float> wanted(a.size());
  for (std::size_t i = 0; i < 200; ++i)
    for (std::size_t j = 0; j < 300; ++j) wanted[i * 300 + j] = (a[i * 300 + j] + r[j]) * c[i];
  const auto found = run(make.finish({out}), {literal(f32({200, 300}), a), literal(f32({300}), r),
                                              literal(f32({200}), c)});
  EXPECT_EQ(values_of<float>(found.at(0)), wanted);
}

// x [b, m, k] y [b, k, n] + bias, through every layout of the operands that a view can have.
TEST(Model, ProductsOfAnyLayoutWithABias) {
  struct Size {
    std::int64_t b, m, k, n;
  };
  for (const Size s : {Size{1, 1, 5, 3}, Size{2, 70, 130, 600}, Size{3, 200, 64, 40}}) {
    for (const bool left_turned : {false, true}) {
      for (const bool right_turned : {false, true}) {
        Maker make;
        const auto left_type = left_turned ? f32({s.b, s.k, s.m}) : f32({s.b, s.m, s.k});
        const auto right_type = right_turned ? f32({s.b, s.n, s.k}) : f32({s.b, s.k, s.n});
        const ValueId x = make.argument(left_type), y = make.argument(right_type);
        const ValueId bias = make.argument(f32({s.n}));
        const auto out_type = f32({s.b, s.m, s.n});
        const ValueId product =
            make.op(OpKind::dot_general, {x, y}, out_type,
                    graph::dot({0}, {left_turned ? 1 : 2}, {0}, {right_turned ? 2 : 1}));
        const ValueId wide = make.op(OpKind::broadcast_in_dim, {bias}, out_type,
                                     {graph::list("broadcast_dimensions", {2})});
        const ValueId out = make.op(OpKind::add, {product, wide}, out_type);
        const auto count = [](const graph::Type& t) {
          return static_cast<std::size_t>(t.elements());
        };
        const std::vector<float> a = noise(count(left_type), 1), c = noise(count(right_type), 2),
                                 e = noise(static_cast<std::size_t>(s.n), 3);
        std::vector<float> wanted;
        for (std::int64_t b = 0; b < s.b; ++b) {
          for (std::int64_t m = 0; m < s.m; ++m) {
            for (std::int64_t n = 0; n < s.n; ++n) {
              double sum = e[static_cast<std::size_t>(n)];
              for (std::int64_t k = 0; k < s.k; ++k) {
                const auto i = b * s.m * s.k + (left_turned ? k * s.m + m : m * s.k + k);
                const auto j = b * s.n * s.k + (right_turned ? n * s.k + k : k * s.n + n);
                sum += static_cast<double>(a[static_cast<std::size_t>(i)]) *
                       c[static_cast<std::size_t>(j)];
              }
              wanted.push_back(static_cast<float>(sum));
            }
          }
        }
        const auto found = run(make.finish({out}), {literal(left_type, a), literal(right_type, c),
                                                    literal(f32({s.n}), e)});
        expect_near(values_of<float>(found.at(0)), wanted, 1e-5F);
      }
    }
  }
}

TEST(Model, ReductionsAlongAnyDimensions) {
  const graph::Type type = f32({6, 50, 70});
  const std::vector<float> a = noise(6 * 50 * 70, 4);
  for (const std::vector<std::int64_t>& dims :
       std::vector<std::vector<std::int64_t>>{{2}, {1}, {0}, {1, 2}, {0, 2}, {0, 1, 2}}) {
    Maker make;
    const ValueId x = make.argument(type);
    const ValueId start = make.constant(literal<float>(f32({}), {0.5F}));
    const ValueId square = make.op(OpKind::multiply, {x, x}, type);
    std::vector<std::int64_t> shape;
    const auto is_reduced = [&](std::int64_t d) {
      return std::find(dims.begin(), dims.end(), d) != dims.end();
    };
    for (std::int64_t d = 0; d < 3; ++d)
      if (!is_reduced(d)) shape.push_back(type.shape[static_cast<std::size_t>(d)]);
    const ValueId out =
        make.op(OpKind::reduce, {square, start}, f32(shape), {graph::list("dimensions", dims)},
                {make.combine(OpKind::add, ElementType::f32)});
    std::vector<double> sums(static_cast<std::size_t>(f32(shape).elements()), 0.5);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::array<std::size_t, 3> at{i / 3500, i / 70 % 50, i % 70};
      std::size_t place = 0;
      for (std::int64_t d = 0; d < 3; ++d)
        if (!is_reduced(d))
          place = place * static_cast<std::size_t>(type.shape[static_cast<std::size_t>(d)]) +
                  at[static_cast<std::size_t>(d)];
      sums[place] += static_cast<double>(a[i]) * a[i];
    }
    const auto found = run(make.finish({out}), {literal(type, a)});
    expect_near(values_of<float>(found.at(0)), {sums.begin(), sums.end()}, 1e-4F);
  }
}

TEST(Model, WholeWordsAreExact) {
  Maker make;
  const graph::Type type = of(ElementType::u32, {1000});
  const ValueId x = make.argument(type), y = make.argument(type);
  const ValueId places = make.constant(literal<std::uint32_t>(type, {13}));
  const ValueId sum = make.op(OpKind::add, {x, y}, type);
  const ValueId high = make.op(OpKind::shift_left, {sum, places}, type);
  const ValueId low = make.op(OpKind::shift_right_logical,
                              {sum, make.constant(literal<std::uint32_t>(type, {19}))}, type);
  const ValueId turned = make.op(OpKind::or_, {high, low}, type);
  const ValueId mixed = make.op(OpKind::xor_, {turned, sum}, type);
  const ValueId start = make.constant(literal<std::uint32_t>(of(ElementType::u32, {}), {7}));
  const ValueId total =
      make.op(OpKind::reduce, {mixed, start}, of(ElementType::u32, {}),
              {graph::list("dimensions", {0})}, {make.combine(OpKind::add, ElementType::u32)});
  std::mt19937 engine(5);
  std::vector<std::uint32_t> a(1000), b(1000), wanted(1000);
  std::uint32_t sums = 7;
  for (std::size_t i = 0; i < 1000; ++i) {
    a[i] = static_cast<std::uint32_t>(engine());
    b[i] = static_cast<std::uint32_t>(engine());
    const std::uint32_t s = a[i] + b[i];
    wanted[i] = ((s << 13) | (s >> 19)) ^ s;
    sums += wanted[i];
  }
  const auto found = run(make.finish({mixed, total}), {literal(type, a), literal(type, b)});
  EXPECT_EQ(values_of<std::uint32_t>(found.at(0)), wanted);
  EXPECT_EQ(values_of<std::uint32_t>(found.at(1)).at(0), sums);
}

TEST(Model, RowsAreGatheredAndSlicesMove) {
  Maker make;
  const ValueId table = make.argument(f32({40, 24}));
  const ValueId ids = make.argument(of(ElementType::s32, {2, 5, 1}));
  const ValueId at = make.argument(of(ElementType::s32, {}));
  const ValueId rows = make.op(OpKind::gather, {table, ids}, f32({2, 5, 24}),
                               {graph::list("collapsed_slice_dims", {0}),
                                {"index_vector_dim", {std::int64_t{2}}},
                                graph::list("offset_dims", {2}),
                                graph::list("operand_batching_dims", {}),
                                graph::list("slice_sizes", {1, 24}),
                                graph::list("start_index_map", {0})});
  const ValueId zero = make.constant(literal<std::int32_t>(of(ElementType::s32, {}), {0}));
  const ValueId slice = make.op(OpKind::dynamic_slice, {table, at, zero}, f32({3, 24}),
                                {graph::list("slice_sizes", {3, 24})});
  const ValueId update =
      make.op(OpKind::dynamic_update_slice, {table, slice, zero, zero}, f32({40, 24}));
  const std::vector<float> a = noise(960, 6);
  const std::vector<std::int32_t> index{3, 39, 0, 7, 100, -4, 3, 20, 21, 22};
  std::vector<float> gathered, sliced, updated = a;
  for (const std::int32_t i : index)
    for (std::size_t j = 0; j < 24; ++j)
      gathered.push_back(a[static_cast<std::size_t>(std::clamp(i, 0, 39)) * 24 + j]);
  for (std::size_t i = 0; i < 72; ++i) sliced.push_back(a[37 * 24 + i]);  // 38 is moved to 37
  std::copy(sliced.begin(), sliced.end(), updated.begin());
  const auto found =
      run(make.finish({rows, slice, update}),
          {literal(f32({40, 24}), a), literal(of(ElementType::s32, {2, 5, 1}), index),
           literal<std::int32_t>(of(ElementType::s32, {}), {38})});
  EXPECT_EQ(values_of<float>(found.at(0)), gathered);
  EXPECT_EQ(values_of<float>(found.at(1)), sliced);
  EXPECT_EQ(values_of<float>(found.at(2)), updated);
}

// Loops and branches are the host's; their bodies are programs.
TEST(Model, ALoopTurnsUntilItsConditionIsFalse) {
  Maker make;
  const graph::Type count = of(ElementType::s32, {});
  const ValueId x = make.argument(f32({10}));
  const ValueId zero = make.constant(literal<std::int32_t>(count, {0}));
  graph::Region condition, body;
  {
    const ValueId i = make.value(count), v = make.value(f32({10})), limit = make.value(count),
                  less = make.value(of(ElementType::pred, {}));
    condition.arguments = {i, v};
    condition.ops.push_back({.kind = OpKind::constant,
                             .results = {limit},
                             .attributes = {{"value", {literal<std::int32_t>(count, {5})}}}});
    condition.ops.push_back({.kind = OpKind::compare,
                             .operands = {i, limit},
                             .results = {less},
                             .attributes = {{"comparison_direction", {std::string("LT")}}}});
    condition.ops.push_back({.kind = OpKind::return_, .operands = {less}});
  }
  {
    const ValueId i = make.value(count), v = make.value(f32({10})), one = make.value(count),
                  next = make.value(count), sum = make.value(f32({10}));
    body.arguments = {i, v};
    body.ops.push_back({.kind = OpKind::constant,
                        .results = {one},
                        .attributes = {{"value", {literal<std::int32_t>(count, {1})}}}});
    body.ops.push_back({.kind = OpKind::add, .operands = {i, one}, .results = {next}});
    body.ops.push_back({.kind = OpKind::add, .operands = {v, x}, .results = {sum}});  // x: captured
    body.ops.push_back({.kind = OpKind::return_, .operands = {next, sum}});
  }
  // while has two results.
  const ValueId last = make.op(OpKind::while_, {zero, x}, count, {}, {condition, body});
  const ValueId total = make.value(f32({10}));
  make.add_result(total);
  const std::vector<float> a = noise(10, 7);
  std::vector<float> wanted(10);
  for (std::size_t i = 0; i < 10; ++i) {
    wanted[i] = a[i];
    for (int turn = 0; turn < 5; ++turn) wanted[i] += a[i];
  }
  const auto found = run(make.finish({last, total}), {literal(f32({10}), a)}, true);
  EXPECT_EQ(values_of<std::int32_t>(found.at(0)).at(0), 5);
  EXPECT_EQ(values_of<float>(found.at(1)), wanted);
}

// Five turns of a loop that the host drives, for a routine is in it: i = 1, 2, 4, ... below a
// limit.
Module doubling() {
  Maker make;
  const graph::Type count = of(ElementType::s32, {});
  const ValueId x = make.argument(f32({128, 512})), limit = make.argument(count);
  const ValueId one = make.constant(literal<std::int32_t>(count, {1}));
  graph::Region condition, body;
  {
    const ValueId i = make.value(count), v = make.value(f32({128, 512})),
                  less = make.value(of(ElementType::pred, {}));
    condition.arguments = {i, v};
    condition.ops.push_back({.kind = OpKind::compare,
                             .operands = {i, limit},
                             .results = {less},
                             .attributes = {{"comparison_direction", {std::string("LT")}}}});
    condition.ops.push_back({.kind = OpKind::return_, .operands = {less}});
  }
  {
    const ValueId i = make.value(count), v = make.value(f32({128, 512})), twice = make.value(count),
                  log = make.value(f32({128, 512})), sum = make.value(f32({128, 512})),
                  root = make.value(f32({128, 512}));
    body.arguments = {i, v};
    body.ops.push_back({.kind = OpKind::add, .operands = {i, i}, .results = {twice}});
    body.ops.push_back({.kind = OpKind::log, .operands = {x}, .results = {log}});
    body.ops.push_back({.kind = OpKind::add, .operands = {v, log}, .results = {sum}});
    body.ops.push_back({.kind = OpKind::cbrt, .operands = {sum}, .results = {root}});
    body.ops.push_back({.kind = OpKind::return_, .operands = {twice, root}});
  }
  const ValueId last = make.op(OpKind::while_, {one, x}, count, {}, {condition, body});
  const ValueId total = make.value(f32({128, 512}));
  make.add_result(total);
  return make.finish({last, total});
}

// All that is told of a run's programs.
struct Told {
  std::vector<std::string> reports, findings;

  explicit Told(ModelRun run) {
    for (ProgramRun& program : run.programs) {
      reports.push_back(fmt::format("{} runs of {} ticks: {}", program.count, program.time.value,
                                    report::to_json(whole_report(program.first))));
      std::ranges::move(checkers::in_words(program.first.findings), std::back_inserter(findings));
    }
  }
};

TEST(Model, APartThatRunsAgainIsTimedOnceAndNothingElseChanges) {
  const Evaluate same = [](const Module&, std::span<const Literal> given) {
    return std::vector<Literal>{given.front()};
  };
  Model model(machine::load("trn3"), doubling(), same);
  const std::vector<Literal> inputs{literal(f32({128, 512}), noise(std::size_t{128} * 512, 9)),
                                    literal<std::int32_t>(of(ElementType::s32, {}), {32})};
  const auto run = [&](bool checks, bool folds) {
    return model.run(buffers(inputs), {.timed = true, .checks = checks, .folds_alike = folds});
  };
  const ModelRun folded = run(false, true), whole = run(false, false);
  const ModelRun checked = run(true, true), whole_checked = run(true, false);
  EXPECT_GE(folded.folded, 4);
  for (const ModelRun* other : {&whole, &checked, &whole_checked}) {
    EXPECT_EQ(other->folded, 0);
    EXPECT_EQ(*folded.outputs.at(0)->content(), *other->outputs.at(0)->content());
    EXPECT_EQ(*folded.outputs.at(1)->content(), *other->outputs.at(1)->content());
    EXPECT_EQ(folded.time, other->time);
    EXPECT_EQ(folded.routines, other->routines);
    EXPECT_EQ(folded.energy.value.value, other->energy.value.value);
    EXPECT_EQ(Told(folded).reports, Told(*other).reports);
  }
  EXPECT_EQ(values_of<std::int32_t>(*folded.outputs.at(0)->content()).at(0), 32);
  EXPECT_EQ(Told(folded).findings, Told(whole).findings);
  EXPECT_EQ(Told(checked).findings, Told(whole_checked).findings);
  EXPECT_EQ(Told(checked).findings.size(), 10U) << "two of the logarithm, in each of five turns";
}

TEST(Model, WhatNoInstructionComputesIsARoutineThatIsNamed) {
  Maker make;
  const ValueId x = make.argument(f32({8}));
  const ValueId out = make.op(OpKind::cbrt, {x}, f32({8}));
  const Evaluate evaluate = [](const Module& routine, std::span<const Literal> inputs) {
    EXPECT_EQ(routine.entry().body.ops.front().kind, OpKind::cbrt);
    return std::vector<Literal>{inputs.front()};
  };
  Model model(machine::load("trn3"), make.finish({out}), evaluate);
  ASSERT_EQ(model.routines().size(), 1U);
  EXPECT_EQ(model.routines().front().kind, OpKind::cbrt);
  const std::vector<Literal> inputs{literal(f32({8}), noise(8, 8))};
  const ModelRun result = model.run(buffers(inputs), {.timed = true});
  EXPECT_EQ(*result.outputs.at(0)->content(), inputs.at(0));
  EXPECT_EQ(result.time, result.routines);
  EXPECT_GT(result.routines.value, 0);
}

TEST(Model, AnInputOfAnotherTypeIsRefused) {
  Maker make;
  const ValueId x = make.argument(f32({8}));
  Model model(machine::load("trn3"), make.finish({make.op(OpKind::exponential, {x}, f32({8}))}),
              {});
  const std::vector<Literal> inputs{literal(f32({2, 4}), noise(8, 8))};
  try {
    (void)model.run(buffers(inputs), {});
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.violations().front().label, "model.input");
    EXPECT_THAT(error.what(), testing::HasSubstr("tensor<2x4xf32> for tensor<8xf32>"));
  }
}

}  // namespace
}  // namespace trainyard::session
