// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.899985313 -0.960219383 -0.999503136 -0.972230911 -0.984014511 -0.904688835 -0.917265892 -0.992133141 -0.933984756
// cost: 3 instructions, 574120 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<9xf32>) {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.minimum across dimensions = [0, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}
