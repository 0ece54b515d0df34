// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<30x20xf32>, %1: tensor<50x30xf32>) -> (tensor<30x20xf32>) {
    %2 = "stablehlo.dot_general"(%1, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<50x30xf32>, tensor<30x20xf32>) -> (tensor<50x20xf32>)
    %3 = "stablehlo.multiply"(%2, %2) : (tensor<50x20xf32>, tensor<50x20xf32>) -> (tensor<50x20xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<50x20xf32>)
    %6 = "stablehlo.multiply"(%5, %2) : (tensor<50x20xf32>, tensor<50x20xf32>) -> (tensor<50x20xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.reduce"(%3, %7) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<50x20xf32>, tensor<f32>) -> (tensor<f32>)
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<50x20xf32>)
    %14 = "stablehlo.multiply"(%13, %6) : (tensor<50x20xf32>, tensor<50x20xf32>) -> (tensor<50x20xf32>)
    %15 = "stablehlo.dot_general"(%14, %1) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<50x20xf32>, tensor<50x30xf32>) -> (tensor<20x30xf32>)
    %16 = "stablehlo.transpose"(%15) <{permutation = array<i64: 1, 0>}> : (tensor<20x30xf32>) -> (tensor<30x20xf32>)
    "stablehlo.return"(%16) : (tensor<30x20xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<30x20xf32>, %1: tensor<50x30xf32>) -> (tensor<30x20xf32>) {
    %2 = "stablehlo.dot_general"(%1, %0) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<50x30xf32>, tensor<30x20xf32>) -> (tensor<50x20xf32>)
    %3 = "stablehlo.multiply"(%2, %2) : (tensor<50x20xf32>, tensor<50x20xf32>) -> (tensor<50x20xf32>)
    %4 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<50x20xf32>)
    %6 = "stablehlo.multiply"(%5, %2) : (tensor<50x20xf32>, tensor<50x20xf32>) -> (tensor<50x20xf32>)
    %7 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %8 = "stablehlo.reduce"(%3, %7) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%9: tensor<f32>, %10: tensor<f32>):
      %11 = "stablehlo.add"(%9, %10) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%11) : (tensor<f32>) -> ()
    }) : (tensor<50x20xf32>, tensor<f32>) -> (tensor<f32>)
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %13 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<50x20xf32>)
    %14 = "stablehlo.multiply"(%13, %6) : (tensor<50x20xf32>, tensor<50x20xf32>) -> (tensor<50x20xf32>)
    %16 = "stablehlo.dot_general"(%1, %14) <{lhs_batching_dimensions = array<i64>, lhs_contracting_dimensions = array<i64: 0>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64>, rhs_contracting_dimensions = array<i64: 0>}> : (tensor<50x30xf32>, tensor<50x20xf32>) -> (tensor<30x20xf32>)
    "stablehlo.return"(%16) : (tensor<30x20xf32>) -> ()
  }
}
