// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -1.58397098 1.05303433 2.89499245 0.958220678 1.29060966 0.371005243 1.15705705 0 -1.49460115 -1.16429724 -1.94743842 1.98134622 0.407004058 1.42010999 1.2113741 0.162288278
// cost: 6 instructions, 716634 ticks
module {
  func.func public @main(%arg0: tensor<9x20xf32>) -> (tensor<9x10xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<0> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<9x20xf32>, tensor<f32>) -> tensor<9x10xf32>
    return %0 : tensor<9x10xf32>
  }
}
