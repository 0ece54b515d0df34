// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: -0.0533113703 0.0928430781 -0.160688877 0.0211152583 -0.00979841314 -0.0512510948 0.042206198 0.0794427991 -0.15709962
// cost: 15 instructions, 789430 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<9xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0, 2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<9xf32>
    %cst_0 = stablehlo.constant dense<4.200000e+01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %2 = stablehlo.divide %0, %1 : tensor<9xf32>
    return %2 : tensor<9xf32>
  }
}
