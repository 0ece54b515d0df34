// tolerance: 2e-05
// in: draw 1 -5 3.814697265625e-06 2621441
// out: sums 6.99967547 6.20534353 7.46154068 9.16353373 5.44752661 4.29169574 11.0213918 2.13603144 5.2284289 6.27525274 7.58815409 2.60448117 6.9753353 12.0091897 5.62660226 6.45849361
// cost: 3 instructions, 559982 ticks
module {
  func.func public @main(%arg0: tensor<3x50xf32>) -> (tensor<3x50xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<3x50xf32>
    %1 = stablehlo.exponential %0 : tensor<3x50xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x50xf32>
    %3 = stablehlo.add %2, %1 : tensor<3x50xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x50xf32>
    %5 = stablehlo.divide %4, %3 : tensor<3x50xf32>
    return %5 : tensor<3x50xf32>
  }
}
