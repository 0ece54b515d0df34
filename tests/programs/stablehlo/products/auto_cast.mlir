// tolerance: 1e-05
// flags: --auto-cast=matmult
// in: draw 1 -1 0.0078125 257
// in: draw 2 -1 0.0078125 257
// out: sums 8.44337487 23.9590039 -54.1880736 -12.9397542 -22.3104055 25.2839911 -0.824849844 -30.133615 -22.2292466 -12.2988741 36.7770519 38.665489 -11.2364991 -36.1814291 -27.9317462 -36.5171895
// cost: 9 instructions, 740429 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>, %arg1: tensor<60x50xf32>) -> (tensor<40x50xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x60xf32>, tensor<60x50xf32>) -> tensor<40x50xf32>
    return %0 : tensor<40x50xf32>
  }
}
