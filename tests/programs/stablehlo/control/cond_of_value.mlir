// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash f7981e1d6d41aea8
// cost: 45 instructions, 1328209 ticks
module {
  func.func public @main(%arg0: tensor<20x9xf32>) -> (tensor<20x9xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<20x9xf32>, tensor<f32>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare GT, %0, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<i32>
    %3 = "stablehlo.case"(%2) ({
      %4 = stablehlo.negate %arg0 : tensor<20x9xf32>
      stablehlo.return %4 : tensor<20x9xf32>
    }, {
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20x9xf32>
      %5 = stablehlo.multiply %arg0, %4 : tensor<20x9xf32>
      stablehlo.return %5 : tensor<20x9xf32>
    }) : (tensor<i32>) -> tensor<20x9xf32>
    return %3 : tensor<20x9xf32>
  }
}
