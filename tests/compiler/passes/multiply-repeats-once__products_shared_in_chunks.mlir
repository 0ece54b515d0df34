// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<1x16x4x12xf32>, %1: tensor<16x20xf32>, %2: tensor<16x20xf32>) -> (tensor<2x8x4x12xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<16x20xf32>) -> (tensor<1x16x1x20xf32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x16x1x20xf32>) -> (tensor<1x16x4x20xf32>)
    %13 = "stablehlo.reshape"(%3) : (tensor<1x16x1x20xf32>) -> (tensor<2x8x20xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x8x20xf32>) -> (tensor<2x8x4x20xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<16x20xf32>) -> (tensor<1x16x1x20xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x16x1x20xf32>) -> (tensor<1x16x4x20xf32>)
    %15 = "stablehlo.reshape"(%6) : (tensor<1x16x1x20xf32>) -> (tensor<2x8x20xf32>)
    %8 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x8x20xf32>) -> (tensor<2x8x4x20xf32>)
    %9 = "stablehlo.dot_general"(%8, %5) <{lhs_batching_dimensions = array<i64: 0, 2>, lhs_contracting_dimensions = array<i64: 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 2>, rhs_contracting_dimensions = array<i64: 3>}> : (tensor<2x8x4x20xf32>, tensor<2x8x4x20xf32>) -> (tensor<2x4x8x8xf32>)
    %10 = "stablehlo.reshape"(%0) : (tensor<1x16x4x12xf32>) -> (tensor<2x8x4x12xf32>)
    %11 = "stablehlo.dot_general"(%10, %9) <{lhs_batching_dimensions = array<i64: 0, 2>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 3>}> : (tensor<2x8x4x12xf32>, tensor<2x4x8x8xf32>) -> (tensor<2x4x12x8xf32>)
    %12 = "stablehlo.transpose"(%11) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x12x8xf32>) -> (tensor<2x8x4x12xf32>)
    "stablehlo.return"(%12) : (tensor<2x8x4x12xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<1x16x4x12xf32>, %1: tensor<16x20xf32>, %2: tensor<16x20xf32>) -> (tensor<2x8x4x12xf32>) {
    %3 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<16x20xf32>) -> (tensor<1x16x1x20xf32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x16x1x20xf32>) -> (tensor<1x16x4x20xf32>)
    %5 = "stablehlo.reshape"(%3) : (tensor<1x16x1x20xf32>) -> (tensor<2x8x20xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x8x20xf32>) -> (tensor<2x8x4x20xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64: 1, 3>}> : (tensor<16x20xf32>) -> (tensor<1x16x1x20xf32>)
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64: 0, 1, 2, 3>}> : (tensor<1x16x1x20xf32>) -> (tensor<1x16x4x20xf32>)
    %9 = "stablehlo.reshape"(%7) : (tensor<1x16x1x20xf32>) -> (tensor<2x8x20xf32>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x8x20xf32>) -> (tensor<2x8x4x20xf32>)
    %16 = "stablehlo.dot_general"(%9, %5) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 2>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<2x8x20xf32>, tensor<2x8x20xf32>) -> (tensor<2x8x8xf32>)
    %15 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64: 0, 1, 2>}> : (tensor<2x8x8xf32>) -> (tensor<2x8x8x4xf32>)
    %11 = "stablehlo.transpose"(%15) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x8x8x4xf32>) -> (tensor<2x4x8x8xf32>)
    %12 = "stablehlo.reshape"(%0) : (tensor<1x16x4x12xf32>) -> (tensor<2x8x4x12xf32>)
    %13 = "stablehlo.dot_general"(%12, %16) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 2>}> : (tensor<2x8x4x12xf32>, tensor<2x8x8xf32>) -> (tensor<2x4x12x8xf32>)
    %14 = "stablehlo.transpose"(%13) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x4x12x8xf32>) -> (tensor<2x8x4x12xf32>)
    "stablehlo.return"(%14) : (tensor<2x8x4x12xf32>) -> ()
  }
}
