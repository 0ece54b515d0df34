// Is a program cut where devices meet, run with the right values, and its memory counted?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "graph/text.h"
#include "plan/execute.h"
#include "plan/memory.h"
#include "plan/plan.h"

namespace trainyard::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto sum = R"("stablehlo.all_reduce"(%VALUE) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>)";

std::string all_reduce(const std::string& value) {
  std::string text = sum;
  return text.replace(text.find("%VALUE"), 6, value);
}

Plan plan_of(const std::string& body, const std::string& arguments) {
  return make_plan(
      graph::read_text("func.func @main(" + arguments + ") -> tensor<4xf32> {\n" + body + "}\n"),
      2);
}

Shared numbers(float value) {
  graph::Literal literal{.type = {.element = graph::ElementType::f32, .shape = {4}},
                         .content = std::vector<std::byte>(sizeof(value)),
                         .splat = true};
  std::memcpy(literal.content.data(), &value, sizeof(value));
  return std::make_shared<const graph::Literal>(std::move(literal));
}

Shared flag(bool value) {
  return std::make_shared<const graph::Literal>(
      graph::Literal{.type = {.element = graph::ElementType::pred, .shape = {}},
                     .content = {static_cast<std::byte>(value)}});
}

float first_of(const Shared& value) {
  float number = 0;
  std::memcpy(&number, value->content.data(), sizeof(number));
  return number;
}

class Counting : public Devices {
 public:
  explicit Counting(const Plan& plan) : plan_(plan) {}
  Ran run(std::size_t body, std::span<const std::vector<Shared>> inputs) override {
    const std::size_t results = plan_.bodies[body].outputs.size();
    return {std::vector(inputs.size(), std::vector<Shared>(results)), {{10}}};
  }
  Work meet(const Meet&) override { return {{7}, {{0, 1}}}; }

 private:
  const Plan& plan_;
};

const std::string simple =
    "%0 = stablehlo.exponential %x : tensor<4xf32>\n%1 = " + all_reduce("%0") +
    "\n%2 = stablehlo.negate %1 : tensor<4xf32>\nreturn %2 : tensor<4xf32>\n";

TEST(Plan, BodiesLieBetweenMeetings) {
  const Plan plan = plan_of(simple, "%x: tensor<4xf32>");
  ASSERT_EQ(plan.steps.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<RunBody>(plan.steps[0].what));
  const Meet& meet = std::get<Meet>(plan.steps[1].what);
  EXPECT_EQ(meet.bytes, 16);
  EXPECT_THAT(meet.groups, ElementsAre(ElementsAre(0U, 1U)));
  EXPECT_EQ(plan.bodies.size(), 2U);
}

TEST(Plan, TimeIsThatOfBodiesAndMeetings) {
  const Plan plan = plan_of(simple, "%x: tensor<4xf32>");
  Counting counting(plan);
  const std::vector<std::vector<Shared>> nothing(2, std::vector<Shared>(1));
  const Execution run = execute(plan, nothing, counting);
  EXPECT_EQ(run.timeline.end().value, 27);
  EXPECT_EQ(run.timeline.exposed().value, 7);
  EXPECT_EQ(run.counted_once, 0);
}

const std::string branched = R"(%0 = "stablehlo.if"(%c) ({
    %1 = )" + all_reduce("%x") +
                             R"(
    stablehlo.return %1 : tensor<4xf32>
  }, {
    %2 = stablehlo.negate %x : tensor<4xf32>
    stablehlo.return %2 : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
)";

TEST(Plan, BranchesMayMeet) {
  const Plan plan = plan_of(branched, "%c: tensor<i1>, %x: tensor<4xf32>");
  for (const bool taken : {true, false}) {
    const std::vector<std::vector<Shared>> inputs{{flag(taken), numbers(1)},
                                                  {flag(taken), numbers(2)}};
    const auto results = evaluate(plan, inputs);
    EXPECT_EQ(first_of(results[0][0]), taken ? 3 : -1);
    EXPECT_EQ(first_of(results[1][0]), taken ? 3 : -2);
  }
  Counting counting(plan);
  const std::vector<std::vector<Shared>> nothing(2, std::vector<Shared>(2));
  const Execution run = execute(plan, nothing, counting);
  EXPECT_EQ(run.timeline.exchanging().value, 7);
  EXPECT_EQ(run.counted_once, 1);
}

TEST(Plan, DevicesThatTakeDifferentSidesAreRefused) {
  const Plan plan = plan_of(branched, "%c: tensor<i1>, %x: tensor<4xf32>");
  const std::vector<std::vector<Shared>> inputs{{flag(true), numbers(1)},
                                                {flag(false), numbers(2)}};
  try {
    (void)evaluate(plan, inputs);
    FAIL() << "no error";
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("graph.devices"));
    EXPECT_THAT(error.what(), HasSubstr("different devices"));
  }
}

TEST(Plan, GroupsThatLeaveADeviceOutOrNameItTwiceAreRefused) {
  for (const char* const groups :
       {"dense<0> : tensor<1x1xi64>", "dense<[[0, 0]]> : tensor<1x2xi64>"}) {
    const std::string body = std::string(R"(
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = )") +
                             groups + R"(}> : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
)";
    EXPECT_THAT([&] { (void)plan_of(body, "%x: tensor<4xf32>"); },
                testing::ThrowsMessage<base::InputError>(HasSubstr("of its groups")))
        << groups;
  }
}

TEST(PlanMemory, CountsWhatIsReadLaterAndWhatBodiesTakeInside) {
  const Plan plan = plan_of(simple, "%x: tensor<4xf32>");
  // The sum and what it is of, while devices meet; then a body beside the sum alone.
  EXPECT_EQ(high_water(plan, [](std::size_t) { return 0; }).bytes, 32);
  const HighWater inside = high_water(plan, [](std::size_t body) { return body == 1 ? 100 : 0; });
  EXPECT_EQ(inside.bytes, 116);
  ASSERT_EQ(inside.held.size(), 2U);
  EXPECT_EQ(inside.held[0].bytes, 100);
  EXPECT_EQ(inside.held[1].what, "f32[4]");
}

// A scan that stacks what each turn computes, of `turns` turns.
Plan stacking(int turns) {
  const std::string n = std::to_string(turns), stack = "tensor<" + n + "x4xf32>";
  return plan_of(
      "%zero = stablehlo.constant dense<0> : tensor<i32>\n"
      "%none = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "%empty = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> " +
          stack +
          "\n%i, %c, %all = \"stablehlo.while\"(%zero, %x, %empty) ({\n"
          "^bb0(%a: tensor<i32>, %b: tensor<4xf32>, %d: " +
          stack +
          "):\n"
          "%n = stablehlo.constant dense<" +
          n +
          "> : tensor<i32>\n"
          "%go = stablehlo.compare LT, %a, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "stablehlo.return %go : tensor<i1>\n}, {\n"
          "^bb0(%a: tensor<i32>, %b: tensor<4xf32>, %d: " +
          stack +
          "):\n"
          "%one = stablehlo.constant dense<1> : tensor<i32>\n"
          "%o = stablehlo.constant dense<0> : tensor<i32>\n"
          "%e = stablehlo.exponential %b : tensor<4xf32>\n"
          "%r = stablehlo.reshape %e : (tensor<4xf32>) -> tensor<1x4xf32>\n"
          "%u = stablehlo.dynamic_update_slice %d, %r, %a, %o : (" +
          stack + ", tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> " + stack +
          "\n"
          "%s = " +
          all_reduce("%e") +
          "\n"
          "%next = stablehlo.add %a, %one : tensor<i32>\n"
          "stablehlo.return %next, %s, %u : tensor<i32>, tensor<4xf32>, " +
          stack + "\n}) : (tensor<i32>, tensor<4xf32>, " + stack +
          ") -> (tensor<i32>, tensor<4xf32>, " + stack +
          ")\n"
          "%m = stablehlo.slice %all [1:2, 0:4] : (" +
          stack +
          ") -> tensor<1x4xf32>\n"
          "%f = stablehlo.reshape %m : (tensor<1x4xf32>) -> tensor<4xf32>\n"
          "%y = stablehlo.add %f, %c : tensor<4xf32>\n"
          "return %y : tensor<4xf32>\n",
      "%x: tensor<4xf32>");
}

TEST(PlanMemory, ALoopHandsItsStackOnInOnePlace) {
  const auto most = [](int turns) {
    return high_water(stacking(turns), [](std::size_t) { return 0; }).bytes;
  };
  EXPECT_EQ(most(1000) - most(500), 500 * 16);  // one stack, not two
}

TEST(Plan, ALoopTurnsAsOftenAsItCounts) {
  const Plan plan = stacking(5);
  Counting counting(plan);
  const std::vector<std::vector<Shared>> nothing(2, std::vector<Shared>(1));
  const Execution run = execute(plan, nothing, counting);
  EXPECT_EQ(run.timeline.exchanging().value, 5 * 7);
  EXPECT_EQ(run.meetings.size(), 1U);
}

}  // namespace
}  // namespace trainyard::plan
