// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<1000xf32>, %1: tensor<1000xf32>) -> (tensor<1000xf32>) {
    %2 = "stablehlo.add"(%0, %1) : (tensor<1000xf32>, tensor<1000xf32>) -> (tensor<1000xf32>)
    %3 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1000xf32>)
    %5 = "stablehlo.multiply"(%2, %4) : (tensor<1000xf32>, tensor<1000xf32>) -> (tensor<1000xf32>)
    %6 = "stablehlo.multiply"(%0, %1) : (tensor<1000xf32>, tensor<1000xf32>) -> (tensor<1000xf32>)
    %7 = "stablehlo.subtract"(%5, %6) : (tensor<1000xf32>, tensor<1000xf32>) -> (tensor<1000xf32>)
    %8 = "stablehlo.tanh"(%7) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<1000xf32>) -> (tensor<1000xf32>)
    %9 = "stablehlo.constant"() <{value = dense<1.500000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<1000xf32>)
    %11 = "stablehlo.add"(%8, %10) : (tensor<1000xf32>, tensor<1000xf32>) -> (tensor<1000xf32>)
    "stablehlo.return"(%11) : (tensor<1000xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<1000xf32>, %1: tensor<1000xf32>) -> (tensor<1000xf32>) {
    %12 = "stablehlo.reshape"(%0) : (tensor<1000xf32>) -> (tensor<125x8xf32>)
    %13 = "stablehlo.reshape"(%1) : (tensor<1000xf32>) -> (tensor<125x8xf32>)
    %14 = "stablehlo.add"(%12, %13) : (tensor<125x8xf32>, tensor<125x8xf32>) -> (tensor<125x8xf32>)
    %3 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %15 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<125xf32>)
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64: 0>}> : (tensor<125xf32>) -> (tensor<125x8xf32>)
    %17 = "stablehlo.multiply"(%14, %16) : (tensor<125x8xf32>, tensor<125x8xf32>) -> (tensor<125x8xf32>)
    %18 = "stablehlo.multiply"(%12, %13) : (tensor<125x8xf32>, tensor<125x8xf32>) -> (tensor<125x8xf32>)
    %19 = "stablehlo.subtract"(%17, %18) : (tensor<125x8xf32>, tensor<125x8xf32>) -> (tensor<125x8xf32>)
    %20 = "stablehlo.tanh"(%19) <{result_accuracy = {atol = 0.00000000000000000e+00 : f64, mode = "DEFAULT", rtol = 0.00000000000000000e+00 : f64, ulps = 0 : i64}}> : (tensor<125x8xf32>) -> (tensor<125x8xf32>)
    %9 = "stablehlo.constant"() <{value = dense<1.500000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %21 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<125xf32>)
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64: 0>}> : (tensor<125xf32>) -> (tensor<125x8xf32>)
    %23 = "stablehlo.add"(%20, %22) : (tensor<125x8xf32>, tensor<125x8xf32>) -> (tensor<125x8xf32>)
    %11 = "stablehlo.reshape"(%23) : (tensor<125x8xf32>) -> (tensor<1000xf32>)
    "stablehlo.return"(%11) : (tensor<1000xf32>) -> ()
  }
}
