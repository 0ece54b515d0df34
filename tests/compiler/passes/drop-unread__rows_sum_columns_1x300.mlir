// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<1x300xf32>) -> (tensor<300xf32>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %2 = "stablehlo.reshape"(%0) : (tensor<1x300xf32>) -> (tensor<300xf32>)
    "stablehlo.return"(%2) : (tensor<300xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<1x300xf32>) -> (tensor<300xf32>) {
    %2 = "stablehlo.reshape"(%0) : (tensor<1x300xf32>) -> (tensor<300xf32>)
    "stablehlo.return"(%2) : (tensor<300xf32>) -> ()
  }
}
