// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// in: draw 2 -1 9.5367431640625e-07 2097153
// out: sums 43.5828143 57.2944305 45.351884 64.5518188 26.3243999 39.9850152 49.0794459 39.9251046 49.7220162 50.8060833 40.2526569 50.8806503 51.2087345 59.6469519 23.2497191 52.8176298
// cost: 6 instructions, 595207 ticks
module {
  func.func public @main(%arg0: tensor<20x9xf32>, %arg1: tensor<20x14xf32>) -> (tensor<20x23xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20x14xf32>
    %1 = stablehlo.multiply %arg1, %0 : tensor<20x14xf32>
    %2 = stablehlo.concatenate %arg0, %1, dim = 1 : (tensor<20x9xf32>, tensor<20x14xf32>) -> tensor<20x23xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20x23xf32>
    %4 = stablehlo.add %2, %3 : tensor<20x23xf32>
    return %4 : tensor<20x23xf32>
  }
}
