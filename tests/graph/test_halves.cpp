// Do two cores that have each a half of the batch compute what the whole program says?
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "graph/evaluate.h"
#include "graph/halves.h"
#include "graph/hoist_sums.h"
#include "graph/multiply_adds.h"
#include "graph/text.h"
#include "graph/verify.h"
#include "program_file.h"

namespace trainyard::graph {
namespace {

Module read(const std::string& main) { return read_text("module {\n" + main + "\n}", "here"); }

Literal half_of(const Literal& whole, const Type& type, std::size_t core) {
  const std::vector<std::byte> all = whole.expanded();
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(core * all.size() / 2);
  return {type, {begin, begin + static_cast<std::ptrdiff_t>(all.size() / 2)}};
}

Literal joined(const Literal& first, const Literal& second, const Type& type) {
  std::vector<std::byte> all = first.expanded();
  const std::vector<std::byte> behind = second.expanded();
  all.insert(all.end(), behind.begin(), behind.end());
  return {type, std::move(all)};
}

// As two cores compute it.
std::vector<Literal> evaluate_halves(const Halves& halves, const Module& whole,
                                     const std::vector<Literal>& inputs) {
  const Function& each = halves.each.entry();
  std::vector<std::vector<Literal>> given;  // of each core
  for (std::size_t core = 0; core < 2; ++core) {
    std::vector<Literal> mine;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      mine.push_back(halves.arguments[i]
                         ? half_of(inputs[i], each.type(each.body.arguments[i]), core)
                         : inputs[i]);
    given.push_back(evaluate(halves.each, mine));
  }
  std::vector<Literal> behind;
  if (halves.rest) {
    const Function& rest = halves.rest->module.entry();
    std::vector<Literal> read;
    for (std::size_t i = 0; i < halves.rest->arguments.size(); ++i) {
      const auto& [is_argument, index] = halves.rest->arguments[i];
      read.push_back(is_argument ? inputs[index]
                                 : joined(given[0][index], given[1][index],
                                          rest.type(rest.body.arguments[i])));
    }
    behind = evaluate(halves.rest->module, read);
  }
  std::vector<Literal> results;
  for (std::size_t i = 0; i < halves.results.size(); ++i) {
    const auto& [is_of_rest, index] = halves.results[i];
    const Type& type = whole.entry().type(whole.entry().results()[i]);
    results.push_back(is_of_rest ? behind[index] : joined(given[0][index], given[1][index], type));
  }
  return results;
}

TEST(Halves, OfEveryProgramThatHasThemComputeTheWhole) {
  int halved = 0, with_rest = 0;
  for (const std::string& name : program_names()) {
    const ProgramFile file = read_program_file(name);
    if (!file.is_compiled) continue;
    const Module module = read_text(file.text, name);
    const std::optional<Halves> halves = halves_of(module);
    if (!halves) continue;
    ++halved;
    with_rest += halves->rest ? 1 : 0;
    const std::vector<Literal> inputs = inputs_of(module, file);
    const std::vector<Literal> wanted = evaluate(module, inputs);
    const std::vector<Literal> found = evaluate_halves(*halves, module, inputs);
    ASSERT_EQ(found.size(), wanted.size()) << name;
    // Sums of both cores are rounded once more.
    const double tolerance = halves->rest ? std::max(file.tolerance, 1e-2) : file.tolerance;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].type, wanted[i].type) << name;
      EXPECT_EQ(differs(found[i], wanted[i], tolerance), "") << name << ", output " << i;
    }
  }
  EXPECT_GT(halved, 150);
  EXPECT_GT(with_rest, 20);
}

// Of one row of logits, and of a whole batch.
TEST(Halves, GradientsAreSummedBehindThem) {
  const Module module = read(R"(
func.func @main(%w: tensor<16x8xf32>, %x: tensor<32x16xf32>) -> (tensor<16x8xf32>, tensor<32x8xf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x16xf32>, tensor<16x8xf32>) -> tensor<32x8xf32>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<32x16xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
  %v = stablehlo.add %w, %g : tensor<16x8xf32>
  return %v, %y : tensor<16x8xf32>, tensor<32x8xf32>
})");
  const std::optional<Halves> halves = halves_of(module);
  ASSERT_TRUE(halves.has_value());
  EXPECT_EQ(halves->arguments, (std::vector<bool>{false, true}));
  ASSERT_TRUE(halves->rest.has_value());
  ASSERT_EQ(halves->rest->arguments.size(), 2U);
  EXPECT_FALSE(halves->rest->arguments[0].is_argument);  // both summands
  EXPECT_TRUE(halves->rest->arguments[1].is_argument);   // the weights
  EXPECT_TRUE(halves->results[0].is_of_rest);
  EXPECT_FALSE(halves->results[1].is_of_rest);
}

// A loop's turns put away what they sum over devices: `use` is a turn's use of the sum %s.
std::string loop_of_sums(const std::string& use) {
  return R"(
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %z = stablehlo.constant dense<0.0> : tensor<4x8xf32>
  %r:2 = stablehlo.while(%i = %n, %a = %z) : tensor<i32>, tensor<4x8xf32>
   cond {
    %m = stablehlo.constant dense<4> : tensor<i32>
    %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %o = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %o : tensor<i32>
    %p = stablehlo.dynamic_slice %x, %i, %n, sizes = [1, 8] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %s = "stablehlo.all_reduce"(%p) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %w = stablehlo.add %u, %v : tensor<f32>
      stablehlo.return %w : tensor<f32>
    }) : (tensor<1x8xf32>) -> tensor<1x8xf32>
)" + use +
         R"(
    stablehlo.return %j, %b : tensor<i32>, tensor<4x8xf32>
  }
  return %r#1 : tensor<4x8xf32>
})";
}

TEST(HoistSums, OfWhatTurnsOnlyPutAway) {
  const std::string puts_away =
      "%b = stablehlo.dynamic_update_slice %a, %s, %i, %n : (tensor<4x8xf32>, tensor<1x8xf32>, "
      "tensor<i32>, tensor<i32>) -> tensor<4x8xf32>";
  const std::string adds =
      "%t = stablehlo.reshape %s : (tensor<1x8xf32>) -> tensor<8xf32>\n"
      "%k = stablehlo.broadcast_in_dim %t, dims = [1] : (tensor<8xf32>) -> tensor<4x8xf32>\n"
      "%b = stablehlo.add %a, %k : tensor<4x8xf32>";
  const std::string reads =
      "%q = stablehlo.tanh %s : tensor<1x8xf32>\n"
      "%b = stablehlo.dynamic_update_slice %a, %q, %i, %n : (tensor<4x8xf32>, tensor<1x8xf32>, "
      "tensor<i32>, tensor<i32>) -> tensor<4x8xf32>";
  const std::string twice =
      "%h = stablehlo.dynamic_update_slice %a, %s, %i, %n : (tensor<4x8xf32>, tensor<1x8xf32>, "
      "tensor<i32>, tensor<i32>) -> tensor<4x8xf32>\n"
      "%b = stablehlo.add %h, %a : tensor<4x8xf32>";
  const auto sums_in_main = [](const std::string& use) {
    Module module = read(loop_of_sums(use));
    hoist_sums(module.functions.front());
    verify(module);
    return std::ranges::count(module.entry().body.ops, OpKind::all_reduce, &Op::kind);
  };
  EXPECT_EQ(sums_in_main(puts_away), 1);
  EXPECT_EQ(sums_in_main(adds), 1);
  EXPECT_EQ(sums_in_main(reads), 0);
  EXPECT_EQ(sums_in_main(twice), 0);
}

TEST(Halves, AreNotThereWhereRowsMeetOrAreOdd) {
  const std::string odd = R"(
func.func @main(%x: tensor<33x16xf32>) -> tensor<33x16xf32> {
  %y = stablehlo.tanh %x : tensor<33x16xf32>
  return %y : tensor<33x16xf32>
})";
  const std::string across = R"(
func.func @main(%x: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %y = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %z = stablehlo.dot_general %y, %y, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %z : tensor<16x16xf32>
})";
  for (const std::string& program : {odd, across}) EXPECT_FALSE(halves_of(read(program)));
}

TEST(MultiplyAdds, OfProductsAndConvolutionsInLoopsAndFunctions) {
  const Module module = read(R"(
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %n = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%i = %n, %h = %x) : tensor<i32>, tensor<4x8xf32>
   cond {
    %m = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %o = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %o : tensor<i32>
    %y = func.call @once(%h, %w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
    stablehlo.return %j, %y : tensor<i32>, tensor<4x8xf32>
  }
  return %r#1 : tensor<4x8xf32>
}
func.func private @once(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
})");
  EXPECT_EQ(multiply_adds(module), 5.0 * 4 * 8 * 8);
}

}  // namespace
}  // namespace trainyard::graph
