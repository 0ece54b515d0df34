// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -10.7091374 10.1532898 10.484425 -2.27356224 -4.29979571 -14.9300815 -19.8839285 -8.18683982 2.51003094 -5.591091 4.69318528 7.16731854 -7.90589917 18.8242624 5.25095384 15.1097398
// cost: 7 instructions, 786569 ticks
module {
  func.func public @main(%arg0: tensor<1x3x12x12xf32>, %arg1: tensor<20x3x4x4xf32>) -> (tensor<1x20x3x3xf32>) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x3x12x12xf32>, tensor<20x3x4x4xf32>) -> tensor<1x20x3x3xf32>
    return %0 : tensor<1x20x3x3xf32>
  }
}
