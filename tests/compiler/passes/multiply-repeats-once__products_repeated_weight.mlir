// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<3x20x16xf32>, %1: tensor<16x24xf32>) -> (tensor<3x20x24xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x24xf32>) -> (tensor<3x16x24xf32>)
    %3 = "stablehlo.dot_general"(%0, %2) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<3x20x16xf32>, tensor<3x16x24xf32>) -> (tensor<3x20x24xf32>)
    "stablehlo.return"(%3) : (tensor<3x20x24xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x20x16xf32>, %1: tensor<16x24xf32>) -> (tensor<3x20x24xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 2>}> : (tensor<16x24xf32>) -> (tensor<3x16x24xf32>)
    %3 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<3x20x16xf32>, tensor<16x24xf32>) -> (tensor<3x20x24xf32>)
    "stablehlo.return"(%3) : (tensor<3x20x24xf32>) -> ()
  }
}
