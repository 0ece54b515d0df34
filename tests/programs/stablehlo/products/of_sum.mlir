// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 24.1435587 25.7683488 9.14278746 -19.3647039 -0.75070941 -91.0021012 -2.26352402 -28.0608961 19.8051191 -53.9151673 -19.3112542 5.60158941 22.9055646 105.876916 6.57981429 -80.0976903
// cost: 9 instructions, 788377 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>, %arg1: tensor<40x60xf32>, %arg2: tensor<60x20xf32>) -> (tensor<40x20xf32>) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<40x60xf32>
    %1 = stablehlo.dot_general %0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x60xf32>, tensor<60x20xf32>) -> tensor<40x20xf32>
    return %1 : tensor<40x20xf32>
  }
}
