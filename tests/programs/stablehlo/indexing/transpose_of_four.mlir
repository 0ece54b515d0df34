// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 7fa26f9d25475051
// cost: 1 instructions, 232099 ticks
module {
  func.func public @main(%arg0: tensor<3x4x5x6xf32>) -> (tensor<6x4x3x5xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [3, 1, 0, 2] : (tensor<3x4x5x6xf32>) -> tensor<6x4x3x5xf32>
    return %0 : tensor<6x4x3x5xf32>
  }
}
