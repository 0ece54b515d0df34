// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 4.65972519 -2.61375713 -5.58026886 -7.27699661 3.6356039
// cost: 3 instructions, 1200034 ticks
module {
  func.func public @main(%arg0: tensor<129x5xf32>) -> (tensor<5xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<129x5xf32>, tensor<f32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
