// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 71.6726383 72.8153178 78.2430254 88.2326944 67.6921802 62.5544836 52.9287587 101.462411 39.066922 74.3143318 68.0235656 84.3769338 101.307172 58.0846211 64.1753482 41.133035
// cost: 17 instructions, 1622528 ticks
module {
  func.func public @main(%arg0: tensor<1x6x9x9xf32>, %arg1: tensor<10x6x3x3xf32>, %arg2: tensor<10xf32>) -> (tensor<1x10x9x9xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x6x9x9xf32>, tensor<10x6x3x3xf32>) -> tensor<1x10x9x9xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<10xf32>) -> tensor<10x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<10x1x1xf32>) -> tensor<1x10x1x1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x10x1x1xf32>) -> tensor<1x10x9x9xf32>
    %4 = stablehlo.add %0, %3 : tensor<1x10x9x9xf32>
    %5 = call @relu(%4) : (tensor<1x10x9x9xf32>) -> tensor<1x10x9x9xf32>
    return %5 : tensor<1x10x9x9xf32>
  }
  func.func private @relu(%arg0: tensor<1x10x9x9xf32>) -> tensor<1x10x9x9xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x10x9x9xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x10x9x9xf32>
    return %1 : tensor<1x10x9x9xf32>
  }
}
