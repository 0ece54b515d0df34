// Does the verifier name each broken rule, and accept what keeps them all?
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "../session/graph_maker.h"
#include "graph/text.h"
#include "graph/verify.h"

namespace trainyard::graph {
namespace {

using testing::HasSubstr;

std::string rule_of(const Module& module) {
  const auto found = violations(module);
  return found.empty() ? "" : found.front().rule;
}

std::string main_of(const std::string& body) { return "module @m {\n" + body + "\n}\n"; }

// The rule that the text breaks, with its label.
std::string broken(const std::string& body) {
  try {
    (void)read_text(main_of(body), "m.mlir");
  } catch (const base::InputError& error) {
    const base::Violation& first = error.violations().front();
    return first.label + " " + first.rule + " at " + first.place;
  }
  return "nothing";
}

// One operation in the generic form, on two arguments of any types.
std::string broken_op(const std::string& op, const std::string& x, const std::string& y,
                      const std::string& result) {
  return broken("func.func @main(%x: " + x + ", %y: " + y + ") -> " + result + " {\n  %0 = " + op +
                "\n  return %0 : " + result + "\n}");
}

struct Case {
  const char* op;
  const char* x;
  const char* y;
  const char* result;
  const char* rule;
};

class BrokenRules : public testing::TestWithParam<Case> {};

TEST_P(BrokenRules, AreNamedWithTheirPlace) {
  const Case& c = GetParam();
  const std::string found = broken_op(c.op, c.x, c.y, c.result);
  EXPECT_THAT(found, HasSubstr(c.rule));
  EXPECT_THAT(found, HasSubstr("graph.verify"));
  EXPECT_THAT(found, HasSubstr("m.mlir:3"));
}

constexpr const char* f4 = "tensor<4xf32>";
constexpr const char* f23 = "tensor<2x3xf32>";
INSTANTIATE_TEST_SUITE_P(
    Verify, BrokenRules,
    testing::Values(
        Case{R"("stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>)", f4,
             "tensor<5xf32>", f4, "add: operands and result have one shape"},
        Case{R"("stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>)", f4,
             "tensor<4xi32>", f4, "add: operands and result have one element type"},
        Case{R"("stablehlo.tanh"(%y) : (tensor<4xi32>) -> tensor<4xi32>)", f4, "tensor<4xi32>",
             "tensor<4xi32>", "tanh: it is defined on elements of that type"},
        Case{R"("stablehlo.negate"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>)", f4,
             f4, f4, "negate: it has 1 operands"},
        Case{R"("stablehlo.compare"(%x, %y) <{comparison_direction = "UP"}> : (tensor<4xf32>, )"
             R"(tensor<4xf32>) -> tensor<4xi1>)",
             f4, f4, "tensor<4xi1>", "comparison_direction is EQ, NE"},
        Case{R"("stablehlo.transpose"(%x) <{permutation = array<i64: 0, 0>}> : )"
             R"((tensor<2x3xf32>) -> tensor<2x3xf32>)",
             f23, f4, f23, "permutation are different dimensions"},
        Case{R"("stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<7xf32>)", f23, f4,
             "tensor<7xf32>", "as many elements"},
        Case{R"("stablehlo.slice"(%x) <{limit_indices = array<i64: 5>, start_indices = )"
             R"(array<i64: 0>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<5xf32>)",
             f4, f4, "tensor<5xf32>", "0 <= start <= limit <= size"},
        Case{R"("stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 0>}> : )"
             R"((tensor<4xf32>) -> tensor<5xf32>)",
             f4, f4, "tensor<5xf32>", "keeps its size, or has been 1"},
        Case{R"("stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<4xf32>, )"
             R"(tensor<4xf32>) -> tensor<9xf32>)",
             f4, f4, "tensor<9xf32>", "as long as all operands together"},
        Case{R"("stablehlo.dot_general"(%x, %y) <{lhs_contracting_dimensions = array<i64: 1>, )"
             R"(rhs_contracting_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, )"
             R"(tensor<4x5xf32>) -> tensor<2x5xf32>)",
             f23, "tensor<4x5xf32>", "tensor<2x5xf32>",
             "contracted dimensions of both operands have equal sizes"},
        Case{R"("stablehlo.reduce"(%x, %y) <{dimensions = array<i64: 1>}> ({)"
             "\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
             R"(%s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>)"
             "\n"
             R"("stablehlo.return"(%s) : (tensor<f32>) -> ()})"
             R"() : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>)",
             f23, "tensor<f32>", "tensor<3xf32>", "the dimensions that are left"},
        Case{R"("stablehlo.get_tuple_element"(%x) <{index = 0 : i32}> : (tensor<4xf32>) -> )"
             R"(tensor<4xf32>)",
             f4, f4, f4, "the operand is a tuple"},
        Case{R"("stablehlo.cholesky"(%x) <{lower = true}> : (tensor<2x3xf32>) -> tensor<2x3xf32>)",
             f23, f4, f23, "a square matrix"}));

TEST(Verify, EveryOperationButReturnHasAForm) {
  for (int i = 0; i < op_kind_count; ++i) {
    const auto kind = static_cast<OpKind>(i);
    if (kind == OpKind::return_) continue;
    Maker make;
    std::vector<ValueId> many;
    for (int n = 0; n < 12; ++n) many.push_back(make.argument(f32({2})));
    const ValueId out = make.op(kind, many, f32({3}));
    const Module module = make.finish({out});
    const bool takes_anything = kind == OpKind::async_start;
    EXPECT_EQ(rule_of(module).empty(), takes_anything) << name(kind);
  }
}

TEST(Verify, WhatIsCompiledHasTypesOfKnownShape) {
  for (const std::string_view type : {"tensor<?xf32>", "tensor<4x?xf32>", "tensor<*xf32>"}) {
    const std::string text =
        fmt::format("func.func @main(%x: {0}) -> {0} {{\n  return %x : {0}\n}}\n", type);
    EXPECT_THROW(require_static(read_text(text, "test")), base::InputError) << type;
  }
  require_static(
      read_text("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                "  return %x : tensor<4xf32>\n}\n",
                "test"));
}

TEST(Verify, ValuesAreDefinedBeforeTheyAreUsedAndOnce) {
  Maker late;
  const ValueId x = late.argument(f32({2}));
  const ValueId none = late.value(f32({2}));
  EXPECT_EQ(rule_of(late.finish({late.op(OpKind::add, {x, none}, f32({2}))})),
            "add: a value is used behind its definition");
  Maker outside;
  const ValueId y = outside.argument(f32({2}));
  EXPECT_EQ(rule_of(outside.finish({outside.op(OpKind::add, {y, 99}, f32({2}))})),
            "add: a value is used behind its definition");
  Maker twice;
  const ValueId z = twice.argument(f32({2}));
  (void)twice.op(OpKind::negate, {z}, f32({2}));
  twice.add_result(z);
  EXPECT_EQ(rule_of(twice.finish({z})), "a value is defined once");
}

TEST(Verify, ARegionsValuesEndWithIt) {
  Maker make;
  const ValueId x = make.argument(f32({2})), zero = make.constant(literal<float>(f32({}), {0}));
  Region sum = make.combine(OpKind::add, ElementType::f32);
  const ValueId inner = sum.arguments[0];
  const ValueId total =
      make.op(OpKind::reduce, {x, zero}, f32({}), {list("dimensions", {0})}, {std::move(sum)});
  const ValueId out = make.op(OpKind::add, {total, inner}, f32({}));
  EXPECT_EQ(rule_of(make.finish({out})), "add: a value is used behind its definition");
}

TEST(Verify, FunctionsExistTakeWhatTheyGetAndDoNotCallThemselves) {
  constexpr const char* f = "func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n";
  const std::string caller =
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = func.call @f(%x) : "
      "(tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n";
  EXPECT_THAT(broken(caller), HasSubstr("call: the function is part of the module"));
  EXPECT_EQ(broken(caller + f + "  return %x : tensor<4xf32>\n}"), "nothing");
  EXPECT_THAT(broken(caller + f +
                     "  %0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
                     "  return %0 : tensor<4xf32>\n}"),
              HasSubstr("a function does not call itself"));
  EXPECT_THAT(broken(caller + "func.func private @f(%x: tensor<5xf32>) -> tensor<5xf32> {\n"
                              "  return %x : tensor<5xf32>\n}"),
              HasSubstr("call: the function takes values of the operands' types"));
}

TEST(Verify, SizesThatAreNotKnownFit) {
  EXPECT_EQ(
      broken_op(R"("stablehlo.add"(%x, %y) : (tensor<?xf32>, tensor<4xf32>) -> tensor<?xf32>)",
                "tensor<?xf32>", f4, "tensor<?xf32>"),
      "nothing");
}

TEST(Verify, AllThatIsBrokenIsTold) {
  Maker make;
  const ValueId x = make.argument(f32({2})), y = make.argument(f32({3}));
  const ValueId a = make.op(OpKind::add, {x, y}, f32({2}));
  const ValueId b = make.op(OpKind::multiply, {x, y}, f32({2}));
  EXPECT_EQ(violations(make.finish({a, b})).size(), 2U);
}

}  // namespace
}  // namespace trainyard::graph
