// tolerance: 0
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<300x5xf32>) -> (tensor<300x5xf32>) {
    %1 = "stablehlo.call"(%0) <{callee = @relu}> : (tensor<300x5xf32>) -> (tensor<300x5xf32>)
    "stablehlo.return"(%1) : (tensor<300x5xf32>) -> ()
  }
  func.func private @relu(%0: tensor<300x5xf32>) -> (tensor<300x5xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<300x5xf32>)
    %3 = "stablehlo.maximum"(%0, %2) : (tensor<300x5xf32>, tensor<300x5xf32>) -> (tensor<300x5xf32>)
    "stablehlo.return"(%3) : (tensor<300x5xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<300x5xf32>) -> (tensor<300x5xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<300x5xf32>)
    %4 = "stablehlo.maximum"(%0, %3) : (tensor<300x5xf32>, tensor<300x5xf32>) -> (tensor<300x5xf32>)
    "stablehlo.return"(%4) : (tensor<300x5xf32>) -> ()
  }
  func.func private @relu(%0: tensor<300x5xf32>) -> (tensor<300x5xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<300x5xf32>)
    %3 = "stablehlo.maximum"(%0, %2) : (tensor<300x5xf32>, tensor<300x5xf32>) -> (tensor<300x5xf32>)
    "stablehlo.return"(%3) : (tensor<300x5xf32>) -> ()
  }
}
