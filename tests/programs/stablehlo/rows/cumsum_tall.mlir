// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 82.0983711 143.13826 104.359249 50.6141614 102.137546 89.1999071 68.0431545 120.201629 120.769494 33.4314905 174.27044 250.650021 144.837328 119.252647 220.383036 204.627131
// cost: 10 instructions, 632508 ticks
module {
  func.func public @main(%arg0: tensor<140x30xf32>) -> (tensor<140x30xf32>) {
    %0 = call @cumsum(%arg0) : (tensor<140x30xf32>) -> tensor<140x30xf32>
    return %0 : tensor<140x30xf32>
  }
  func.func private @cumsum(%arg0: tensor<140x30xf32>) -> tensor<140x30xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<140x30xf32>) -> tensor<140x30xf32>
    return %0 : tensor<140x30xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<140x30xf32>) -> tensor<140x30xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [29, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 30>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<140x30xf32>, tensor<f32>) -> tensor<140x30xf32>
    return %1 : tensor<140x30xf32>
  }
}
