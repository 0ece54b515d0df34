// tolerance: 0.0001
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 421.538141 74.5706957 392.202679 257.683168 114.880457 32.4586612 33.3596682 39.660213 266.707014 45.2131144 42.032872 38.5959718 125.444639 464.693355 170.524503 151.250544
// cost: 6 instructions, 563135 ticks
module {
  func.func public @main(%arg0: tensor<9x21xf32>) -> (tensor<9x21xf32>) {
    %0 = call @cumprod(%arg0) : (tensor<9x21xf32>) -> tensor<9x21xf32>
    return %0 : tensor<9x21xf32>
  }
  func.func private @cumprod(%arg0: tensor<9x21xf32>) -> tensor<9x21xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [20, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 21>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = stablehlo.multiply %arg1, %arg2 : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<9x21xf32>, tensor<f32>) -> tensor<9x21xf32>
    return %0 : tensor<9x21xf32>
  }
}
