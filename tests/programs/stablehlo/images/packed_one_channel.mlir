// tolerance: 0.001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 40.6589667 154.545787 -258.227797 -66.4487008 -23.53525 -105.082634 115.857891 -32.479579 339.255632 127.12297 160.307731 -222.517013 139.768801 -299.205605 -64.8289498 -12.2511487
// cost: 106 instructions, 3534243 ticks
module {
  func.func public @main(%arg0: tensor<1x40x40x1xf32>, %arg1: tensor<3x4x1x150xf32>) -> (tensor<1x41x40x150xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[-2, 5], [4, -1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x40x40x1xf32>, tensor<3x4x1x150xf32>) -> tensor<1x41x40x150xf32>
    return %0 : tensor<1x41x40x150xf32>
  }
}
