// tolerance: 0.0001
// in: draw 1 -1 0.0078125 257
module {
  func.func public @main(%arg0: tensor<4x6xbf16>) -> (tensor<2x6xbf16>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%arg1: tensor<bf16>, %arg2: tensor<bf16>):
      %1 = stablehlo.add %arg1, %arg2 : tensor<bf16>
      stablehlo.return %1 : tensor<bf16>
    }) : (tensor<4x6xbf16>, tensor<bf16>) -> tensor<2x6xbf16>
    return %0 : tensor<2x6xbf16>
  }
}
// -----
module @module {
  func.func public @main(%0: tensor<4x6xbf16>) -> (tensor<2x6xbf16>) {
    %1 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<bf16>}> : () -> (tensor<bf16>)
    %6 = "stablehlo.convert"(%0) : (tensor<4x6xbf16>) -> (tensor<4x6xf32>)
    %7 = "stablehlo.convert"(%1) : (tensor<bf16>) -> (tensor<f32>)
    %11 = "stablehlo.reduce_window"(%6, %7) <{base_dilations = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%8: tensor<f32>, %9: tensor<f32>):
      %10 = "stablehlo.add"(%8, %9) : (tensor<f32>, tensor<f32>) -> (tensor<f32>)
      "stablehlo.return"(%10) : (tensor<f32>) -> ()
    }) : (tensor<4x6xf32>, tensor<f32>) -> (tensor<2x6xf32>)
    %2 = "stablehlo.convert"(%11) : (tensor<2x6xf32>) -> (tensor<2x6xbf16>)
    "stablehlo.return"(%2) : (tensor<2x6xbf16>) -> ()
  }
}
