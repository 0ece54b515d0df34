// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 2.06843018 -3.02031785 2.10809435 7.63185434 12.3002874 1.17005308 4.40873583 8.65387863 7.1165272 11.32351 -3.07691267 -2.65220404 5.95224449 13.8469364 4.92151199 7.6043196
// cost: 6 instructions, 819303 ticks
module {
  func.func public @main(%arg0: tensor<9x21xf32>) -> (tensor<9x21xf32>) {
    %0 = call @cumsum(%arg0) : (tensor<9x21xf32>) -> tensor<9x21xf32>
    return %0 : tensor<9x21xf32>
  }
  func.func private @cumsum(%arg0: tensor<9x21xf32>) -> tensor<9x21xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[8, 0], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 9, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<9x21xf32>, tensor<f32>) -> tensor<9x21xf32>
    return %1 : tensor<9x21xf32>
  }
}
