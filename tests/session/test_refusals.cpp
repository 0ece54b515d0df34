// Are programs refused with the codes of AWS's compiler that JAX cannot write?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/text.h"
#include "session/refusals.h"

namespace trainyard::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> codes(std::string_view text, const Permissions& permissions = {}) {
  std::vector<std::string> all;
  for (const base::Violation& each :
       documented_refusals(graph::read_text(text), machine::Generation::gen4, permissions))
    all.push_back(each.label);
  return all;
}

TEST(Refusals, APowerOfWideIntegers) {
  constexpr std::string_view text = R"(
func.func @main(%x: tensor<4xi64>) -> tensor<4xi64> {
  %y = stablehlo.power %x, %x : tensor<4xi64>
  return %y : tensor<4xi64>
})";
  EXPECT_THAT(codes(text), ElementsAre("NCC_EVRF062"));
  EXPECT_THAT(codes(text, read_compiler_flags("--implicit-integer-downcast=pow").permissions),
              IsEmpty());
}

TEST(Refusals, AShapeThatIsNotStatic) {
  EXPECT_THAT(codes(R"(
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = stablehlo.add %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
})"),
              ElementsAre("NCC_EMOD025"));
}

TEST(Refusals, AProgramThatIsTooLong) {
  const Permissions permissions =
      read_compiler_flags("--internal-max-instruction-limit 100").permissions;
  EXPECT_FALSE(refused_length("f", 100, permissions));
  ASSERT_TRUE(refused_length("f", 101, permissions));
  EXPECT_EQ(refused_length("f", 101, permissions)->label, "NCC_EBVF030");
  EXPECT_FALSE(refused_length("f", 5'000'000, {}));
  EXPECT_TRUE(refused_length("f", 5'000'001, {}));
}

}  // namespace
}  // namespace trainyard::session
