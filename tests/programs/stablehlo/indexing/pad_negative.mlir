// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 5d2698dd451812ae
// cost: 4 instructions, 591156 ticks
module {
  func.func public @main(%arg0: tensor<12x20xf32>) -> (tensor<13x17xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [-2, 1], high = [3, -4], interior = [0, 0] : (tensor<12x20xf32>, tensor<f32>) -> tensor<13x17xf32>
    return %0 : tensor<13x17xf32>
  }
}
