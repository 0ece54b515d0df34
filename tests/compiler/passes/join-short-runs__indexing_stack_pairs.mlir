// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
module @module {
  func.func public @main(%0: tensor<4096xf32>, %1: tensor<4096xf32>) -> (tensor<4096x2xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<4096xf32>)
    %4 = "stablehlo.multiply"(%1, %3) : (tensor<4096xf32>, tensor<4096xf32>) -> (tensor<4096xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4096xf32>) -> (tensor<4096x1xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4096xf32>) -> (tensor<4096x1xf32>)
    %7 = "stablehlo.concatenate"(%5, %6) <{dimension = 1 : i64}> : (tensor<4096x1xf32>, tensor<4096x1xf32>) -> (tensor<4096x2xf32>)
    "stablehlo.return"(%7) : (tensor<4096x2xf32>) -> ()
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<4096xf32>, %1: tensor<4096xf32>) -> (tensor<4096x2xf32>) {
    %2 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> (tensor<f32>)
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> (tensor<4096xf32>)
    %4 = "stablehlo.multiply"(%1, %3) : (tensor<4096xf32>, tensor<4096xf32>) -> (tensor<4096xf32>)
    %5 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4096xf32>) -> (tensor<4096x1xf32>)
    %6 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4096xf32>) -> (tensor<4096x1xf32>)
    %8 = "stablehlo.reshape"(%5) : (tensor<4096x1xf32>) -> (tensor<4096x1xf32>)
    %9 = "stablehlo.reshape"(%8) : (tensor<4096x1xf32>) -> (tensor<128x32x1xf32>)
    %10 = "stablehlo.reshape"(%6) : (tensor<4096x1xf32>) -> (tensor<4096x1xf32>)
    %11 = "stablehlo.reshape"(%10) : (tensor<4096x1xf32>) -> (tensor<128x32x1xf32>)
    %12 = "stablehlo.concatenate"(%9, %11) <{dimension = 2 : i64}> : (tensor<128x32x1xf32>, tensor<128x32x1xf32>) -> (tensor<128x32x2xf32>)
    %7 = "stablehlo.reshape"(%12) : (tensor<128x32x2xf32>) -> (tensor<4096x2xf32>)
    "stablehlo.return"(%7) : (tensor<4096x2xf32>) -> ()
  }
}
