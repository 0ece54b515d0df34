// Do several processes that share a plan's devices compute what one computes?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "graph/text.h"
#include "plan/execute.h"
#include "plan/plan.h"

namespace trainyard::plan {
namespace {

using ::testing::HasSubstr;

// Four devices: a ring, a sum over pairs, a loop whose turns depend on data, and a branch.
constexpr auto program = R"(func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %p = "stablehlo.collective_permute"(%x) {source_target_pairs =
      dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %s = "stablehlo.all_reduce"(%p) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %c = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %c : tensor<f32>
      }) {replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %limit = stablehlo.constant dense<100.0> : tensor<f32>
  %r:2 = stablehlo.while(%i = %s, %j = %p) : tensor<4xf32>, tensor<4xf32>
    cond {
      %t = "stablehlo.all_reduce"(%i) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.maximum %a, %b : tensor<f32>
          stablehlo.return %c : tensor<f32>
        }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4xf32>) -> tensor<4xf32>
      %f = stablehlo.slice %t [0:1] : (tensor<4xf32>) -> tensor<1xf32>
      %g = stablehlo.reshape %f : (tensor<1xf32>) -> tensor<f32>
      %h = stablehlo.compare LT, %g, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %h : tensor<i1>
    } do {
      %k = stablehlo.add %i, %i : tensor<4xf32>
      stablehlo.return %k, %i : tensor<4xf32>, tensor<4xf32>
    }
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
})";

Shared numbers(float value) {
  graph::Literal literal{.type = {.element = graph::ElementType::f32, .shape = {4}},
                         .content = std::vector<std::byte>(sizeof(value)),
                         .splat = true};
  std::memcpy(literal.content.data(), &value, sizeof(value));
  return std::make_shared<const graph::Literal>(std::move(literal));
}

using Values = std::vector<std::vector<Shared>>;

// What each of `count` processes, threads here, has of the results; or how it failed.
std::vector<Values> in_processes(const Plan& plan, int count, bool is_whole,
                                 const std::function<Values(int rank)>& inputs,
                                 std::vector<std::string>* errors = nullptr) {
  std::vector<transport::Door> doors;
  std::vector<transport::Card> cards;
  for (int rank = 0; rank < count; ++rank) {
    doors.push_back(transport::Door::opened("127.0.0.1"));
    cards.push_back(doors.back().card);
  }
  std::vector<Values> results(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank) {
    threads.emplace_back([&, rank] {
      const auto at = static_cast<std::size_t>(rank);
      Placement placement{
          .mesh = std::make_shared<transport::Mesh>(
              rank, doors[at], cards, std::chrono::steady_clock::now() + std::chrono::seconds(20)),
          .is_whole = is_whole,
          .program = "a test"};
      for (std::size_t d = 0; d < plan.devices; ++d)
        placement.process_of.push_back(static_cast<int>(d) % count);
      try {
        results[at] = evaluate(plan, inputs(rank), {}, placement);
      } catch (const base::InputError& error) {
        if (errors == nullptr) throw;
        (*errors)[at] = error.what();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

Values inputs_of_all() { return {{numbers(1)}, {numbers(2)}, {numbers(3)}, {numbers(5)}}; }

TEST(Processes, ComputeWhatOneComputes) {
  const Plan plan = make_plan(graph::read_text(program), 4);
  const Values alone = evaluate(plan, inputs_of_all());
  for (const int count : {2, 3, 4}) {
    const std::vector<Values> all = in_processes(plan, count, false, [&](int rank) {
      Values mine = inputs_of_all();
      for (std::size_t d = 0; d < 4; ++d)
        if (static_cast<int>(d) % count != rank) mine[d] = {nullptr};
      return mine;
    });
    for (std::size_t d = 0; d < 4; ++d) {
      for (std::size_t rank = 0; rank < all.size(); ++rank) {
        const bool is_here = d % all.size() == rank;
        EXPECT_EQ(all[rank][d][0] != nullptr, is_here) << count;
        if (is_here) {
          EXPECT_TRUE(alike(all[rank][d], alone[d])) << count;
        }
      }
    }
  }
}

TEST(Processes, OfAWholeProgramHaveAllResults) {
  const Plan plan = make_plan(graph::read_text(program), 4);
  const Values alone = evaluate(plan, inputs_of_all());
  for (const int count : {2, 6}) {  // two of six have no device
    for (const Values& each :
         in_processes(plan, count, true, [](int) { return inputs_of_all(); })) {
      for (std::size_t d = 0; d < 4; ++d) EXPECT_TRUE(alike(each[d], alone[d])) << count;
    }
  }
}

TEST(Processes, OfAWholeProgramGiveTheSameArguments) {
  const Plan plan = make_plan(graph::read_text(program), 4);
  std::vector<std::string> errors(2);
  (void)in_processes(
      plan, 2, true,
      [](int rank) {
        Values all = inputs_of_all();
        all[3] = {numbers(static_cast<float>(rank))};
        return all;
      },
      &errors);
  for (const std::string& error : errors) EXPECT_THAT(error, HasSubstr("processes.order"));
}

}  // namespace
}  // namespace trainyard::plan
