// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums -18.5806347 37.7690444 31.2823499 3.80482224 -23.1542998 1.11649125 -29.3874361 46.7717952 -9.11528734 -29.6564356 17.976241 9.21188722 47.0862523 -24.6227912 -18.3919545 22.7809145
// cost: 5 instructions, 638751 ticks
module {
  func.func public @main(%arg0: tensor<20x6x7xf32>, %arg1: tensor<6x7x30xf32>) -> (tensor<20x30xf32>) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<20x6x7xf32>, tensor<6x7x30xf32>) -> tensor<20x30xf32>
    return %0 : tensor<20x30xf32>
  }
}
