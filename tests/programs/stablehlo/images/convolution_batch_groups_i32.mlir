// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 2.8789613 0.0554692114 -3.17581449 6.09966318 6.76635962 3.89954413 -1.27741832 0 0.535402858 3.1821087 -2.47799215 -4.16225653 -6.61865869 -0.903379459 -2.77479897 -0.168160826
// cost: 12 instructions, 1284115 ticks
func.func @main(%x: tensor<1x2x5x5xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32> {
  %z = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x5x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x5x5xf32>
  return %z : tensor<1x3x5x5xf32>
}
