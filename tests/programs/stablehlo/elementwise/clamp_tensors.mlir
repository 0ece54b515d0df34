// in: draw 1 -2 0.0078125 257
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 0 0.0078125 257
// out: hash c1c503bdc3cda623
// cost: 6 instructions, 632475 ticks
module {
  func.func public @main(%arg0: tensor<70xf32>, %arg1: tensor<70xf32>, %arg2: tensor<70xf32>) -> (tensor<70xf32>) {
    %0 = stablehlo.clamp %arg0, %arg1, %arg2 : tensor<70xf32>
    return %0 : tensor<70xf32>
  }
}
