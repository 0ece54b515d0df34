// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash ea657eb650fdbb28
// cost: 1 instructions, 213912 ticks
module {
  func.func public @main(%arg0: tensor<260x1xf32>) -> (tensor<260xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<260x1xf32>, tensor<f32>) -> tensor<260xf32>
    return %0 : tensor<260xf32>
  }
}
