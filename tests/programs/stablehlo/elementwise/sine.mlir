// tolerance: 2e-05
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums -3.9297236 0.614374228 2.27226699 -0.673985719 -2.64044587 -3.75061068 3.16256221 -1.34832603 -0.542626816 3.81731833 -2.29934159 1.31304048 2.50990212 1.49755283 -1.76071534 -3.11030746
// cost: 162 instructions, 2368879 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.sine %arg0 : tensor<3x50xf32>
    return %0 : tensor<3x50xf32>
  }
}
