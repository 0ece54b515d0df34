// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums -1.44623796 5.83443483 -6.90419611 -2.43827242 3.4268159 -3.53313689 -0.45916884 -4.75101509 -1.24339766 -1.60293375 -1.35604962 -3.80384893 5.95277034 -0.397328749 3.0994917 -1.57407103
// cost: 1 instructions, 219982 ticks
module {
  func.func public @main(%arg0: tensor<1x300xf32>) -> (tensor<300xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<1x300xf32>, tensor<f32>) -> tensor<300xf32>
    return %0 : tensor<300xf32>
  }
}
