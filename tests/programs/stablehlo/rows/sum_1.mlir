// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 0.741406433 0.531650364 -2.83902817 -1.51602259 -4.57110587 1.19364072 1.44393374 0 1.07181945 0 2.59410568 1.25170654 4.33122399 -2.19348495 -3.11362164 -13.3679067
// cost: 3 instructions, 630636 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3x14xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3x14xf32>
    return %0 : tensor<3x14xf32>
  }
}
