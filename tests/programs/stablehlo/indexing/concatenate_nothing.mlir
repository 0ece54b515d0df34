// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 89e3fc2f15b23c52
// cost: 3 instructions, 688008 ticks
module {
  func.func public @main(%arg0: tensor<256x2x72xf32>) -> (tensor<256x1x72xf32>) {
    %0 = stablehlo.slice %arg0 [0:256, 0:1, 0:72] : (tensor<256x2x72xf32>) -> tensor<256x1x72xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<256x1x72xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<256x1x72xf32>
    %3 = stablehlo.slice %arg0 [0:256, 0:0, 0:72] : (tensor<256x2x72xf32>) -> tensor<256x0x72xf32>
    %4 = stablehlo.concatenate %2, %3, dim = 1 : (tensor<256x1x72xf32>, tensor<256x0x72xf32>) -> tensor<256x1x72xf32>
    return %4 : tensor<256x1x72xf32>
  }
}
