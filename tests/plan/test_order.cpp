// Is what values on their way are not needed for computed meanwhile, and is the meaning the same?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "graph/text.h"
#include "plan/execute.h"
#include "plan/order.h"
#include "plan/plan.h"

namespace trainyard::plan {
namespace {

using ::testing::ElementsAre;

std::string summed(const std::string& name, const std::string& value) {
  return name + R"( = "stablehlo.all_reduce"()" + value + R"() ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
)";
}
std::string op(const std::string& name, const std::string& what) {
  return name + " = stablehlo." + what + " : tensor<4xf32>\n";
}

graph::Module module_of(const std::string& body) {
  return graph::read_text(
      "func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {\n" + body + "}\n");
}

// The operations in the order that they get, each by what it is and how often it came.
std::vector<std::string> ordered(const std::string& body) {
  graph::Module module = module_of(body);
  graph::Function& main = module.functions.front();
  order_around_collectives(module, main, main.body);
  std::vector<std::string> names;
  for (const graph::Op& each : main.body.ops) names.emplace_back(graph::name(each.kind));
  return names;
}

// Two pieces that are sent, computed and sent back.
const std::string pieces = op("%a0", "exponential %x") + summed("%a1", "%a0") +
                           op("%a2", "tanh %a1") + summed("%a3", "%a2") + op("%a4", "negate %a3") +
                           op("%b0", "exponential %y") + summed("%b1", "%b0") +
                           op("%b2", "tanh %b1") + summed("%b3", "%b2") + op("%b4", "negate %b3") +
                           op("%r", "add %a4, %b4") + "return %r : tensor<4xf32>\n";

TEST(PlanOrder, OnePieceIsUnderWayWhileAnotherIsComputed) {
  EXPECT_THAT(ordered(pieces),
              ElementsAre("exponential", "all_reduce", "exponential", "all_reduce", "tanh",
                          "all_reduce", "tanh", "all_reduce", "negate", "negate", "add", "return"));
}

TEST(PlanOrder, WhatNeedsTheSameValuesWaits) {
  const std::string chain = op("%a", "exponential %x") + summed("%b", "%a") + op("%c", "tanh %b") +
                            summed("%d", "%c") + op("%r", "negate %d") +
                            "return %r : tensor<4xf32>\n";
  EXPECT_THAT(ordered(chain),
              ElementsAre("exponential", "all_reduce", "tanh", "all_reduce", "negate", "return"));
}

class Timed : public Devices {
 public:
  explicit Timed(const Plan& plan) : plan_(plan) {}
  Ran run(std::size_t body, std::span<const std::vector<Shared>> inputs) override {
    const std::size_t results = plan_.bodies[body].outputs.size();
    return {std::vector(inputs.size(), std::vector<Shared>(results)), {{10}}};
  }
  Work meet(const Meet&) override { return {{8}, {{0, 1}}}; }

 private:
  const Plan& plan_;
};

TEST(PlanOrder, HidesCollectives) {
  const Plan plan = make_plan(module_of(pieces), 2);
  Timed timed(plan);
  const std::vector<std::vector<Shared>> nothing(2, std::vector<Shared>(2));
  const Execution run = execute(plan, nothing, timed);
  EXPECT_EQ(run.timeline.exchanging().value, 4 * 8);
  EXPECT_LE(run.timeline.exposed().value, 2 * 8);
}

TEST(PlanOrder, KeepsTheMeaning) {
  const auto values = [](float first) {
    std::vector<std::byte> bytes(16);
    for (int i = 0; i < 4; ++i) {
      const float each = first + 0.25F * static_cast<float>(i);
      std::memcpy(&bytes[static_cast<std::size_t>(i) * 4], &each, 4);
    }
    return std::make_shared<const graph::Literal>(graph::Literal{
        .type = {.element = graph::ElementType::f32, .shape = {4}}, .content = bytes});
  };
  const Plan plan = make_plan(module_of(pieces), 2);
  const std::vector<std::vector<Shared>> inputs{{values(0.1F), values(-1)},
                                                {values(0.5F), values(0.3F)}};
  const auto results = evaluate(plan, inputs);
  const auto number = [&](std::size_t i) {
    float found = 0;
    std::memcpy(&found, &results[0][0]->content[i * 4], 4);
    return found;
  };
  const auto piece = [](float a, float b) { return -2 * std::tanh(std::exp(a) + std::exp(b)); };
  for (std::size_t i = 0; i < 4; ++i) {
    const float step = 0.25F * static_cast<float>(i);
    EXPECT_NEAR(number(i), piece(0.1F + step, 0.5F + step) + piece(-1 + step, 0.3F + step), 1e-5);
  }
}

// A large sum of which each device keeps a part goes before what does not need it.
TEST(PlanOrder, LargePartialSumsAreMadeEarly) {
  const std::string large = "tensor<16384x8192xf32>", part = "tensor<8192x8192xf32>";
  graph::Module module = graph::read_text(
      "func.func @main(%x: " + large + ", %y: tensor<4xf32>) -> (" + part +
      ", tensor<4xf32>) {\n"
      "%g = stablehlo.negate %x : " +
      large +
      "\n"
      "%t = stablehlo.exponential %y : tensor<4xf32>\n"
      "%s = \"stablehlo.reduce_scatter\"(%g) ({\n"
      "^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "%c = stablehlo.add %a, %b : tensor<f32>\n"
      "stablehlo.return %c : tensor<f32>\n"
      "}) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64} : (" +
      large + ") -> " + part + "\nreturn %s, %t : " + part + ", tensor<4xf32>\n}\n");
  graph::Function& main = module.functions.front();
  order_around_collectives(module, main, main.body);
  EXPECT_EQ(main.body.ops[1].kind, graph::OpKind::reduce_scatter);
}

}  // namespace
}  // namespace trainyard::plan
