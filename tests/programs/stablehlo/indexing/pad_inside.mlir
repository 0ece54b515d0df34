// in: draw 1 -1 9.5367431640625e-07 2097153
// out: hash 699a5a62cc135538
// cost: 4 instructions, 609675 ticks
module {
  func.func public @main(%arg0: tensor<9x10xf32>) -> (tensor<26x21xf32>) {
    %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [1, 0], high = [0, 2], interior = [2, 1] : (tensor<9x10xf32>, tensor<f32>) -> tensor<26x21xf32>
    return %0 : tensor<26x21xf32>
  }
}
