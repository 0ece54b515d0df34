// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -13.2058537 -2.74679482 -12.5236161 10.7899458 7.34212909 -15.5483251 -1.37457263 -8.49481415 14.7815285 2.1553355 12.2024118 8.06921448 30.8985271 40.9006496 19.7265924 3.22358057
// cost: 9 instructions, 1845117 ticks
module {
  func.func public @main(%arg0: tensor<5x2500xf32>) -> (tensor<2500xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<5x2500xf32>, tensor<f32>) -> tensor<2500xf32>
    return %0 : tensor<2500xf32>
  }
}
