// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -4.03307724
// cost: 3 instructions, 561061 ticks
module {
  func.func public @main(%arg0: tensor<260x1xf32>) -> (tensor<1xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<260x1xf32>, tensor<f32>) -> tensor<1xf32>
    return %0 : tensor<1xf32>
  }
}
