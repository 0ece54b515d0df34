// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<37x45xf32>, %1: tensor<37x45xf32>) -> (tensor<37xf32>) {
    %2 = "stablehlo.dot_general"(%0, %1) <{lhs_batching_dimensions = array<i64: 0>, lhs_contracting_dimensions = array<i64: 1>, precision_config = ["DEFAULT", "DEFAULT"], rhs_batching_dimensions = array<i64: 0>, rhs_contracting_dimensions = array<i64: 1>}> : (tensor<37x45xf32>, tensor<37x45xf32>) -> (tensor<37xf32>)
    "stablehlo.return"(%2) : (tensor<37xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<37x45xf32>, %1: tensor<37x45xf32>) -> (tensor<37xf32>) {
    %3 = "stablehlo.convert"(%0) : (tensor<37x45xf32>) -> (tensor<37x45xf32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<37x45xf32>) -> (tensor<37x45xf32>)
    %5 = "stablehlo.convert"(%1) : (tensor<37x45xf32>) -> (tensor<37x45xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<37x45xf32>) -> (tensor<37x45xf32>)
    %7 = "stablehlo.multiply"(%4, %6) : (tensor<37x45xf32>, tensor<37x45xf32>) -> (tensor<37x45xf32>)
    %8 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %9 = "stablehlo.reduce"(%7, %8) <{dimensions = array<i64: 1>}> ({
    ^bb0(%10: tensor<f32>, %11: tensor<f32>):
      %12 = "stablehlo.add"(%10, %11) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%12) : (tensor<f32>) -> ()
    }) : (tensor<37x45xf32>, tensor<f32>) -> (tensor<37xf32>)
    %2 = "stablehlo.convert"(%9) : (tensor<37xf32>) -> (tensor<37xf32>)
    "stablehlo.return"(%2) : (tensor<37xf32>) -> ()
  }
}
