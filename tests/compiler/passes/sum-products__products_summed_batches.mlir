// tolerance: 0.0002
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<2x3x20x16xf32>, %1: tensor<2x3x24x16xf32>) -> (tensor<2x20x24xf32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64: 0, 1>, lhs_contracting_dimensions = array<i64: 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0, 1>, rhs_contracting_dimensions = array<i64: 3>}> : (tensor<2x3x20x16xf32>, tensor<2x3x24x16xf32>) -> (tensor<2x3x20x24xf32>)
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.reduce"(%2, %3) <{dimensions = array<i64: 1>}> ({
    ^bb0(%5: tensor<f32>, %6: tensor<f32>):
      %7 = "stablehlo.add"(%5, %6) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%7) : (tensor<f32>) -> ()
    }) : (tensor<2x3x20x24xf32>, tensor<f32>) -> (tensor<2x20x24xf32>)
    "stablehlo.return"(%4) : (tensor<2x20x24xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<2x3x20x16xf32>, %1: tensor<2x3x24x16xf32>) -> (tensor<2x20x24xf32>) {
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 1, 3>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1, 3>}> : (tensor<2x3x20x16xf32>, tensor<2x3x24x16xf32>) -> (tensor<2x20x24xf32>)
    "stablehlo.return"(%4) : (tensor<2x20x24xf32>) -> ()
  }
}
