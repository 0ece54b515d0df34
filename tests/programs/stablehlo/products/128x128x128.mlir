// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 154.594239 -204.70949 -102.556379 -68.686191 -174.64525 117.21331 -301.9474 -381.901277 -233.877824 55.2713329 62.5203284 9.17967382 91.897719 -138.267994 -178.22789 120.371116
// cost: 5 instructions, 806784 ticks
module {
  func.func public @main(%arg0: tensor<128x128xf32>, %arg1: tensor<128x128xf32>) -> (tensor<128x128xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
    return %0 : tensor<128x128xf32>
  }
}
