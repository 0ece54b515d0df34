// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.877511978 -0.500000954 -0.919247627 -0.972230911 -0.984014511 -0.784065247 -0.865499496 -0.697097778 -0.932337761 -0.8179245 -0.960219383 -0.999503136 -0.970901489 -0.860219002 -0.904688835 -0.865159035 -0.826652527 -0.927727699 -0.899985313 -0.863817215 -0.690419197 -0.825255394 -0.970721245 -0.878415108 -0.917265892 -0.992133141 -0.933984756
// cost: 3 instructions, 560408 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3x9xf32>) {
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.minimum across dimensions = [2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3x9xf32>
    return %0 : tensor<3x9xf32>
  }
}
