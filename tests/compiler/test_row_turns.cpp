// Do programs whose products are computed in turns of a loop mean what they meant?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "../graph/program_file.h"
#include "compiler/lowering/loops/row_turns.h"
#include "graph/evaluate.h"
#include "graph/inline_calls.h"
#include "graph/print.h"
#include "graph/text.h"
#include "graph/verify.h"
#include "machine/machine.h"

namespace trainyard::compiler {
namespace {

using graph::Module;
using graph::OpKind;
using ::testing::IsEmpty;

// Every product, however small, by one row at a time where nothing speaks against it.
constexpr TurnLimits all_products{.instructions_max = 0, .instructions_of_turn = 1, .rows_min = 1};

constexpr TurnLimits rows_of_four{.instructions_max = 0, .instructions_of_turn = 1, .rows_min = 4};

const machine::Core& core() {
  static const machine::Machine trn3 = machine::load("trn3");
  return trn3.core;
}

Module in_turns(const Module& module, const TurnLimits& limits = all_products) {
  Module turned = module;
  if (auto inlined = graph::without_calls(turned)) turned = *std::move(inlined);
  take_turns(turned, core(), limits);
  return turned;
}

std::size_t count(const graph::Region& region, OpKind kind) {
  std::size_t all = 0;
  for (const graph::Op& op : region.ops) {
    if (op.kind == kind) ++all;
    for (const graph::Region& nested : op.regions) all += count(nested, kind);
  }
  return all;
}

// By one row where the program is small; more make fewer turns, which the evaluator computes one by
// one.
TurnLimits limits_for(const Module& module) {
  constexpr std::int64_t turns_max = 32;
  TurnLimits limits = all_products;
  for (const graph::Function& function : module.functions) {
    for (const graph::Type& type : function.types) {
      for (const std::int64_t size : type.shape)
        limits.rows_min = std::max(limits.rows_min, size / turns_max);
    }
  }
  return limits;
}

class RowTurns : public testing::TestWithParam<std::string> {};

TEST_P(RowTurns, LeaveTheMeaning) {
  const graph::ProgramFile file = graph::read_program_file(GetParam());
  const Module before = graph::read_text(file.text, GetParam());
  const Module after = in_turns(before, limits_for(before));
  EXPECT_THAT(graph::violations(after), IsEmpty());
  const std::vector<graph::Literal> inputs = inputs_of(before, file);
  const std::vector<graph::Literal> wanted = graph::evaluate(before, inputs);
  const std::vector<graph::Literal> found = graph::evaluate(after, inputs);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(graph::differs(found[i], wanted[i], 1e-6), "") << graph::print(after);
}

std::vector<std::string> programs_with_products() {
  std::vector<std::string> names;
  for (const std::string& name : graph::program_names()) {
    if (graph::read_program_file(name).text.find("dot_general") != std::string::npos)
      names.push_back(name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Programs, RowTurns, testing::ValuesIn(programs_with_products()),
                         [](const auto& each) { return each.param; });

Module read(const std::string& arguments, const std::string& results, const std::string& body) {
  return graph::read_text("func.func @main(" + arguments + ") -> (" + results + ") {\n" + body +
                          "}\n");
}

// Two products with an activation between them are turns of one loop, and what is between them is
// never whole.
TEST(RowTurnsOf, AGatedLayerAreOneLoop) {
  const Module layer =
      read("%x: tensor<8x4xf32>, %g: tensor<4x6xf32>, %u: tensor<4x6xf32>, %d: tensor<6x4xf32>",
           "tensor<8x4xf32>", R"(
    %a = stablehlo.dot_general %x, %g, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %b = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %s = stablehlo.tanh %a : tensor<8x6xf32>
    %m = stablehlo.multiply %s, %b : tensor<8x6xf32>
    %y = stablehlo.dot_general %m, %d, contracting_dims = [1] x [0] : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
    return %y : tensor<8x4xf32>
)");
  const Module turned = in_turns(layer, rows_of_four);
  EXPECT_EQ(count(turned.entry().body, OpKind::while_), 1U) << graph::print(turned);
  const std::vector<std::int64_t> between{8, 6};
  for (const graph::Op& op : turned.entry().body.ops) {
    for (const graph::ValueId value : op.results)
      EXPECT_NE(turned.entry().type(value).shape, between) << graph::print(turned);
  }
}

// Scores of rows with all rows: the product of the result stands behind the loop, not in it.
TEST(RowTurnsOf, RowsThatMeetEachOtherStayApart) {
  const Module mixed = read("%x: tensor<8x4xf32>, %w: tensor<4x4xf32>", "tensor<8x4xf32>", R"(
    %q = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
    %s = stablehlo.dot_general %q, %q, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    %o = stablehlo.dot_general %s, %q, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %r = stablehlo.add %o, %q : tensor<8x4xf32>
    return %r : tensor<8x4xf32>
)");
  const Module turned = in_turns(mixed);
  EXPECT_THAT(graph::violations(turned), IsEmpty());
  EXPECT_GE(count(turned.entry().body, OpKind::while_), 2U) << graph::print(turned);
}

TEST(RowTurnsOf, SmallProductsAreNone) {
  const Module small =
      read("%x: tensor<512x128xf32>, %w: tensor<128x512xf32>", "tensor<512x512xf32>", R"(
    %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x128xf32>, tensor<128x512xf32>) -> tensor<512x512xf32>
    return %y : tensor<512x512xf32>
)");
  EXPECT_EQ(count(in_turns(small, {}).entry().body, OpKind::while_), 0U);
}

}  // namespace
}  // namespace trainyard::compiler
