#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "graph/module.h"
#include "graph/text.h"
#include "graph/users_line.h"

namespace trainyard::graph {
namespace {

TEST(OpKind, EveryNameLeadsToItsKindAndBack) {
  for (int i = 0; i < op_kind_count; ++i) {
    const auto kind = static_cast<OpKind>(i);
    EXPECT_EQ(op_kind_from_name(name(kind)), kind) << name(kind);
  }
  EXPECT_EQ(name(OpKind::xor_), "xor");
  EXPECT_EQ(name(OpKind::dot_general), "dot_general");
  EXPECT_EQ(op_kind_from_name("dot_generals"), std::nullopt);
}

TEST(Type, IsWrittenAsStableHloWritesIt) {
  EXPECT_EQ(to_string({.element = ElementType::bf16, .shape = {2, 3}}), "tensor<2x3xbf16>");
  EXPECT_EQ(to_string({.element = ElementType::pred}), "tensor<i1>");
  EXPECT_EQ(to_string({.element = ElementType::c64, .shape = {dynamic_extent}}),
            "tensor<?xcomplex<f32>>");
}

TEST(Literal, ASplatExpandsToAllElements) {
  const Literal splat{{.element = ElementType::u8, .shape = {2, 2}}, {std::byte{7}}, true};
  EXPECT_EQ(splat.expanded(), std::vector<std::byte>(4, std::byte{7}));
}

TEST(Literal, HasBothPartsOfComplexNumbers) {
  const Module module = read_text(R"(
    func.func public @main() -> tensor<2xcomplex<f32>> {
      %0 = stablehlo.constant dense<[(1.5, -2.25), (0.1, 3.0)]> : tensor<2xcomplex<f32>>
      return %0 : tensor<2xcomplex<f32>>
    })");
  const Literal& literal = module.entry().body.ops.at(0).literal("value");
  const std::array<float, 4> expected{1.5F, -2.25F, 0.1F, 3.0F};
  std::array<float, 4> found{};
  ASSERT_EQ(literal.content.size(), sizeof(found));
  std::memcpy(found.data(), literal.content.data(), sizeof(found));
  EXPECT_EQ(found, expected);
}

TEST(UsersLine, EndsWhereTheScriptWasStarted) {
  const SourceLine layer{"script.py", "layer", 3}, main{"script.py", "<module>", 9};
  const SourceLine run{"<frozen runpy>", "_run_code", 88}, command{"commands/scripts.py", "run", 7};
  const UsersLine line = users_line({.frames = {layer, main, run, command}});
  EXPECT_EQ(line.frames, (std::vector{layer, main}));
}

}  // namespace
}  // namespace trainyard::graph
