// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 8446c3111b1bf938
// cost: 4 instructions, 679928 ticks
module {
  func.func public @main(%arg0: tensor<3x33x40xf32>) -> (tensor<3x40x33xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<3x33x40xf32>) -> tensor<3x40x33xf32>
    return %0 : tensor<3x40x33xf32>
  }
}
