// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<2x9x70xf32>, %1: tensor<4x70xf32>) -> (tensor<2x9x4x70xf32>) {
    %2 = "stablehlo.dot_general"(%1, %0) <{lhs_batching_dimensions = array<i64: 1>, lhs_contracting_dimensions = array<i64>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 2>, rhs_contracting_dimensions = array<i64>}> : (tensor<4x70xf32>, tensor<2x9x70xf32>) -> (tensor<70x4x2x9xf32>)
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 2, 3, 1, 0>}> : (tensor<70x4x2x9xf32>) -> (tensor<2x9x4x70xf32>)
    "stablehlo.return"(%3) : (tensor<2x9x4x70xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<2x9x70xf32>, %1: tensor<4x70xf32>) -> (tensor<2x9x4x70xf32>) {
    %4 = "stablehlo.convert"(%1) : (tensor<4x70xf32>) -> (tensor<4x70xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 2, 3>}> : (tensor<4x70xf32>) -> (tensor<2x9x4x70xf32>)
    %6 = "stablehlo.convert"(%0) : (tensor<2x9x70xf32>) -> (tensor<2x9x70xf32>)
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0, 1, 3>}> : (tensor<2x9x70xf32>) -> (tensor<2x9x4x70xf32>)
    %8 = "stablehlo.multiply"(%5, %7) : (tensor<2x9x4x70xf32>, tensor<2x9x4x70xf32>) -> (tensor<2x9x4x70xf32>)
    %9 = "stablehlo.convert"(%8) : (tensor<2x9x4x70xf32>) -> (tensor<2x9x4x70xf32>)
    %2 = "stablehlo.transpose"(%9) <{permutation = array<i64: 3, 2, 0, 1>}> : (tensor<2x9x4x70xf32>) -> (tensor<70x4x2x9xf32>)
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 2, 3, 1, 0>}> : (tensor<70x4x2x9xf32>) -> (tensor<2x9x4x70xf32>)
    "stablehlo.return"(%3) : (tensor<2x9x4x70xf32>) -> ()
  }
}
