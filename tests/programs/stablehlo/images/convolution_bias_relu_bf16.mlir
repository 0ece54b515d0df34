// tolerance: 0.01
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// in: draw 3 -1 0.0078125 257
// out: sums 495.672211 644.597092 483.96685 476.268456 538.820271 397.404716 451.374092 470.261879 600.446327 417.707603 581.40435 685.870201 581.594555 381.617371 600.195019 508.063156
// cost: 25 instructions, 1012524 ticks
module {
  func.func public @main(%arg0: tensor<2x16x9x9xbf16>, %arg1: tensor<24x16x3x3xbf16>, %arg2: tensor<24xbf16>) -> (tensor<2x24x9x9xbf16>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<2x16x9x9xbf16>, tensor<24x16x3x3xbf16>) -> tensor<2x24x9x9xbf16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<24xbf16>) -> tensor<24x1x1xbf16>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<24x1x1xbf16>) -> tensor<1x24x1x1xbf16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2, 3] : (tensor<1x24x1x1xbf16>) -> tensor<2x24x9x9xbf16>
    %4 = stablehlo.add %0, %3 : tensor<2x24x9x9xbf16>
    %5 = call @relu(%4) : (tensor<2x24x9x9xbf16>) -> tensor<2x24x9x9xbf16>
    return %5 : tensor<2x24x9x9xbf16>
  }
  func.func private @relu(%arg0: tensor<2x24x9x9xbf16>) -> tensor<2x24x9x9xbf16> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<2x24x9x9xbf16>
    %1 = stablehlo.maximum %arg0, %0 : tensor<2x24x9x9xbf16>
    return %1 : tensor<2x24x9x9xbf16>
  }
}
