// tolerance: 2e-05
// in: draw 1 -5 3.814697265625e-06 2621441
module @module {
  func.func public @main(%0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %1 = "stablehlo.negate"(%0) : (tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %2 = "stablehlo.exponential"(%1) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %5 = "stablehlo.add"(%4, %2) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %8 = "stablehlo.divide"(%4, %5) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    "stablehlo.return"(%8) : (tensor<3x50xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %1 = "stablehlo.negate"(%0) : (tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %2 = "stablehlo.exponential"(%1) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<3x50xf32>)
    %5 = "stablehlo.add"(%4, %2) : (tensor<3x50xf32>, tensor<3x50xf32>) -> (tensor<3x50xf32>)
    %6 = "stablehlo.composite"(%0) <{name = "trainyard.logistic"}> : (tensor<3x50xf32>) -> (tensor<3x50xf32>)
    "stablehlo.return"(%6) : (tensor<3x50xf32>) -> ()
  }
}
