// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash a0ea2f8f27146306
// out: hash c39f360cd0b8cdf4
// out: hash 4bb739acd7ae10c9
// cost: 3 instructions, 312654 ticks
module {
  func.func public @main(%arg0: tensor<9x40xf32>) -> (tensor<9x40xf32>, tensor<9x40xf32>, tensor<9x40xf32>) {
    %0 = stablehlo.reverse %arg0, dims = [0] : tensor<9x40xf32>
    %1 = stablehlo.reverse %arg0, dims = [1] : tensor<9x40xf32>
    %2 = stablehlo.reverse %arg0, dims = [0, 1] : tensor<9x40xf32>
    return %0, %1, %2 : tensor<9x40xf32>, tensor<9x40xf32>, tensor<9x40xf32>
  }
}
