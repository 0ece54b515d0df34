// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -3.52030493 -7.04216993 -21.0689162 -17.1648693 -15.5741978 -8.60193762 -3.59499112 -1.042078 -7.35283813 -12.5663652 0.153303795 -12.0639797 15.5498903 -5.47641502 6.90008896 -13.1564891
// cost: 14 instructions, 1514640 ticks
module {
  func.func public @main(%arg0: tensor<1x4x8x9xf32>, %arg1: tensor<5x4x3x3xf32>) -> (tensor<1x5x8x9xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x4x8x9xf32>, tensor<5x4x3x3xf32>) -> tensor<1x5x8x9xf32>
    return %0 : tensor<1x5x8x9xf32>
  }
}
