// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// in: draw 3 -1 9.5367431640625e-07 2097153
// out: sums 18.577775 21.1806027 -6.98799757 53.1804364 1.4518231 -20.9697669 -0.429568014 9.93297488 -25.4713327 -49.0442833 32.0182209 27.5286228 0.248148729 21.3431929 -6.57780272 -3.70285226
// out: sums -31.2326883 -5.27572732 -61.1087588 36.7380722 -50.1862933 -5.22201537 35.8459703 4.9254128 20.3292499 -30.418848 22.52825 9.70126622 -15.3489292 -25.8852216 73.7779756 -2.85693335
// cost: 10 instructions, 743954 ticks
module {
  func.func public @main(%arg0: tensor<40x60xf32>, %arg1: tensor<60x20xf32>, %arg2: tensor<60x30xf32>) -> (tensor<40x20xf32>, tensor<40x30xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x60xf32>, tensor<60x20xf32>) -> tensor<40x20xf32>
    %1 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<40x60xf32>, tensor<60x30xf32>) -> tensor<40x30xf32>
    return %0, %1 : tensor<40x20xf32>, tensor<40x30xf32>
  }
}
