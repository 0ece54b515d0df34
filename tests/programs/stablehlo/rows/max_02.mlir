// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.914225578 0.981182098 0.861620903 0.980489731 0.961937904 0.984014511 0.964673996 0.98575592 0.937930107
// cost: 3 instructions, 574120 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<9xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}
