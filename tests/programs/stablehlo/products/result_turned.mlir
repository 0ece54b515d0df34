// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -132.396086 -175.360487 78.6438417 -157.166172 91.8911111 -46.3141884 60.8869854 -13.4731008 -39.0371065 58.1963724 32.6859396 79.8552617 104.766417 -87.6418829 -69.0511492 44.2024674
// cost: 8 instructions, 740127 ticks
module {
  func.func public @main(%arg0: tensor<40x70xf32>, %arg1: tensor<70x150xf32>) -> (tensor<150x40xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [1], precision = [DEFAULT, DEFAULT] : (tensor<70x150xf32>, tensor<40x70xf32>) -> tensor<150x40xf32>
    return %0 : tensor<150x40xf32>
  }
}
