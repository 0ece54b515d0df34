// tolerance: 0.02
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums -726.262087 -29.2862167 118.908993 -89.7552071 431.954193 28.3656082 -19.5800781 288.453144 -129.715523 145.895409 28.586853 -247.794449 -974.028778 321.2731 109.160553 64.0783081
// cost: 80 instructions, 1894524 ticks
module {
  func.func public @main(%arg0: tensor<9x4100xbf16>, %arg1: tensor<4100x140xbf16>) -> (tensor<9x140xbf16>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<9x4100xbf16>, tensor<4100x140xbf16>) -> tensor<9x140xbf16>
    return %0 : tensor<9x140xbf16>
  }
}
