// tolerance: 1e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 9.24984198 6.96132476 4.48229418 21.4910565 2.9902879 15.6114137 0.272224557 15.1005985 2.95896795 -17.318323 -7.53924078 36.6086857 3.62777642 1.62602032 17.0575458 -0.673962243
// out: sums 72.2816408 67.6674523 77.4738304 72.1186634 68.2075006 63.8304 53.9735858 61.1701152 64.9955435 53.6679741 54.9096737 92.8070726 64.1610168 58.8670283 61.6968877 61.379325
// cost: 12 instructions, 700513 ticks
module {
  func.func public @main(%arg0: tensor<1367x3xf32>) -> (tensor<1367xf32>, tensor<1367xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1367x3xf32>, tensor<f32>) -> tensor<1367xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<1367x3xf32>, tensor<f32>) -> tensor<1367xf32>
    return %0, %1 : tensor<1367xf32>, tensor<1367xf32>
  }
}
