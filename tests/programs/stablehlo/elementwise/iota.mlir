// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 10741.4281 11315.2758 10521.3227 9018.62868 10553.4591 10465.737 6185.32709 9325.15325 9253.30806 8347.94561 10365.43 12039.2959 9306.55718 9670.8781 9877.11924 8923.12163
// cost: 11 instructions, 749009 ticks
module {
  func.func public @main(%arg0: tensor<150x12xf32>) -> (tensor<150x12xf32>) {
    %0 = stablehlo.iota dim = 0 : tensor<150x12xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<150x12xf32>
    %2 = stablehlo.iota dim = 1 : tensor<150x12xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<150x12xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<150x12xf32>
    %5 = stablehlo.subtract %1, %4 : tensor<150x12xf32>
    return %5 : tensor<150x12xf32>
  }
}
