#include <gtest/gtest.h>

#include "graph/module.h"
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

TEST(UsersLine, EndsWhereTheScriptWasStarted) {
  const SourceLine layer{"script.py", "layer", 3}, main{"script.py", "<module>", 9};
  const SourceLine run{"<frozen runpy>", "_run_code", 88}, command{"commands/scripts.py", "run", 7};
  const UsersLine line = users_line({.frames = {layer, main, run, command}});
  EXPECT_EQ(line.frames, (std::vector{layer, main}));
}

}  // namespace
}  // namespace trainyard::graph
