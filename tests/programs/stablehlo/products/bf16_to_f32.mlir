// tolerance: 1e-05
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums 17.8431363 8.72332954 -27.7248144 -152.608238 59.4792972 42.9565811 -6.04162669 76.2658925 -25.6010349 -60.9433315 74.7899902 52.8245504 -65.0582681 -78.5164063 69.0188782 84.7399571
// cost: 8 instructions, 755026 ticks
module {
  func.func public @main(%arg0: tensor<50x130xbf16>, %arg1: tensor<130x60xbf16>) -> (tensor<50x60xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<50x130xbf16>, tensor<130x60xbf16>) -> tensor<50x60xf32>
    return %0 : tensor<50x60xf32>
  }
}
