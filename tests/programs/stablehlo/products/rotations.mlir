// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 6.12194187 30.1803922 16.9526226 -49.1513808 35.1832567 38.348658 9.29765779 11.0158131 -11.6935418 32.8940138 5.56553869 -10.9008581 -1.76690456 7.72290466 32.5711257 -12.0632502
// cost: 79 instructions, 14031024 ticks
module {
  func.func public @main(%arg0: tensor<2500x3x3xf32>, %arg1: tensor<2x2500x3xf32>) -> (tensor<2500x2x3xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, batching_dims = [1] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<2x2500x3xf32>, tensor<2500x3x3xf32>) -> tensor<2500x2x3xf32>
    return %0 : tensor<2500x2x3xf32>
  }
}
