// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 36.0432145 26.9592871 -14.8000381 -46.550737 9.17256129 -26.2464646 -8.79225487 0 -18.2055423 36.6447532 56.6722535 18.1048392 9.0186039 0.0971378945 45.6981689 -9.58341311
// cost: 9 instructions, 708579 ticks
module {
  func.func public @main(%arg0: tensor<300x70xf32>) -> (tensor<70xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<300x70xf32>, tensor<f32>) -> tensor<70xf32>
    return %0 : tensor<70xf32>
  }
}
