// tolerance: 0.0001
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 58.385767 36.059724 88.5740299 45.1003423 34.0445764 32.7279717 41.3673875 33.2465064 48.8806042 42.6118834 40.8898994 24.461057 71.8359545 65.597279 31.7242873 40.4267456
// cost: 6 instructions, 819303 ticks
module {
  func.func public @main(%arg0: tensor<9x21xf32>) -> (tensor<9x21xf32>) {
    %0 = call @cumprod(%arg0) : (tensor<9x21xf32>) -> tensor<9x21xf32>
    return %0 : tensor<9x21xf32>
  }
  func.func private @cumprod(%arg0: tensor<9x21xf32>) -> tensor<9x21xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[8, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 9, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<9x21xf32>, tensor<f32>) -> tensor<9x21xf32>
    return %0 : tensor<9x21xf32>
  }
}
