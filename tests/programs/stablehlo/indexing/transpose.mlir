// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 5e623dcd1feccd8f
// cost: 6 instructions, 869291 ticks
module {
  func.func public @main(%arg0: tensor<40x150xf32>) -> (tensor<150x40xf32>) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<40x150xf32>) -> tensor<150x40xf32>
    return %0 : tensor<150x40xf32>
  }
}
