// Is an operation as a module of its own the same, and no larger than it must be?
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "graph/alone.h"
#include "graph/reads.h"
#include "graph/text.h"
#include "graph/verify.h"

namespace trainyard::graph {
namespace {

Module chain(int count) {
  std::string text =
      "func.func public @main(%a0: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {\n"
      "%z = stablehlo.constant dense<0.0> : tensor<f32>\n";
  for (int i = 0; i < count; ++i) {
    const std::string before = "%a" + std::to_string(i), after = "%a" + std::to_string(i + 1);
    text += after + " = \"stablehlo.case\"(%n) ({\n  %s = stablehlo.add " + before +
            ", %a0 : tensor<4xf32>\n  stablehlo.return %s : tensor<4xf32>\n}, {\n" +
            "  %c = func.call @twice(" + before + ") : (tensor<4xf32>) -> tensor<4xf32>\n" +
            "  stablehlo.return %c : tensor<4xf32>\n}) : (tensor<i32>) -> tensor<4xf32> " +
            "loc(\"layer" + std::to_string(i) + "/case\"(\"model.py\":" + std::to_string(i + 1) +
            ":1))\n";
  }
  return read_text("module {\n" + text + "return %a" + std::to_string(count) +
                   " : tensor<4xf32>\n}\n"
                   "func.func private @twice(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
                   "%t = stablehlo.add %x, %x : tensor<4xf32> loc(\"twice\"(\"model.py\":999:1))\n"
                   "return %t : tensor<4xf32>\n}\n}\n");
}

Module alone_in(const Module& module, const Op& op) {
  const std::set<ValueId> all = values_read(op);
  const std::vector<ValueId> read(all.begin(), all.end());
  const std::vector<const Op*> ops{&op};
  return alone(module, module.entry(), ops, read, op.results);
}

TEST(Alone, HasTheOperationWithItsRegionsPlacesAndFunctions) {
  const Module module = chain(40);
  for (const Op& op : module.entry().body.ops) {
    if (op.kind != OpKind::case_) continue;
    const Module made = alone_in(module, op);
    verify(made);
    const Op& same = made.entry().body.ops.at(0);
    EXPECT_EQ(made.describe(same.location), module.describe(op.location));
    EXPECT_EQ(same.attributes, op.attributes);
    ASSERT_NE(made.find("twice"), nullptr);
    EXPECT_EQ(made.describe(made.find("twice")->body.ops.at(0).location), "model.py:999, in twice");
    std::vector<ValueId> arguments = made.entry().body.arguments;
    const std::set<ValueId> read = values_read(same);
    EXPECT_EQ(arguments, std::vector<ValueId>(read.begin(), read.end()));
    EXPECT_EQ(made.entry().results().front(), same.results.front());
  }
}

TEST(Alone, DoesNotGrowWithTheFunctionThatItIsFrom) {
  const auto sizes = [](int count) {
    const Module module = chain(count);
    const Module made = alone_in(module, module.entry().body.ops.at(2));
    return std::vector<std::size_t>{made.entry().types.size(), made.locations.size()};
  };
  EXPECT_EQ(sizes(4), sizes(400));
}

}  // namespace
}  // namespace trainyard::graph
