// tolerance: 2e-05
// routines: remainder
// in: draw 1 0.25 9.5367431640625e-07 2097152
// out: sums 3.55358761 1.51893876 5.55079265 4.93933915 5.85693279 9.62608308 1.78833408 1.95413347 9.7790603 1.86115992 4.03182696 2.23439846 9.85736886 12.0119765 9.18811354 11.5960284
// cost: 5 instructions, 604106 ticks
module {
  func.func public @main(%arg0: tensor<37x5xf32>) -> (tensor<37x5xf32>) {
    %cst = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<37x5xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<37x5xf32>
    %cst_0 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<37x5xf32>
    %3 = stablehlo.subtract %1, %2 : tensor<37x5xf32>
    %4 = stablehlo.reverse %arg0, dims = [0] : tensor<37x5xf32>
    %5 = stablehlo.remainder %3, %4 : tensor<37x5xf32>
    return %5 : tensor<37x5xf32>
  }
}
