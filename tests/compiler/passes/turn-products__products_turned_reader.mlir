// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<50x40xf32>, %1: tensor<40x70xf32>) -> (tensor<70x50xf32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<50x40xf32>, tensor<40x70xf32>) -> (tensor<50x70xf32>)
    %3 = "stablehlo.transpose"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<50x70xf32>) -> (tensor<70x50xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<70x50xf32>)
    %6 = "stablehlo.multiply"(%3, %5) : (tensor<70x50xf32>, tensor<70x50xf32>) -> (tensor<70x50xf32>)
    "stablehlo.return"(%6) : (tensor<70x50xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<50x40xf32>, %1: tensor<40x70xf32>) -> (tensor<70x50xf32>) {
    %3 = "stablehlo.dot_general"(%1, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<40x70xf32>, tensor<50x40xf32>) -> (tensor<70x50xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<70x50xf32>)
    %6 = "stablehlo.multiply"(%3, %5) : (tensor<70x50xf32>, tensor<70x50xf32>) -> (tensor<70x50xf32>)
    "stablehlo.return"(%6) : (tensor<70x50xf32>) -> ()
  }
}
