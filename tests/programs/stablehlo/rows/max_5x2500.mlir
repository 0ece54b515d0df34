// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.99990654 0.997362137 0.999189377 0.999821663 0.999927521
// cost: 9 instructions, 1128094 ticks
module {
  func.func public @main(%arg0: tensor<5x2500xf32>) -> (tensor<5xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<5x2500xf32>, tensor<f32>) -> tensor<5xf32>
    return %0 : tensor<5xf32>
  }
}
