// tolerance: 2e-05
// in: draw 1 -1 9.5367431640625e-07 2097153
// out: sums 100.012548 96.1270179 95.6552096 96.5785884 97.4830226 96.4665625 96.1252405 90.8760992 90.2459954 92.2091303 95.6103976 95.5632024 95.3759309 94.1718989 99.3021866 101.161848
// cost: 24 instructions, 935836 ticks
module {
  func.func public @main(%arg0: tensor<1024x32xf32>) -> (tensor<1024x32xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<1024x32xf32>, tensor<f32>) -> tensor<1024xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1024xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<1024xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1024x32xf32>
    %6 = stablehlo.exponential %5 : tensor<1024x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<1024x32xf32>, tensor<f32>) -> tensor<1024xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1024xf32>) -> tensor<1024x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1024x1xf32>) -> tensor<1024x32xf32>
    %10 = stablehlo.divide %6, %9 : tensor<1024x32xf32>
    return %10 : tensor<1024x32xf32>
  }
}
