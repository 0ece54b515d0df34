// tolerance: 0.0001
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: 0.0234418605 0.365777522 -0.0586529486 -0.17061983 -0.101416185 0.133236751 0.240527302 0.16305086 0.0216210242 0.0631426424 -0.0980015546 -0.288857758 0.151254117 0.250009149 -0.220273778 -0.166907594 -0.0642395765 -0.364508092 -0.246518627 0.0107532917 -0.134555966 0.0827114955 -0.177988201 -0.0667162687 0.0529988855 0.139517114 -0.12841177
// cost: 15 instructions, 775735 ticks
module {
  func.func public @main(%arg0: tensor<3x9x14xf32>) -> (tensor<3x9xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<3x9x14xf32>, tensor<f32>) -> tensor<3x9xf32>
    %cst_0 = stablehlo.constant dense<1.400000e+01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x9xf32>
    %2 = stablehlo.divide %0, %1 : tensor<3x9xf32>
    return %2 : tensor<3x9xf32>
  }
}
