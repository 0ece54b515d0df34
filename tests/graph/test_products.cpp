// Are products of matrices of divided programs known with how they lie, and divided otherwise?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/partition.h"
#include "graph/print.h"
#include "graph/text.h"

namespace trainyard::graph {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Rows along "a", columns along "b"; the second product sums along "b".
constexpr auto program = R"(module @f attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["a"=2, "b"=2]>
  func.func @main(
      %x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>},
      %up: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b"}]>},
      %down: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>})
      -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
    %h = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0]
        : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
    %y = stablehlo.dot_general %h, %down, contracting_dims = [1] x [0]
        : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
    return %y : tensor<8x16xf32>
  }
})";

TEST(Products, AreKnownWithHowTheyLie) {
  const Partitioned divided = partition(read_text(program));
  ASSERT_EQ(divided.products.size(), 2U);
  const PlacedProduct& down = divided.products[1];
  EXPECT_EQ(to_string(down.operands[0]), "tensor<8x32xf32>");
  EXPECT_EQ(down.operands_lie[0].ways(0), 2);
  EXPECT_EQ(down.operands_lie[0].ways(1), 2);
  EXPECT_EQ(down.operands_lie[1].ways(0), 2);
  EXPECT_EQ(down.result_lies.ways(1), 1);
}

// Each of two axes divides rows, columns, what is summed, or nothing.
TEST(Products, HaveAWayForEachRoleOfEachAxis) {
  const Partitioned divided = partition(read_text(program));
  EXPECT_EQ(ways_of(divided.products[0]).size(), 16U);
  PlacedProduct odd = divided.products[0];
  odd.operands[0].shape = {7, 16};
  odd.result.shape = {7, 32};
  EXPECT_EQ(ways_of(odd).size(), 9U);
}

TEST(Products, AloneAreDividedAsTheyWereAndOtherwise) {
  const Partitioned divided = partition(read_text(program));
  const PlacedProduct& up = divided.products[0];
  const std::string taken = print(partition(alone(up, divided.module.attributes)).module);
  EXPECT_THAT(taken, Not(HasSubstr("all_")));
  const ProductWay summed{{{"a", ProductRole::rows}, {"b", ProductRole::contraction}}};
  const std::string other = print(partition(alone(up, divided.module.attributes, &summed)).module);
  EXPECT_THAT(other, HasSubstr("tensor<4x8xf32>"));  // half of the rows, of half of what is summed
  EXPECT_THAT(other, HasSubstr("stablehlo.reduce_scatter"));
}

}  // namespace
}  // namespace trainyard::graph
