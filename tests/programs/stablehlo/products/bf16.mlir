// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums 17.7550147 8.66749573 -27.8283784 -152.555401 59.2391119 43.0039139 -6.20559216 76.2686429 -25.7434139 -61.0016255 74.6557884 52.7607536 -64.9436882 -78.4715147 69.257309 84.6242709
// cost: 8 instructions, 755026 ticks
module {
  func.func public @main(%arg0: tensor<50x130xbf16>, %arg1: tensor<130x60xbf16>) -> (tensor<50x60xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<50x130xbf16>, tensor<130x60xbf16>) -> tensor<50x60xbf16>
    return %0 : tensor<50x60xbf16>
  }
}
